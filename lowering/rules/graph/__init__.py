"""The graph as rules see it: nodes, op names, options, kinds of values."""
