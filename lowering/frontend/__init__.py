"""Frontends: other formats to graph IR."""
