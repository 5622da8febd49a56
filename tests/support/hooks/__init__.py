"""The hooks of pytest that the suite runs with."""
