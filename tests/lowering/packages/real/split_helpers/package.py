"""The helpers that split, and slices by shape functions."""

from pathlib import Path

import numpy as np
from htp_mlir.dialects.htp import NativeOp, TensorSpec, tensor_def
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.op("Bump", "in[b, h, w, d], row[0, 0, 0, d?]", in_=tensor_def(), row=tensor_def())
def bump(out: Tensor, act: Tensor, row: Tensor) -> None:
    out.store(act.load() + row.load())


def turned(op: NativeOp) -> TensorSpec:
    batch, height, width, depth = op.dims("in")
    return op.computed(op.like("in").with_shape((batch, width, height, depth)))


@bodies.op("Turn", turned, in_=tensor_def())
def turn(out: Tensor, act: Tensor) -> None:
    out.store(act.load().transpose(0, 2, 1, 3))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return x.transpose(0, 2, 1, 3) + np.float32(0.5)
