"""Turn a log into tables, plots and pages."""
