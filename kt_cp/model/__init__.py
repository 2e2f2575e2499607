"""The circuit model: what CP-SAT is told, how it is searched, and what comes out."""
