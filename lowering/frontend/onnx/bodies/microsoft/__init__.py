"""Bodies of the ops that ONNX Runtime's tools write. Source: its contrib operators."""
