"""Functions of transformers: attention, rotated pairs, routed experts."""
