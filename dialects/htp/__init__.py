"""The `htp` dialect, which the tensor processor runs: native ops by family, constants, state.

The other public names are those that native ops of packages are written with.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from ..checks import require, text
from ..place_attr import PlaceAttr
from ..value.dtypes import DType
from ..value.place import FLAT_DDR, LayoutKind, Memory
from ..value.spec import TensorSpec, spec_of
from .base import NativeOp
from .guards import is_number, is_scalar, same_type
from .ops import (
    activation,
    buffer,
    conv_layer,
    convolution,
    copies,
    elementwise,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
    slices,
    transfers,
)
from .ops.const import ConstOp, ShapeOp, constant_array
from .ops.elementwise import CORE_OF, BinaryOp, UnaryOp
from .ops.state import StateOp, StateReadOp, StateWriteOp
from .types import ShapeType
from .windows import valid_hw, window_dims

__all__ = [
    "CORE_OF",
    "FLAT_DDR",
    "HTP",
    "NATIVE_OPS",
    "BinaryOp",
    "DType",
    "LayoutKind",
    "Memory",
    "NativeOp",
    "TensorSpec",
    "UnaryOp",
    "constant_array",
    "is_number",
    "is_scalar",
    "require",
    "same_type",
    "spec_of",
    "text",
    "valid_hw",
    "window_dims",
]

_FAMILIES: tuple[tuple[type[NativeOp], ...], ...] = (
    elementwise.OPS,
    activation.OPS,
    convolution.OPS,
    conv_layer.OPS,
    pool.OPS,
    linear.OPS,
    norm.OPS,
    reduce.OPS,
    movement.OPS,
    slices.OPS,
    quantize.OPS,
    rnn.OPS,
    buffer.OPS,
    copies.OPS,
    transfers.OPS,
)

NATIVE_OPS: dict[str, type[NativeOp]] = {op.mnemonic(): op for ops in _FAMILIES for op in ops}
"""Every native op by its mnemonic: `ConvLayer_valid`, `ConvLayer.opt.im2col_stride2`."""

HTP = Dialect(
    "htp",
    [*NATIVE_OPS.values(), ConstOp, ShapeOp, StateOp, StateReadOp, StateWriteOp],
    [PlaceAttr, ShapeType],
)
