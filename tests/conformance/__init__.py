"""ONNX's own backend tests, run at the graph level and lowered."""
