"""Mutated inputs: texts and ONNX models that come out right or as an error in words."""
