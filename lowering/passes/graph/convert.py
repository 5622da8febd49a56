"""The pass that converts graph ops to native ops, as nodes are added to an HTP graph.

Passes in front of it take out ops on tensors without elements and bring the others to rank 4.
"""

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure

from ....dialects.dense import Array
from ....dialects.diagnostics import HtpError
from ....dialects.locations import location_of
from ....dialects.qti_aisw import ConstOp, GraphOp, const
from ....dialects.spec_of import spec_of
from ....runtime.kernel.library import graph_operands
from ....runtime.kernels.semantics.reference import GRAPH
from ...conversion.convert import convert_module
from ...conversion.ranks.reduce import reduce_ranks
from ...levels import bodies
from ...packages.loading import packages_of
from ..checks.check_level import note_lowered
from .floats import Narrow


class FoldEmpty(ModulePass):
    """Graph level to graph level: ops on tensors without elements become constants.

    An op whose results have no elements computes nothing. One that reads such a tensor, and else
    only constants, has a constant result: a sum over nothing is 0. Any other op stays, with the
    error that it may be at run time.
    """

    name = "qti-fold-empty"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_lowered(op)
        for block in bodies(op):
            for inner in list(block.ops):
                if isinstance(inner, GraphOp) and inner.has_trait(Pure):
                    _fold(inner)


def _fold(op: GraphOp) -> None:
    specs = [spec_of(result) for result in op.results]
    if not any(map(_is_empty, (*op.operands, *op.results))):
        return
    arrays = [np.zeros(spec.shape, spec.dtype.storage) for spec in specs]
    values = arrays if all(map(_is_empty, op.results)) else _value(op)
    if values is not None:
        constants = [const(array, spec) for array, spec in zip(values, specs, strict=True)]
        for constant in constants:
            constant.location = location_of(op)
        Rewriter.replace_op(op, constants, [constant.results[0] for constant in constants])


def _value(op: GraphOp) -> list[Array] | None:
    """Compute an op over empty tensors and constants; None for any other, or where it fails."""
    evaluate = GRAPH.get(op.name.rpartition(".")[2])
    operands = [None if value is None else _stored(value) for _, value in graph_operands(op)]
    if evaluate is None or any(_stored(value) is None for value in op.operands):
        return None
    try:
        return list(evaluate(op, operands))
    except (HtpError, ValueError, IndexError, ArithmeticError):
        return None


def _stored(value: SSAValue) -> Array | None:
    """Return the stored values of an empty tensor or of a constant."""
    if isinstance(value.owner, ConstOp):
        return value.owner.array
    spec = spec_of(value)
    return np.zeros(spec.shape, spec.dtype.storage) if _is_empty(value) else None


def _is_empty(value: SSAValue) -> bool:
    return spec_of(value).elements == 0


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
        note_lowered(op)
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
