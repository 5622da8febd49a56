"""A module made ready to run: bindings, steps, state."""
