"""Execution order, spills, offsets."""
