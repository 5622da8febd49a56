"""Tests of passes that are functions, and of plugins in the tools."""
