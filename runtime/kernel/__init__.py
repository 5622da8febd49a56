"""Kernels as values: declaring, storing, choosing."""
