"""Bodies of nodes that have no importer: what they represent in simpler nodes."""
