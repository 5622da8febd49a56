"""The pass that makes one graph op of the many that exporters write for it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from .rules import RunRules


@dataclass(frozen=True)
class Raise(ModulePass):
    """Find the graph ops that a model spells out: norms, Softmax, activations, Attention.

    Equal ops become one first. Then the rules of the pass groups from PRE_TRANSLATE up to QNN run
    on the graph. What computes a value that something else reads stays, and so does a norm of which
    no tile fits a TCM of `tcm-bytes`.
    """

    name = "qti-raise"

    tcm_bytes: int = 8 << 20

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CommonSubexpressionElimination().apply(ctx, op)
        RunRules("PRE_TRANSLATE", "QNN-1", self.tcm_bytes).apply(ctx, op)
