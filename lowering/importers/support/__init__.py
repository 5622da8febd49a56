"""The parts that importers are written with; onnx is imported when a node is read."""
