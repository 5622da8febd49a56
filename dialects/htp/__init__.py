"""The `htp` dialect: what the tensor processor runs. Native ops by family, constants, state."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..place_attr import PlaceAttr
from .base import NativeOp
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
from .ops.const import ConstOp, ShapeOp
from .ops.elementwise import CORE_OF
from .ops.state import StateOp, StateReadOp, StateWriteOp
from .types import ShapeType

__all__ = ["CORE_OF", "HTP", "NATIVE_OPS"]

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
