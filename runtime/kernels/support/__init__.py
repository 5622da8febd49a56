"""Helpers of kernels: regions, rows, sums, storage order."""
