"""The pass that equalises the weights of neighbouring layers."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...levels import Level
from ...quantization.equalize import equalize
from ..checks.check_level import check_level


class Equalize(ModulePass):
    """Graph level to graph level: channels of neighbouring layers are scaled to like ranges.

    Neighbours are two layers of constant f32 weights with nothing but Relu and pooling between.
    The graph computes the same, but for rounding; its weights lose less when they are quantised.
    """

    name = "qti-equalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, Level.GRAPH)
        equalize(op)
