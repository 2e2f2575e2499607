"""Enumerate, count and sample tours."""
