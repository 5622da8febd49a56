"""Passes of the graph level."""
