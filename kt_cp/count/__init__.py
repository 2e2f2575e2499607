"""Enumerating and counting tours."""
