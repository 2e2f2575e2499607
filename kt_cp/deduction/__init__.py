"""What a person can deduce about a puzzle, step by step and in words."""
