"""One module or subpackage for each way to answer, and the table that lists them."""
