"""Explanations: why a rule fired at an op or not."""
