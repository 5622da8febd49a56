"""A rule, the names in it, and its match."""
