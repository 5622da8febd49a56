"""The IR: the `qti_aisw`, `htp` and `quant` dialects. Import-light: no passes, no onnx."""
