"""The exact search for offsets: what the quick orders of `planner.offsets` do not find."""
