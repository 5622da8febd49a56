"""From a file to a model and its weights, within bounds."""
