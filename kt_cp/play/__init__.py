"""The playground: a page in the browser on which one does what the toolkit does, by clicks."""
