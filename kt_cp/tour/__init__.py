"""Tours, and the validator, which knows no solver."""
