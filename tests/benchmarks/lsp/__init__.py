"""Benchmark of the language server."""
