"""Pass group CLEANUP: reshapes that cancel, slices of slices, concats of concats."""
