"""The pass that brings graph ops on tensors of rank above 4 to rank 4."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...conversion.ranks.reduce import reduce_ranks
from ...levels import bodies


class ReduceRanks(ModulePass):
    """Graph level to graph level: ops on tensors of rank above 4 become ops of rank 4 or less.

    Neighbouring dims that move together are merged, dims of extent 1 go, and Reshapes stand around
    the op. Where more than four dims are left, the op becomes several: a Transpose moves blocks of
    dims one after the other; a slice, a padding or a repetition takes dim after dim; a reduction
    takes its dims as the last ones; an operand that broadcasts is repeated. Reshapes keep any rank,
    and so does the signature.
    """

    name = "qti-reduce-ranks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            reduce_ranks(block)
