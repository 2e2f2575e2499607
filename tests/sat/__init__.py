"""Tests of the models for a SAT solver."""
