"""The problem: a board, the constraints on its tour, and a time limit."""
