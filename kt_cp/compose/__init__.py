"""Full rectangles of any size, from small tours that the circuit model finds."""
