"""Layers in bf16 and f64 at the graph level, against the same layers in f32."""

import numpy as np
import pytest
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import helper

from ..models import Array, floats, model_of

IMAGE = floats(1, 3, 6, 6)
LAYERS = {
    "Conv": ({}, [IMAGE, floats(4, 3, 3, 3), floats(4)]),
    "AveragePool": ({"kernel_shape": [2, 2]}, [IMAGE]),
    "MaxPool": ({"kernel_shape": [2, 2]}, [IMAGE]),
    "Gemm": ({}, [floats(2, 4), floats(4, 5), floats(5)]),
    "LayerNormalization": ({}, [floats(2, 6), floats(6), floats(6)]),
    "Softmax": ({}, [floats(2, 6)]),
    "Gelu": ({}, [floats(2, 6)]),
    "ReduceMean": ({}, [floats(2, 6)]),
    "CumSum": ({}, [floats(2, 6), np.array(1)]),
    "LSTM": ({"hidden_size": 5}, [floats(3, 2, 4), floats(1, 20, 4), floats(1, 20, 5)]),
    "GRU": ({"hidden_size": 5}, [floats(3, 2, 4), floats(1, 15, 4), floats(1, 15, 5)]),
    "Attention": ({}, [floats(1, 2, 4, 8), floats(1, 2, 5, 8), floats(1, 2, 5, 8)]),
}
ERRORS = {"bfloat16": 2**-6, "float64": 1e-6}
"""Errors by the scale of the result: some roundings to 8 bits, and those of f32."""


@pytest.mark.one_per("op")
@pytest.mark.parametrize("dtype", ERRORS)
@pytest.mark.parametrize("op", LAYERS)
def test_layers(op: str, dtype: str) -> None:
    got = layer(op, dtype, np.dtype(dtype))
    wanted = layer(op, dtype, np.dtype(np.float32))
    assert got.dtype == dtype
    error = np.abs(got.astype(np.float64) - wanted).max()
    assert error <= ERRORS[dtype] * np.abs(wanted).max()


def layer(op: str, rounded: str, dtype: np.dtype[np.generic]) -> Array:
    """The result of a layer on numbers of one type in another."""
    attributes, arrays = LAYERS[op]
    real = {
        f"x{i}": a if a.dtype.kind == "i" else a.astype(rounded).astype(dtype)
        for i, a in enumerate(arrays)
    }
    feeds = {"x0": real["x0"]}
    rest = {name: array for name, array in real.items() if name not in feeds}
    node = helper.make_node(op, list(real), ["y"], **attributes)
    model = model_of([node], feeds, ["y"], rest, opset=25)
    return Session(import_model(model), check=True).run(feeds)["y"]
