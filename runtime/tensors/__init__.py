"""Tensors in simulated memory: bytes, layouts, the classes that kernels name."""
