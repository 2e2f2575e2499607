"""Any shape at any size: a 2-factor, whose cycles are joined until one is left."""
