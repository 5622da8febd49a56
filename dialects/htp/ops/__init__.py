"""The native ops, one module a family."""
