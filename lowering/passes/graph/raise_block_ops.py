"""The pass that finds block ops in what an ordinary model has."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from ....dialects.faults.notes import note
from ....runtime.passes.run import run_passes
from ...patterns.raising import BLOCK_OPS
from ...patterns.raising.threads import keep_states, restore_layers
from .raise_ops import Raise
from .rules import RunRules


@dataclass(frozen=True)
class RaiseBlockOps(ModulePass):
    """Find MaskedSoftmax, StatefulGru and StatefulLstm in a graph, and what `qti-raise` finds.

    A softmax becomes MaskedSoftmax where its mask is of whole numbers or chooses columns, also one
    that `qti-raise`, if it runs before this pass, puts into an Attention. A Gru or
    Lstm whose state is an input and an output of the model keeps it: the input counts in the first
    inference, and where `reset`, the name of a new input, is true. Each layer that stays unchanged
    has a note on standard error; `htp rules explain` says why a softmax stays. What a tool wrote
    out of the bodies that our exporters write becomes the block op again, but for Buffer.
    """

    name = "qti-raise-block-ops"

    tcm_bytes: int = 8 << 20
    reset: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = RunRules(str(BLOCK_OPS), str(BLOCK_OPS), self.tcm_bytes)
        # First of all, as an Attention would take the softmax in.
        joined = CommonSubexpressionElimination()
        run_passes(ctx, op, (joined, rules, Raise(self.tcm_bytes), rules))
        restore_layers(op)
        for fault in keep_states(op, self.reset):
            note(fault)
