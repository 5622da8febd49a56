"""LabelEncoder and OneHotEncoder of numbers; text is refused."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, TensorProto, helper

from ..models import Array, judged, model_of

WHOLE = np.array([[1, 4], [2, 9]], np.int64)
REAL = np.array([[1, 4.6], [np.nan, 9]], np.float32)


def model(op: str, x: Array, **attributes: object) -> ModelProto:
    node = helper.make_node(op, ["x"], ["y"], domain="ai.onnx.ml", **attributes)
    proto = model_of([node], {"x": x}, ["y"])
    proto.opset_import.add(domain="ai.onnx.ml", version=4 if op == "LabelEncoder" else 1)
    return proto


def results(proto: ModelProto, x: Array) -> list[Array]:
    module = import_model(proto)
    return [Session(at, check=True).run({"x": x})["y"] for at in (module, lower(module))]


@pytest.mark.parametrize(
    ("op", "x", "attributes"),
    [
        ("OneHotEncoder", WHOLE, {"cats_int64s": [4, 1, 7]}),
        ("OneHotEncoder", REAL[:1], {"cats_int64s": [4, 1, 7]}),
        ("LabelEncoder", WHOLE, {"keys_int64s": [4, 1], "values_int64s": [7, 8]}),
        (
            *("LabelEncoder", WHOLE),
            {"keys_int64s": [4, 1], "values_floats": [0.5, 0.25], "default_float": 3.0},
        ),
        (
            *("LabelEncoder", REAL),
            {
                "keys_tensor": helper.make_tensor("k", TensorProto.FLOAT, [2], [1.0, 9.0]),
                "values_tensor": helper.make_tensor("v", TensorProto.INT64, [2], [5, 6]),
                "default_tensor": helper.make_tensor("d", TensorProto.INT64, [1], [42]),
            },
        ),
    ],
)
def test_same_as_onnx_runtime(op: str, x: Array, attributes: dict[str, object]) -> None:
    proto = model(op, x, **attributes)
    wanted = judged(proto, {"x": x})["y"]
    for result in results(proto, x):
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(result, wanted)


def test_the_last_of_equal_keys_counts_and_nan_is_a_key() -> None:
    """As ONNX's specification says; ONNX Runtime takes the first key, and knows no NaN."""
    keys, values = [4.0, float("nan"), 9.0, 9.0], [1, 2, 3, 4]
    proto = model("LabelEncoder", REAL, keys_floats=keys, values_int64s=values, default_int64=0)
    for result in results(proto, REAL):
        assert result.tolist() == [[0, 0], [2, 4]]


@pytest.mark.parametrize(
    ("op", "attributes", "problem"),
    [
        ("OneHotEncoder", {"cats_strings": ["a"]}, "attribute 'cats_strings' holds text"),
        ("OneHotEncoder", {"cats_int64s": [1], "zeros": 0}, "attribute 'zeros' is 0, so a cat"),
        ("OneHotEncoder", {}, "Exactly one of 'cats_*' attributes must be provided"),
        ("LabelEncoder", {"keys_int64s": [1], "values_int64s": [1, 2]}, "keys 1 and the number"),
        (
            *("LabelEncoder", {"keys_int64s": [1], "values_strings": ["a"]}),
            "attribute 'values_strings' holds text, which is no tensor of numbers",
        ),
    ],
)
def test_refused(op: str, attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(model(op, WHOLE, **attributes))
    assert problem in caught.value.faults[0].line()
