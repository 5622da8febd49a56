"""Passes that order ops and give offsets in TCM."""
