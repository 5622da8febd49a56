"""Brings the ops of a block to rank 4.

Ops whose dims do not merge to it become a sequence of ops that merge further. No step of these
computes anything twice or in another precision: a reduction stays one reduction.

A rewrite builds ops in front of one op and puts the last in its place.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import prod

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import VarResultDef
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.qti_aisw import GRAPH_OPS, GraphOp, build
from ....dialects.qti_aisw.base import bool_attr, int_attr, ints_attr
from ....dialects.qti_aisw.ops.elementwise import Binary
from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import RANK, Shape, TensorSpec
from .dims import LETTERS, NEUTRAL, Merged, per_dim

_SEGMENTS = "operandSegmentSizes"


class Rewrite:
    """The ops that replace one op; they have its location and its attributes."""

    def __init__(self, op: GraphOp) -> None:
        self.op = op
        self.ops: list[GraphOp] = []

    def emit(self, name: str, operand: SSAValue, properties: Mapping[str, Attribute]) -> SSAValue:
        """Return the result of a new op of one operand."""
        return self._add(build(GRAPH_OPS[name], [operand], dict(properties))).results[0]

    def reshape(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Return the value under another shape; Reshapes in a row become one."""
        while isinstance(value.owner, ReshapeOp) and spec_of(value).shape != shape:
            value = value.owner.inp
        if spec_of(value).shape == shape:
            return value
        return self.emit("Reshape", value, {"shape": ints_attr(shape)})

    def same(
        self,
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute],
        results: Sequence[TensorSpec],
    ) -> Sequence[SSAValue]:
        """Return the results of the same op on other operands, with some params changed."""
        rest = iter(operands)
        kept = {name: value for name, value in self.op.properties.items() if name != _SEGMENTS}
        types = [type_of(spec) for spec in results]
        definition = self.op.get_irdl_definition()
        variadic = isinstance(definition.results[0][1], VarResultDef)
        new = type(self.op).build(
            operands=[self._segment(name, rest) for name, _ in definition.operands],
            result_types=[types] if variadic else types,
            properties={**kept, **properties},
        )
        return self._add(new).results

    def finish(self, values: Sequence[SSAValue]) -> list[GraphOp]:
        """Let values replace the op's results, and return the new ops."""
        for old, value in zip(self.op.results, values, strict=True):
            shaped = self.reshape(value, spec_of(old).shape)
            shaped.name_hint = shaped.name_hint or old.name_hint
            old.replace_all_uses_with(shaped)
        sources = list(self.op.operands)
        Rewriter.erase_op(self.op)
        # Reshapes that led to the op alone have no use left.
        for value in sources:
            while isinstance(value.owner, ReshapeOp) and value.owner.parent and not value.uses:
                op, value = value.owner, value.owner.inp
                Rewriter.erase_op(op)
        return self.ops

    def _segment(self, name: str, values: Iterator[SSAValue]) -> list[SSAValue]:
        """Return as many of the values as the op has operands of this name."""
        own: SSAValue | Sequence[SSAValue] | None = getattr(self.op, name)
        count = 0 if own is None else 1 if isinstance(own, SSAValue) else len(own)
        return [next(values) for _ in range(count)]

    def _add(self, new: GraphOp) -> GraphOp:
        new.location = self.op.location
        new.attributes |= self.op.attributes
        Rewriter.insert_op(new, InsertPoint.before(self.op))
        self.ops.append(new)
        return new


Order = tuple[int, ...]


def first_move(order: Sequence[int], blocks: int) -> tuple[Order, Order]:
    """Return the first of the moves that an order of dims takes, and the order that is left.

    Algorithm: greedy block moves. A move cuts the dims into four runs and orders these; of all
    moves the one is taken behind which most neighbours of the result stand side by side. A move can
    always join two of them, so each one leaves a shorter order. Of moves behind which one more is
    enough those come first that put the result's first dim in front: parts along it can be taken
    before the other one. Cost: 24 orders of each choice of three cuts. [0, 2, 4, 1, 3] takes two:

        (a)(b)(c)(d e) -> (a c)(b d)(e) -> a c e b d
    """
    moves = _moves(len(order), blocks)
    choices = ((move, tuple(move.index(dim) for dim in order)) for move in moves)

    def left(choice: tuple[Order, Order]) -> tuple[int, bool, int]:
        """Rank by the ends of runs of neighbours: the fewer, the more lies together."""
        _, order = choice
        ends = sum(b != a + 1 for a, b in pairwise(order))
        return max(ends, blocks - 1), order[0] != 0, ends

    return min(choices, key=left)


def _moves(rank: int, blocks: int) -> Iterator[Order]:
    for cuts in combinations(range(1, rank), blocks - 1):
        runs = [range(low, high) for low, high in pairwise((0, *cuts, rank))]
        for ordered in permutations(runs):
            yield tuple(dim for run in ordered for dim in run)


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
