"""The survey of a model: what becomes of each node on the way down the levels."""
