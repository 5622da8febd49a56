"""Text of each version, which later versions must still read."""
