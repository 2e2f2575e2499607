"""Large boards of any shape, from walks of the reference that the circuit model mends."""
