"""Parts of an error: the op, its place and text, the names that were meant."""
