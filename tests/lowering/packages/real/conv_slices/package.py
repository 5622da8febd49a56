"""A convolution with an optional bias and a shape as stride, declared by its access map."""

from pathlib import Path

import numpy as np
from htp_mlir.dialects.htp import shape_def, tensor_def
from htp_mlir.lowering.packages import Bodies, from_cpp, load_cpp, optional
from htp_mlir.runtime import Tensor
from htp_mlir.runtime.tensors.tensors import ShapeParam

bodies = Bodies()


def windows(act: np.ndarray, weights: np.ndarray, rows: int, columns: int) -> np.ndarray:
    view = np.lib.stride_tricks.sliding_window_view(act, weights.shape[:2], axis=(1, 2))
    return np.einsum("bhwcij,ijcd->bhwd", view[:, ::rows, ::columns], weights)


@bodies.op(
    "Conv",
    "act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d] + bias[0, 0, 0, d]",
    act=tensor_def(),
    weights=tensor_def(),
    bias=optional(tensor_def()),
    stride=shape_def(plane=True),
)
def conv(out: Tensor, act: Tensor, weights: Tensor, *rest: Tensor | ShapeParam) -> None:
    *bias, stride = rest
    assert isinstance(stride, ShapeParam)
    sums = windows(act.load(), weights.load(), *stride.dims[1:3])
    out.store(sums + sum(b.load() for b in bias if isinstance(b, Tensor)))


READ, SUMMARY = load_cpp(Path(__file__).with_name("package.cpp"))
PACKAGE = from_cpp(READ, bodies)
WEIGHTS = np.full((3, 3, 4, 40), 0.25, np.float32)


def expected(x: np.ndarray) -> np.ndarray:
    return windows(x, WEIGHTS, 1, 2) + np.float32(0.5)
