"""The importers of ONNX ops, one module a family."""
