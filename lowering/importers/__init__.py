"""Ops of other formats as graph ops, one function an op: parts of packages, below them."""
