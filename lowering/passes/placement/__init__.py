"""Passes that choose a layout and a memory for each tensor."""
