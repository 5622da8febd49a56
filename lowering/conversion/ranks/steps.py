"""Ops whose dims do not merge to rank 4, each as a sequence of ops that merge further.

No step computes anything twice or in another precision: a reduction stays one reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from ....dialects.qti_aisw import GRAPH_OPS
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.elementwise import Binary
from ....dialects.qti_aisw.params import bool_attr, ints_attr
from ....dialects.spec_of import spec_of
from ....dialects.value.layout import RANK
from .dims import Merged
from .letters import NEUTRAL, per_dim
from .order import first_move
from .rewrite import Rewrite

Split = Callable[[GraphOp, Merged], list[GraphOp]]
"""Replaces an op by several and returns these."""


def _two_moves(op: GraphOp, merged: Merged) -> list[GraphOp]:
    """A Transpose moves four blocks of dims, then the rest."""
    rewrite, (source, result) = Rewrite(op), merged.tensors
    value = rewrite.reshape(op.operands[0], merged.shape(0))
    for perm in first_move([source.index(group) for group in result], RANK):
        value = rewrite.emit("Transpose", value, {"perm": ints_attr(perm)})
    return rewrite.finish([value])


def _dim_by_dim(op: GraphOp, merged: Merged) -> list[GraphOp]:
    """A slice, a padding or a repetition takes one dim after the other."""
    rewrite, value = Rewrite(op), op.operands[0]
    (name,) = NEUTRAL.keys() & op.params().keys()
    rows, kept = per_dim(op, name), dict(op.properties)
    for dim in sorted(merged.dims.named):
        shape = spec_of(value).shape
        values = [rows[d] if d == dim else NEUTRAL[name](n) for d, n in enumerate(shape)]
        param = {name: ints_attr([number for row in values for number in row])}
        value = rewrite.emit(op.name.rpartition(".")[2], value, {**kept, **param})
    return rewrite.finish([value])


def _along_last(op: GraphOp, merged: Merged) -> list[GraphOp]:
    """A reduction or a normalisation takes its dims as the last ones."""
    rewrite, shape = Rewrite(op), spec_of(op.operands[0]).shape
    along = sorted(merged.dims.named)
    perm = (*(dim for dim in range(len(shape)) if dim not in along), *along)
    value = rewrite.emit("Transpose", op.operands[0], {"perm": ints_attr(perm)})
    spec = spec_of(op.results[0]).with_shape(tuple(merged.dims.shapes[-1][dim] for dim in perm))
    axes = ints_attr(range(len(shape) - len(along), len(shape)))
    kept = {"keep_dims": bool_attr(True)} if "keep_dims" in op.params() else {}
    (value,) = rewrite.same([value, *op.operands[1:]], {"axes": axes, **kept}, [spec])
    back = ints_attr([perm.index(dim) for dim in range(len(perm))])
    return rewrite.finish([rewrite.emit("Transpose", value, {"perm": back})])


def _stretched(op: GraphOp, merged: Merged) -> list[GraphOp]:
    """An operand is stretched along one dim: the one that lets most merge, in the fewest bytes."""
    dims = merged.dims

    def cost(tensor: int, letter: int) -> tuple[int, int]:
        full = dims.with_full(tensor, letter)
        return full.merged(RANK).rank, prod(full.shapes[tensor])

    tensor, letter = min(
        ((tensor, a) for tensor in range(len(op.operands)) for a in dims.stretched(tensor)),
        key=lambda choice: cost(*choice),
    )
    rewrite, operands = Rewrite(op), list(op.operands)
    value = rewrite.reshape(operands[tensor], dims.shapes[tensor])
    multiples = [dims.full(a) if a == letter else 1 for a in dims.letters[tensor]]
    operands[tensor] = rewrite.emit("Tile", value, {"multiples": ints_attr(multiples)})
    return rewrite.finish(rewrite.same(operands, {}, [spec_of(r) for r in op.results]))


_STRETCHED = ("ElementWiseSelect", "Prelu", "MatMul")
_ALONG = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "LayerNorm", "RmsNorm")

SPLITS: Mapping[str, Split] = {
    **{op.name: _stretched for op in GRAPH_OPS.values() if issubclass(op, Binary)},
    **{f"qti_aisw.{name}": _stretched for name in _STRETCHED},
    **{f"qti_aisw.{name}": _along_last for name in _ALONG},
    **{f"qti_aisw.{name}": _dim_by_dim for name in ("StridedSlice", "Pad", "Tile")},
    "qti_aisw.Transpose": _two_moves,
}
"""The split of each op that more than three letters can be left of, by name."""
