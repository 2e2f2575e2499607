"""Read and write tours, boards and graphs in the notations that people use."""
