"""The playground: a browser interface to the toolkit."""
