"""Programs of `torch.export` as graph IR: one conversion per op of ATen."""
