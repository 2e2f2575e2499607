"""Boards that have a tour, puzzles with one solution, and how a person solves them."""
