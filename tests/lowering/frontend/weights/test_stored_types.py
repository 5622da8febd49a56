"""QuantizeLinear and DequantizeLinear of types and scales that no encoding says, at run time."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from ..models import (
    Array,
    Arrays,
    floats,
    model_of,
)

OPSET = 25
X = floats(4, 6) * 3
INTEGERS = ("int4", "uint4", "int2", "uint2", "int8", "uint16")
FLOATS = ("float8_e4m3fn", "float8_e5m2fnuz", "float4_e2m1fn")
SCALES = {
    "tensor": (np.float32(0.4), {}),
    "axis": (np.array([0.3, 0.5, 1, 0.7], np.float32), {"axis": 0}),
    "blocks": (np.abs(floats(4, 2)) + 0.2, {"axis": 1, "block_size": 3}),
    "a short block": (np.abs(floats(4, 2)) + 0.2, {"axis": -1, "block_size": 4}),
}


def there_and_back(
    dtype: str, scale: Array, fixed: bool, attributes: dict[str, object]
) -> tuple[ModelProto, Arrays]:
    """QuantizeLinear, and DequantizeLinear of its result, with scales as constants or inputs."""
    zero = np.ones(np.shape(scale), np.float32) if "int" in dtype else np.zeros(np.shape(scale))
    arrays = {"s": np.asarray(scale), "z": zero.astype(dtype)}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], **attributes),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], **attributes),
    ]
    feeds = {"x": X} if fixed else {"x": X, **arrays}
    return model_of(nodes, feeds, ["q", "y"], arrays if fixed else {}, OPSET), feeds


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("fixed", [True, False], ids=["constant", "computed"])
@pytest.mark.parametrize("form", SCALES)
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_there_and_back(dtype: str, form: str, fixed: bool) -> None:
    model, feeds = there_and_back(dtype, SCALES[form][0], fixed, SCALES[form][1])
    got = Session(import_model(model), check=True).run(feeds)
    for name, wanted in zip("qy", ReferenceEvaluator(model).run(None, feeds), strict=True):
        assert got[name].dtype == wanted.dtype
        np.testing.assert_array_equal(got[name], wanted, err_msg=name)


@pytest.mark.parametrize("fixed", [True, False], ids=["constant", "computed"])
@pytest.mark.parametrize("form", ["blocks", "a short block"])
def test_blocks_of_bytes_are_lowered(form: str, fixed: bool) -> None:
    model, feeds = there_and_back("int8", SCALES[form][0], fixed, SCALES[form][1])
    module = import_model(model)
    wanted, got = (Session(m, check=True).run(feeds) for m in (module, lower(module)))
    for name in wanted:
        np.testing.assert_array_equal(got[name], wanted[name])


@pytest.mark.parametrize("saturate", [1, 0])
def test_numbers_past_the_largest_8_bit_float(saturate: int) -> None:
    feeds = {"x": np.array([1e6, -1e6, 3], np.float32)}
    constants = {"s": np.float32(0.5), "z": np.array(0, "float8_e5m2")}
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], saturate=saturate)
    most = 57344 if saturate else np.inf
    got = Session(import_model(model_of([node], feeds, ["y"], constants, OPSET))).run(feeds)["y"]
    assert got.astype(np.float32).tolist() == [most, -most, 6]


@pytest.mark.parametrize("dtype", ["int4", "int8"])
@pytest.mark.parametrize(("kind", "wanted"), [("FLOAT", 1), ("FLOAT16", 0)])
def test_the_quotient_has_the_stated_precision(dtype: str, kind: str, wanted: int) -> None:
    """In f16 it is 0.5, which rounds to the even 0; in f32 it is more."""
    feeds = {"x": np.array([0.50002], np.float32)}
    constants = {"s": np.array(1, np.float32), "z": np.array(0, dtype)}
    precision = TensorProto.DataType.Value(kind)
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], precision=precision)
    model = model_of([node], feeds, ["y"], constants, OPSET)
    assert ReferenceEvaluator(model).run(None, feeds)[0].tolist() == [wanted]
    assert Session(import_model(model)).run(feeds)["y"].tolist() == [wanted]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_floats_other_than_f32(dtype: str) -> None:
    """A constant scale and bytes, which would be an encoding for f32."""
    feeds = {"x": X.astype(dtype)}
    constants = {"s": np.array(0.25, dtype), "z": np.array(3, np.int8)}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"]),
    ]
    model = model_of(nodes, feeds, ["q", "y"], constants, OPSET)
    got = Session(import_model(model), check=True).run(feeds)
    for name, wanted in zip("qy", ReferenceEvaluator(model).run(None, feeds), strict=True):
        assert got[name].dtype == wanted.dtype
        np.testing.assert_array_equal(got[name], wanted, err_msg=name)


@pytest.mark.parametrize(
    ("scale", "attributes", "problem"),
    [
        (floats(3), {"axis": 0}, "input 1 has shape 3, dim 0 has 4"),
        (floats(4), {"axis": 2}, "attribute 'axis' is 2, the rank is 2"),
        (floats(4, 2), {"block_size": 2}, "input 1 has shape 4x2, blocks of 2 make 4x3"),
        (floats(4, 2), {"block_size": -1}, "attribute 'block_size' is -1"),
    ],
)
def test_scales_that_do_not_fit(scale: Array, attributes: dict[str, object], problem: str) -> None:
    node = helper.make_node("DequantizeLinear", ["q", "s"], ["y"], **attributes)
    feeds = {"q": np.zeros((4, 6), "int4"), "s": scale}
    with pytest.raises(HtpError, match=problem):
        import_model(model_of([node], feeds, ["y"], opset=OPSET))


def test_constants_that_do_not_fit() -> None:
    """Where all is constant, ONNX's evaluator is asked."""
    constants = {"q": np.zeros((4, 6), "int4"), "s": floats(4, 1)}
    nodes = [
        helper.make_node("DequantizeLinear", ["q", "s"], ["d"]),
        helper.make_node("Add", ["x", "d"], ["y"]),
    ]
    with pytest.raises(HtpError, match="its constant inputs cannot be evaluated: they do not fit"):
        import_model(model_of(nodes, {"x": X}, ["y"], constants, OPSET))
