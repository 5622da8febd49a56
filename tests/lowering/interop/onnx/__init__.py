"""Tests of graph-level modules as ONNX models."""
