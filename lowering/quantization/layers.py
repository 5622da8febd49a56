"""The layers of a graph whose weights and bias are constants, and new data for these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.qti_aisw import ConstOp, GraphOp, const
from ...dialects.spec_of import spec_of
from ...runtime.functions.support.arrays import Array
from ...runtime.program.boundary import main_function
from .groups import is_real
from .params import WEIGHTS, WEIGHTS_OF, mnemonic

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class WeightedOp:
    """An op with constant f32 weights that nothing else reads."""

    op: GraphOp

    @property
    def kind(self) -> str:
        """The op's name in tables."""
        return mnemonic(self.op)

    @property
    def output_axis(self) -> int:
        """The dim of the weights that is the output channels."""
        return WEIGHTS[self.kind, WEIGHTS_OF[self.kind]]

    @property
    def weights(self) -> Floats:
        """The data of the weights."""
        return _data(getattr(self.op, WEIGHTS_OF[self.kind]))

    @property
    def bias(self) -> Floats | None:
        """The data of a constant bias; None where there is none."""
        bias = self.op.named_operands().get("bias")
        return _data(bias) if bias is not None and _is_own(bias) else None

    def set_weights(self, data: Array) -> None:
        """Give the weights other data."""
        _set(getattr(self.op, WEIGHTS_OF[self.kind]), data)

    def set_bias(self, data: Array) -> None:
        """Give the bias other data."""
        _set(self.op.named_operands()["bias"], data)


def layers_of(module: ModuleOp) -> Iterator[WeightedOp]:
    """Yield the layers of a graph in the order of its ops."""
    for op in main_function(module).body.block.ops:
        slot = WEIGHTS_OF.get(mnemonic(op)) if isinstance(op, GraphOp) else None
        if isinstance(op, GraphOp) and slot is not None and _is_own(getattr(op, slot)):
            yield WeightedOp(op)


def _is_own(value: SSAValue) -> bool:
    """Tell whether a tensor is an f32 constant with one reader."""
    return isinstance(value.owner, ConstOp) and is_real(value) and len([*value.uses]) == 1


def _data(value: SSAValue) -> Floats:
    if not isinstance(value.owner, ConstOp):
        raise TypeError("the tensor is no constant")
    return np.asarray(value.owner.array, np.float32)


def _set(value: SSAValue, data: Array) -> None:
    old = value.owner
    if isinstance(old, ConstOp):
        new = const(data.astype(np.float32), spec_of(value))
        new.location = old.location
        new.results[0].name_hint = value.name_hint
        Rewriter.replace_op(old, new)
