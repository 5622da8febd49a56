"""Copies placed by hand in a chain of rules; the kernels are of concrete classes in TCM."""

from pathlib import Path

import numpy as np
from htp_mlir.dialects.htp import tensor_def
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp
from htp_mlir.runtime import Tensor

bodies = Bodies()


@bodies.op("Square", "in", in_=tensor_def())
@bodies.op("Square.tcm", "in", in_=tensor_def())
def square(out: Tensor, act: Tensor) -> None:
    out.store(act.load() ** 2)


@bodies.op(
    "SquareAdd.tcm", "in[b, h, w, d], other[b, h, w, d]", in_=tensor_def(), other=tensor_def()
)
def square_add(out: Tensor, act: Tensor, other: Tensor) -> None:
    out.store(act.load() ** 2 + other.load())


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)


def expected(x: np.ndarray) -> np.ndarray:
    return (x * x) ** 2 + x
