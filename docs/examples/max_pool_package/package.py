"""An op package in one file: a max pool with kernels of its own, tiled over depth."""

from collections.abc import Sequence
from typing import TypeVar

from htp_mlir.dialects.htp import NativeOp, TensorSpec, access, shape_def, tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    DIM_DEPTH,
    EARLY,
    FROM_DEFAULT_PACKAGE,
    GT,
    OK,
    TYPICAL_SLICE,
    Crouton,
    Op,
    Tcm,
    rule,
    tensor_properties,
)
from htp_mlir.runtime import (
    Array,
    Cost,
    FloatCroutonTensor_TCM,
    KernelSet,
    Operand,
    QUint8CroutonTensor_TCM,
    ShapeParam,
    Tensor,
)
from numpy.lib.stride_tricks import sliding_window_view

NAME = "MaxPoolPackage"


# The op: what it takes and what its result looks like.


class MaxPoolValid(NativeOp):
    """out = the largest element of each window of act [b, h, w, c]; no padding."""

    name = f"{NAME}.MaxPool_valid"

    # What element b, h, w, d of the result reads: a window, i by j. The result follows from this.
    ACCESS = access("act[b, h*stride.1+i, w*stride.2+j, d]", i="window.1", j="window.2")

    act = tensor_def()
    window = shape_def(plane=True)
    stride = shape_def(plane=True)


# Step 1: what the op does. Step 2: what each implementation takes and costs.

KERNELS = KernelSet(NAME)
Croutons = TypeVar("Croutons", FloatCroutonTensor_TCM, QUint8CroutonTensor_TCM)


def pooled(act: Array, window: ShapeParam, stride: ShapeParam) -> Array:
    """The largest element of each window."""
    (_, height, width, _), (_, down, across, _) = window.dims, stride.dims
    windows = sliding_window_view(act, (height, width), axis=(1, 2))
    return windows[:, ::down, ::across].max(axis=(-2, -1))


@KERNELS.kernel("MaxPool_valid")
def reference(out: Tensor, act: Tensor, window: ShapeParam, stride: ShapeParam) -> None:
    """Any tensors, from main memory: GLACIAL."""
    out.store(pooled(act.load(), window, stride))


@KERNELS.kernel("MaxPool_valid", cost=Cost.SNAIL)
def in_croutons(out: Croutons, act: Croutons, window: ShapeParam, stride: ShapeParam) -> None:
    """Croutons in TCM, one function for two dtypes."""
    out.store(pooled(act.load(), window, stride))


def separable_cost(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
    """Two passes pay where the window has more than one row and more than one column."""
    window = operands[1]
    wide = isinstance(window, ShapeParam) and min(window.dims[1:3]) > 1
    return Cost.FAST.value if wide else 2 * Cost.SNAIL.value


@KERNELS.kernel("MaxPool_valid", cost=separable_cost)
def separable(
    out: FloatCroutonTensor_TCM,
    act: FloatCroutonTensor_TCM,
    window: ShapeParam,
    stride: ShapeParam,
) -> None:
    """First down the columns, then along the rows."""
    (_, height, width, _), (_, down, across, _) = window.dims, stride.dims
    rows = pooled(act.load(), ShapeParam((1, height, 1, 1)), ShapeParam((1, down, 1, 1)))
    out.store(pooled(rows, ShapeParam((1, 1, width, 1)), ShapeParam((1, 1, across, 1))))


# Step 3: where the tensors are to be. What is not named is the system's choice.

PROPERTIES = tensor_properties(
    Op("MaxPool_valid", "Act", "W", "S"), Crouton("*", "Act"), Tcm("*", "Act")
)

# Rules: the native op becomes ours, and ours is tiled over depth.

TAKE_OVER = rule(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "Act", "W", "S"),
    OK,
    Op("MaxPool_valid", "Act", "W", "S"),
    name="take over",
)
TILE = rule(
    EARLY + 4,
    Op("MaxPool_valid", "Act", "W", "S"),
    GT(DIM_DEPTH("*"), 32),
    AUTOSPLIT(3, "I", 32, Op("MaxPool_valid", TYPICAL_SLICE("Act", "I"), "W", "S")),
    name="tile over depth",
)

PACKAGE = op_package(
    NAME,
    ops=[MaxPoolValid],
    kernels=[KERNELS],
    properties=[PROPERTIES],
    rules=[TAKE_OVER, TILE],
)
