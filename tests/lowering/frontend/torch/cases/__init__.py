"""Ops of PyTorch: a module each, and its arguments."""
