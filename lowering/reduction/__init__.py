"""Reduction of a module that shows a fault to a small one that still does."""
