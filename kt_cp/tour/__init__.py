"""Tours, their features, and the validator, which knows no solver."""
