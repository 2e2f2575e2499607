"""Tours by SAT: edges or arcs with subtour elimination, 2-factors by flow, the position formula."""
