"""The methods, a module each, what they share, and the table that lists them."""
