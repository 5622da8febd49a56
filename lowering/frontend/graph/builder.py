"""Graph ops from an importer's view: emitted one by one, with constants and moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.dense import Array
from ....dialects.qti_aisw.base import Operand
from ....dialects.spec_of import spec_of
from ....dialects.value.dtypes import DType
from .emitter import Emitter, Param


class GraphBuilder:
    """Appends graph ops for the node at hand."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def emit(self, name: str, *operands: Operand, **params: Param) -> SSAValue:
        """Return the one result of a new graph op."""
        (result,) = self.emitter.emit(name, operands, params)
        return result

    def emit_all(self, name: str, *operands: Operand, **params: Param) -> list[SSAValue]:
        """Return all results of a new graph op."""
        return self.emitter.emit(name, operands, params)

    def const(self, array: Array) -> SSAValue:
        """Return a constant; equal ones are one op."""
        return self.emitter.const(array)

    def scalar(self, value: float, like: SSAValue) -> SSAValue:
        """Return a scalar constant of the dtype of another value."""
        return self.const(np.asarray(value, spec_of(like).dtype.storage))

    def shape(self, value: SSAValue) -> tuple[int, ...]:
        """Return the shape of a value."""
        return spec_of(value).shape

    def dtype(self, value: SSAValue) -> DType:
        """Return the dtype of a value."""
        return spec_of(value).dtype

    def reshape(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Return the value under another shape; nothing new where the shape is the same."""
        return self.emitter.reshape(value, tuple(shape))

    def transpose(self, value: SSAValue, perm: Sequence[int]) -> SSAValue:
        """Return the value with its dims in another order; itself where the order is the same."""
        return self.emitter.transpose(value, tuple(perm))
