"""Block ops found in plain models, as nodes with bodies, at each opset."""

from __future__ import annotations

import numpy as np
import onnx
from onnx.parser import parse_model

MODEL = """m (float[2,2,4] x, float[1,2,3] h0, int32[2,4] mask) => (float[2,1,2,3] y, float[1,2,3] h,
  float[2,1,3,4] shares)
<float[1,9,4] w, float[1,9,3] r, int64[4] wide = {2,1,3,4}, int64[2] axes = {1,2},
 float[4,1,3,3] filters> {
    y, h = GRU <hidden_size = 3> (x, w, r, , , h0)
    turned = Transpose <perm = [1, 2, 0, 3]> (y)
    kept = Relu (x)
    both = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (turned, filters)
    scores = Transpose <perm = [0, 2, 3, 1]> (both)
    rows = Reshape (scores, wide)
    real = Cast <to = 1> (mask)
    added = Unsqueeze (real, axes)
    masked = Add (rows, added)
    shares = Softmax <axis = -1> (masked)
}"""
OPSETS = range(17, 24)


def plain(opset: int = 17) -> onnx.ModelProto:
    """A GRU with a threaded state, and a softmax with a mask, among nodes that nothing touches."""
    model = parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]>\n' + MODEL)
    rng = np.random.default_rng(3)
    for tensor in model.graph.initializer:
        if not tensor.int64_data:
            array = rng.standard_normal(tensor.dims).astype(np.float32)
            tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))
    for number, node in enumerate(model.graph.node):
        node.name = f"node{number}"
    model.metadata_props.add(key="from", value="a tool")
    return model
