"""Quantised tables: one op makes the table of the encodings, another looks up in it."""

from pathlib import Path

import numpy as np
from htp_mlir.dialects.htp import NativeOp, TensorSpec, tensor_def
from htp_mlir.dialects.value.dtypes import Kind
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp, result
from htp_mlir.runtime import Tensor

bodies = Bodies()


def curve(x: np.ndarray) -> np.ndarray:
    return x * np.abs(x) / 4


@bodies.op("Curve", "in", in_=tensor_def())
def run_curve(out: Tensor, act: Tensor) -> None:
    out.store(curve(act.load()))


def whole_table(op: NativeOp) -> TensorSpec:
    return op.computed(op.like("in").with_shape((1, 1, 1, 256)))


@bodies.op("MakeTable", whole_table, in_=tensor_def(Kind.QUANTIZED))
def make_table(table: Tensor, act: Tensor) -> None:
    quant = act.spec.quant
    assert quant is not None
    numbers = (np.arange(256) - quant.zero_point) * np.float32(quant.scale)
    table.store(curve(numbers.reshape(1, 1, 1, 256)))


@bodies.op(
    "LookUp",
    result("in[b, h, w, d], table[0, 0, 0, t]", Kind.QUANTIZED),
    in_=tensor_def(Kind.QUANTIZED),
    table=tensor_def(Kind.QUANTIZED),
)
def look_up(out: Tensor, act: Tensor, table: Tensor) -> None:
    if table.shape != (1, 1, 1, 256):
        raise ValueError(f"a table has 256 numbers, not {table.shape}")
    out.store_raw(table.stored().reshape(-1)[act.stored()])


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    real = curve((x.astype(np.float64) - 128) * 0.05)
    return np.clip(np.rint(real / 0.1) + 120, 0, 255).astype(np.uint8)
