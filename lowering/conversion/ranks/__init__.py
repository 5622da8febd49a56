"""Ops on tensors of rank above 4 as the same ops on tensors of rank 4, and as sequences of them."""
