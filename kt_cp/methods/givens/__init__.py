"""Given steps: a tour rearranged until it visits the given squares at their steps."""
