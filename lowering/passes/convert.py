"""The pass that converts graph ops to native ops, as nodes are added to an HTP graph."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..conversion.convert import convert_module
from ..packages.loading import packages_of
from .graph.fold_empty import FoldEmpty
from .graph.narrow import Narrow
from .graph.reduce_ranks import ReduceRanks

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
