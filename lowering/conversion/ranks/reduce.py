"""Brings the ops of a block to rank 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Attribute, Block, Operation

from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.qti_aisw.params import bool_attr, int_attr, ints_attr
from ....dialects.spec_of import spec_of
from ....dialects.value.layout import RANK
from .dims import Merged
from .letters import LETTERS, NEUTRAL, per_dim
from .rewrite import Rewrite
from .steps import SPLITS


def reduce_ranks(block: Block) -> None:
    """Rewrite each op above rank 4 whose dims are known to merge; others stay unchanged."""
    for op in list(block.ops):
        _reduce(op)


def way_to_rank_4(op: GraphOp) -> str:
    """Return the remedy for an op that has a tensor of a rank above 4."""
    if op.name not in LETTERS:
        return f"the dims of {op.name} do not merge; reshape to rank 4 in the model"
    if _per_axis(op):
        return "quantise it per tensor, or reshape to rank 4 in the model"
    return "run qti-reduce-ranks before, as htp-lower does"


def _per_axis(op: GraphOp) -> bool:
    quants = (spec_of(value).quant for value in (*op.operands, *op.results))
    return any(quant is not None and quant.axis is not None for quant in quants)


def _reduce(op: Operation) -> None:
    if not isinstance(op, GraphOp):
        return
    if all(spec_of(value).rank <= RANK for value in (*op.operands, *op.results)):
        return
    if isinstance(op, ReshapeOp) and isinstance(op.inp.owner, ReshapeOp):
        Rewrite(op).finish([op.inp])  # one Reshape for all in a row
    if op.name not in LETTERS or _per_axis(op):
        return
    merged = LETTERS[op.name](op).merged(RANK)
    if merged.rank <= RANK:
        _rebuild(op, merged)
        return
    for step in SPLITS[op.name](op, merged):
        _reduce(step)


def _rebuild(op: GraphOp, merged: Merged) -> None:
    """Let the op work on merged dims, between Reshapes."""
    rewrite = Rewrite(op)
    count = len(op.operands)
    operands = [
        rewrite.reshape(value, merged.shape(tensor)) for tensor, value in enumerate(op.operands)
    ]
    results = [
        spec_of(result).with_shape(merged.shape(count + index))
        for index, result in enumerate(op.results)
    ]
    params = {name: PARAMS[name](op, merged) for name in op.params() if name in PARAMS}
    rewrite.finish(rewrite.same(operands, params, results))


def _axis(op: GraphOp, merged: Merged) -> Attribute:
    axis = op.int_param("axis") % spec_of(op.operands[0]).rank
    return int_attr(merged.position(axis))


def _axes(op: GraphOp, merged: Merged) -> Attribute:
    rank = spec_of(op.operands[0]).rank
    return ints_attr(sorted({merged.position(axis % rank) for axis in op.ints_param("axes")}))


def _perm(op: GraphOp, merged: Merged) -> Attribute:
    source, result = merged.tensors
    return ints_attr([source.index(group) for group in result])


def _per_dim(name: str) -> Callable[[GraphOp, Merged], Attribute]:
    def values(op: GraphOp, merged: Merged) -> Attribute:
        rows, named = per_dim(op, name), merged.dims.named
        sizes = zip(merged.tensors[0], merged.shape(0), strict=True)
        moved = [
            rows[group[0]] if group[0] in named else NEUTRAL[name](size) for group, size in sizes
        ]
        return ints_attr([number for row in moved for number in row])

    return values


PARAMS: Mapping[str, Callable[[GraphOp, Merged], Attribute]] = {
    "axis": _axis,
    "axes": _axes,
    "perm": _perm,
    "keep_dims": lambda op, merged: bool_attr(True),
    **{name: _per_dim(name) for name in NEUTRAL},
}
"""The value of each param that speaks of dims, once they are merged."""
