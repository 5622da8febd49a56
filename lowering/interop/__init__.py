"""Exchange with upstream MLIR: dialects and modules as IRDL knows them, rules as PDL."""
