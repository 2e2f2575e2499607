"""The circuit model for CP-SAT: variables, constraints, objectives and parameters."""
