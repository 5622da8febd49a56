"""Graph-level modules as ONNX models."""
