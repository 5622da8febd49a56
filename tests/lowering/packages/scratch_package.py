"""A package for tests whose kernels have scratch: each row divided by one and its energy."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from htp_mlir.dialects.htp import NativeOp, TensorSpec, tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    EARLY,
    FROM_DEFAULT_PACKAGE,
    OK,
    Flat,
    Op,
    Tcm,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import (
    Array,
    Cost,
    KernelSet,
    Operand,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    Sizes,
)


class Damp(NativeOp):
    """out = in / (1 + sum of in^2 over the depth)."""

    name = "ScratchPkg.Damp"

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


KERNELS = KernelSet("ScratchPkg")
F32 = TypeVar("F32", PlainFloatTensor, PlainFloatTensor_TCM)


def sizes(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Sizes:
    """Squares of the shape of the result, and one sum per row: fewer dims than four."""
    _, height, width, _ = outputs[0].shape
    return {"squares": outputs[0].shape, "sums": (height, width, 1)}


@KERNELS.kernel("Damp", cost=Cost.SNAIL, scratch=sizes)
def rows(out: F32, in_: F32, *, squares: F32, sums: PlainFloatTensor) -> None:
    np.multiply(in_.array, in_.array, out=squares.array)
    np.sum(squares.array, axis=3, keepdims=True, out=sums.array)
    sums.array[...] += 1
    np.divide(in_.array, sums.array, out=out.array)


def damped(x: Array) -> Array:
    """What the op does, by a plain formula."""
    return x / (1 + (x * x).sum(axis=-1, keepdims=True))


PACKAGE = op_package(
    "ScratchPkg",
    ops=[Damp],
    kernels=[KERNELS],
    properties=[tensor_properties(Op("Damp", "in"), Flat("..."), Tcm("*", "in"))],
    rules=[rule(EARLY, Op(FROM_DEFAULT_PACKAGE("Sigmoid"), "X"), OK, Op("Damp", "X"))],
)
