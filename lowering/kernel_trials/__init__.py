"""Trials of a package's own kernels: beside their references, and on Hexagon."""
