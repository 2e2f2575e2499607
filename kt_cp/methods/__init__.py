"""Ways to answer, what they share, and the table that lists them.

Most methods are a module each; `auto` also holds those that take turns with others.
"""
