"""Reading and writing tours in the notations people use."""
