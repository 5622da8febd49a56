"""Probes: every tensor of a run, its name, and the comparison of two runs."""
