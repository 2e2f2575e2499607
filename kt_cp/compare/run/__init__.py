"""Do the runs of a comparison: processes, log, limits, cluster."""
