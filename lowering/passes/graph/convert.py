"""The pass that converts graph ops to native ops, as nodes are added to an HTP graph."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...conversion.convert import convert_module
from ...conversion.ranks.reduce import reduce_ranks
from ...levels import bodies
from ...packages.loading import packages_of
from .fold_empty import FoldEmpty
from .narrow import Narrow


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


BEFORE_CONVERSION: tuple[ModulePass, ...] = (FoldEmpty(), Narrow(), ReduceRanks())
"""The passes that bring a graph to the form that is converted."""


class ConvertToHtp(ModulePass):
    """Graph level to native level: `qti_aisw.X` becomes `htp.X`, params become operands.

    The signature of `@main` stays; a Reshape to rank 4 stands behind every argument and one back
    in front of every result. Raises HtpError with every op that has no native form, and leaves the
    module as it was.
    """

    name = "convert-qti-aisw-to-htp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, packages_of(ctx))
