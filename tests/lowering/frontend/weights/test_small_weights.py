"""Weights of a byte and less, behind DequantizeLinear or Cast, reach the allocated level."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.preparation import folding
from htp_mlir.runtime import Session
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from ..models import Array, floats, model_of

X = floats(2, 64)
TYPES = ("int4", "uint4", "int2", "uint2", "float4_e2m1fn", "float8_e4m3fn", "float8_e5m2")
OPSET = 25


def weights(dtype: str) -> Array:
    """Numbers that each of the types has."""
    low = 0 if dtype.startswith("u") else -2
    return np.random.default_rng(1).integers(low, 2, (64, 32)).astype(np.float32).astype(dtype)


def blocks(dtype: str, real: type[np.floating] = np.float32) -> ModelProto:
    """A product with weights that have a scale, and integers a zero point, for each 16 rows."""
    scale = (np.abs(floats(4, 32)) + 0.1).astype(real)
    zero = np.ones((4, 32), np.float32).astype(dtype)
    constants = {"w": weights(dtype), "s": scale, "z": zero}
    inputs = ["w", "s", "z"] if "int" in dtype else ["w", "s"]
    nodes = [
        helper.make_node("DequantizeLinear", inputs, ["real"], axis=0, block_size=16),
        helper.make_node("MatMul", ["x", "real"], ["y"]),
    ]
    return model_of(nodes, {"x": X.astype(real)}, ["y"], constants, OPSET)


def half_blocks(dtype: str) -> ModelProto:
    """The same in f16, which is no type of scales that codes have."""
    return blocks(dtype, np.float16)


def halves(dtype: str) -> ModelProto:
    """A product in f16, the weights with a scale for each column."""
    feeds = {"x": X.astype(np.float16)}
    constants = {"w": weights(dtype), "s": np.abs(floats(32)).astype(np.float16)}
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["real"], axis=1),
        helper.make_node("MatMul", ["x", "real"], ["y"]),
    ]
    return model_of(nodes, feeds, ["y"], constants, OPSET)


def cast(dtype: str) -> ModelProto:
    """A product with weights that are converted alone."""
    nodes = [
        helper.make_node("Cast", ["w"], ["real"], to=onnx.TensorProto.FLOAT),
        helper.make_node("MatMul", ["x", "real"], ["y"]),
    ]
    return model_of(nodes, {"x": X}, ["y"], {"w": weights(dtype)}, OPSET)


@pytest.mark.one_per("build")
@pytest.mark.parametrize("most", [folding.MAX_FOLDED, -(2**20)], ids=["folded", "left"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("build", [blocks, half_blocks, halves, cast])
def test_every_level(
    build: Callable[[str], ModelProto], dtype: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there are more of them than the import computes."""
    monkeypatch.setattr(folding, "MAX_FOLDED", most)
    model = build(dtype)
    half = build in (halves, half_blocks)
    feeds = {"x": X.astype(np.float16) if half else X}
    (wanted,) = ReferenceEvaluator(model).run(None, feeds)
    module = import_model(model)
    # Blocks with scales in f32 are codes; other scales are multiplied where nothing is folded.
    assert ("DecodeWeights" in str(module)) is (build is blocks)
    assert ("ElementWiseMultiply" in str(module)) is (half and most < 0)
    # Sums of f16 are rounded once here, and at each step by the evaluator.
    rtol = 2e-3 if half else 1e-5
    for level in (module, lower(module)):
        got = Session(level, check=True).run(feeds)["y"]
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol, atol=rtol * float(np.abs(wanted).max()))


@pytest.mark.parametrize("dtype", TYPES)
def test_packed_external_data(dtype: str, tmp_path: Path) -> None:
    model = blocks(dtype)
    options = {"save_as_external_data": True, "location": "w.bin", "size_threshold": 0}
    onnx.save(blocks(dtype), tmp_path / "m.onnx", **options)
    got = Session(load_module(tmp_path / "m.onnx")).run({"x": X})["y"]
    np.testing.assert_array_equal(got, Session(import_model(model)).run({"x": X})["y"])
