"""Ops of ATen as graph IR: the registry of conversions, their context, and the project's own."""
