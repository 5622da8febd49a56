"""Inputs and outputs as the vendor's converter makes them: the same numbers, and fewer bytes."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.graph.convert import VendorIo
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.loading import parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

STEP = 0.5
PLAIN, TURNED = "tensor<1x8x16x4xEL>", "tensor<1x16x4x8xEL>"


def module(element: str) -> ModuleOp:
    """A channels-last Sigmoid whose caller has f32 in channels first."""
    plain, turned = PLAIN.replace("EL", element), TURNED.replace("EL", element)
    return parse_module(f"""
func.func @main(%x: tensor<1x8x16x4xf32> {{htp.name = "x"}})
    -> (tensor<1x8x16x4xf32> {{htp.name = "y"}}) {{
  %0 = qti_aisw.Quantize(%x) {{to = {element}}} : (tensor<1x8x16x4xf32>) -> {plain}
  %1 = qti_aisw.Transpose(%0) {{perm = array<i64: 0, 2, 3, 1>}} : ({plain}) -> {turned}
  %2 = qti_aisw.Relu(%1) : ({turned}) -> {turned}
  %3 = qti_aisw.Transpose(%2) {{perm = array<i64: 0, 3, 1, 2>}} : ({turned}) -> {plain}
  %4 = qti_aisw.Dequantize(%3) : ({plain}) -> tensor<1x8x16x4xf32>
  func.return %4 : tensor<1x8x16x4xf32>
}}""")


def as_vendor(source: ModuleOp) -> ModuleOp:
    other = source.clone()
    VendorIo().apply(Context(), other)
    other.verify()
    return other


def result(lowered: ModuleOp, x: Array) -> Array:
    y = Session(lowered, check=True).run({"x": x})["y"]
    assert y is not None
    return y


@pytest.mark.parametrize(("bits", "zero"), [(8, 128), (16, 32768)])
def test_the_numbers_are_those_of_the_caller_who_converts(bits: int, zero: int) -> None:
    source = module(f"!quant.uniform<u{bits}:f32, {STEP}:{zero}>")
    stored = np.random.default_rng(3).integers(zero - 99, zero + 99, (1, 16, 4, 8))
    stored = stored.astype(f"u{bits // 8}")
    floats = ((stored.astype(np.float32) - zero) * STEP).transpose(0, 3, 1, 2)
    expected = result(lower(source), floats)
    own = result(lower(as_vendor(source)), stored)
    assert own.dtype == stored.dtype
    back = ((own.astype(np.float32) - zero) * STEP).transpose(0, 3, 1, 2)
    np.testing.assert_array_equal(back, expected)


def test_what_the_callers_form_costs_is_gone() -> None:
    source = module("!quant.uniform<u8:f32, 0.5:128>")
    before, after = lower(source), lower(as_vendor(source))
    assert least_traffic(before) - least_traffic(after) >= 2 * 3 * 8 * 16 * 4
    assert traffic(before).bytes - traffic(after).bytes >= 2 * 3 * 8 * 16 * 4
