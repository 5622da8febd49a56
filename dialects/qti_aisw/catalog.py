"""Every graph op, by module and by name."""

from __future__ import annotations

from types import ModuleType

from .base import GraphOp
from .block import buffer, masked_softmax, stateful
from .block.buffer import BufferOp
from .block.masked_softmax import MaskedSoftmaxOp
from .block.stateful import StatefulGruOp, StatefulLstmOp
from .ops import (
    activation,
    convolution,
    elementwise,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
)
from .ops.const import ConstOp

__all__ = [
    "FAMILIES",
    "GRAPH_OPS",
    "BufferOp",
    "ConstOp",
    "MaskedSoftmaxOp",
    "StatefulGruOp",
    "StatefulLstmOp",
]

FAMILIES: tuple[ModuleType, ...] = (
    convolution,
    pool,
    linear,
    elementwise,
    activation,
    norm,
    reduce,
    movement,
    quantize,
    rnn,
    buffer,
    masked_softmax,
    stateful,
)
"""The modules that define graph ops, in the order of the reference."""


def _leaves(family: ModuleType) -> list[type[GraphOp]]:
    """The ops of a module: its classes that have a name of their own."""
    return [
        value
        for value in vars(family).values()
        if isinstance(value, type) and issubclass(value, GraphOp) and "name" in vars(value)
    ]


GRAPH_OPS: dict[str, type[GraphOp]] = {
    op.name.removeprefix("qti_aisw."): op for family in FAMILIES for op in _leaves(family)
}
"""Every graph op but Const by its mnemonic, as in `GRAPH_OPS["Conv2d"]`."""
