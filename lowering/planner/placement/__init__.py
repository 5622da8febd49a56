"""Layouts and memories by minimum cuts."""
