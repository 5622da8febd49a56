"""The graph ops besides the block ops, one module a family."""
