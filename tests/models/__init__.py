"""Models as PyTorch exports them, run at every level beside ONNX Runtime."""
