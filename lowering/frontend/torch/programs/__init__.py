"""Programs of `torch.export` as graph IR."""
