"""A tour as a set of undirected edges: subtour elimination by SAT, 2-factors, positions."""
