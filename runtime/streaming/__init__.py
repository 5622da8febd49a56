"""A run of a model on successive frames from a file or a pipe, with results as they come."""
