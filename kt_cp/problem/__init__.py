"""What is asked: a board and the constraints on its tour."""
