"""Tests: statements about tours."""
