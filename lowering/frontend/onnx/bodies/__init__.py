"""Bodies of nodes that have no importer: what they stand for in simpler nodes."""
