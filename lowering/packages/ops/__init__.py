"""Ops of a C++ package: declared, inferred, or known by name."""
