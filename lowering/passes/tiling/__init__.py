"""The pass that plans tiles."""
