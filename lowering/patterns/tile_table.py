"""The cuts of ops into tiles: one row per op, read by the tiling rules and the planner.

A row follows from the op's access map. Cut along a dim of the result, an operand that indexes
by that dim is cut too, and any other is read whole by every tile. ConvLayer_valid reads
act[b, h*stride.1+i, ...] and weights[i, j, c, d]: cut along h each tile reads a window of rows of
act and all weights, cut along d all of act and a range of filters. Its products are summed over c,
a dim of both operands, so the sum may be cut into parts there. A ReduceMean over h and w sums parts
of its rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...dialects.htp import NATIVE_OPS, AttentionOp, CodedFullyConnectedOp, NativeOp
from ...dialects.htp.access import RESULT, Access, Follow, Number
from ...dialects.htp.ops.linear import FullyConnectedOp, MatMulOp
from ...dialects.value import Memory
from ..rules import AND, CONSTVAL_INT, DIM_OF, EQ, EXTERNAL_CONSTRAINT, GT, IS_FLOAT32, NOT, Op
from ..rules.graph.graph import INT_MIN, ROOT
from ..rules.tree.expr import Expr, OpForm
from .conditions import rounds_alike, runs_over, scales_stay
from .properties import PROPERTIES

B, H, W, D = range(4)
REDUCED = {"Sum": "Add", "Mean": "Add", "Max": "Maximum", "Min": "Minimum"}
"""The reductions, by the end of their names, and the ops that put parts of them together."""
RETYPED = "Cast", "Quantize", "Dequantize"
WHOLE = "Argmax", "Argmin"
"""Reductions of which no parts are put together."""
IN_EITHER = (*RETYPED, "Gather", *WHOLE, *(f"Reduce{name}" for name in REDUCED))
"""Ops that are cut though they read and write in either memory."""
SHARED_CHUNK = 8
"""Rows and columns of tiles come in multiples of this."""
DEPTH_CHUNK = 32
"""Elements along the depth, and along a sum, come in multiples of this."""


@dataclass(frozen=True)
class Cut:
    """A dim along which a result may be cut, how operands follow by name, and the condition.

    The params in `counted` are distances from the start of a tile.
    """

    dim: int
    follows: Mapping[str, Follow]
    condition: Expr
    counted: tuple[str, ...]

    @property
    def windows(self) -> bool:
        """True where tiles read windows, which overlap."""
        return any(follow.taps for follow in self.follows.values())

    @property
    def strides(self) -> tuple[Number, ...]:
        """The numbers of which each tile must begin at a multiple."""
        indices = (follow.index for follow in self.follows.values())
        return tuple(index.by for index in indices if index.sign == "/" and index.by)


@dataclass(frozen=True)
class Summed:
    """A sum over one dim of some operands, by name, whose parts are multiples of `chunk`.

    Op `plain` sums one part, op `joins` puts two together. The operand `once` is added to the sum;
    then comes op `then`, with `params`. `is_mean`: at last it is divided by its elements.
    """

    dims: Mapping[str, int]
    condition: Expr
    plain: str
    chunk: int = DEPTH_CHUNK
    joins: str = "Add"
    once: str | None = None
    then: str | None = None
    params: tuple[str, ...] = ()
    is_mean: bool = False

    @property
    def extent(self) -> tuple[str, int]:
        """An operand and its dim that is summed over."""
        return next(iter(self.dims.items()))


@dataclass(frozen=True)
class TileRow:
    """An op with its operands, and its cuts in the order in which halving tries them.

    `sums` come last; the first one whose condition holds is the op's.
    """

    name: str
    operands: tuple[str, ...]
    cuts: tuple[Cut, ...]
    sums: tuple[Summed, ...]

    @property
    def op(self) -> OpForm:
        """The op as rules match it: each operand is a tag."""
        return Op(self.name, *self.operands)


_ORDER: Mapping[type[NativeOp], tuple[str, ...]] = {
    FullyConnectedOp: ("h", "w", "b", "d"),
    CodedFullyConnectedOp: ("h", "w", "b", "d"),
    MatMulOp: ("b", "h", "w", "d", "d'"),
    AttentionOp: ("b", "h", "w"),
    NativeOp: ("h", "w", "d", "b"),
}
"""The dims in the order in which halving tries them; `'` where operands are turned."""

_THEN = {"": None, "clamp": "Clamp", "gelu": "Gelu"}
"""The op after the sum of a layer, by the end of the layer's name."""


def _row(op: type[NativeOp], access: Access) -> TileRow:
    order = next(order for family, order in _ORDER.items() if issubclass(op, family))
    # Every tile would hold all of a dim that no operand follows.
    kept = (
        name for name in order if access.follows(name[0]) and not (access.along and name == "d")
    )
    cuts = tuple(_cut(op, access, name[0], name.endswith("'")) for name in kept)
    sums = _reduced(op, access) if access.over else _summed(op, access)
    return TileRow(op.mnemonic(), op.OPERANDS, cuts, tuple(sums))


def _cut(op: type[NativeOp], access: Access, letter: str, turned: bool) -> Cut:
    reads = access.follows(letter, access.turned if turned else ())
    follows = {name: follow for name, follow in reads.items() if name in op.OPERANDS}
    dim = RESULT.index(letter)
    # No dim that is cut may have scales of its own, which parts of constants take along.
    dims = {ROOT: dim, **{name: follow.dim for name, follow in follows.items()}}
    scales = EXTERNAL_CONSTRAINT(scales_stay, *(part for pair in dims.items() for part in pair))
    counted = tuple(name for name, along in access.counted.items() if along == letter)
    known = (GT(CONSTVAL_INT(name, 0), INT_MIN) for name in counted)
    conditions = [*_conditions(access, dim, follows, turned), *known, scales]
    condition = AND(*conditions) if len(conditions) > 1 else conditions[0]
    return Cut(dim, follows, condition, counted)


def _conditions(
    access: Access, dim: int, follows: Mapping[str, Follow], turned: bool
) -> Iterator[Expr]:
    """List the conditions for tiles to be independent, and to begin where operands can be cut."""
    if access.along:
        yield EQ(DIM_OF(access.along, D), 1)
        yield EQ(CONSTVAL_INT(access.along, 0), D)
    if access.over:
        yield NOT(EXTERNAL_CONSTRAINT(runs_over, access.over, dim))
    for name, follow in follows.items():
        if name in access.turned and follow.dim in (W, D):
            yield EQ(CONSTVAL_INT(access.turned[name], 0), int(turned))
        index = follow.index
        for number in filter(None, (index.before, index.after)):
            yield EQ(CONSTVAL_INT(number.operand, number.place), 0)
        if follow.taps and access.hanging:
            yield EQ(CONSTVAL_INT(access.hanging, 0), 0)
        if index.sign == "@" and index.by:
            yield EQ(CONSTVAL_INT(index.by.operand, index.by.place), 1)
        if follow.index.near:
            yield GT(CONSTVAL_INT(follow.index.near, 2), INT_MIN)
        if follow.index.sign == "/" and follow.index.by is None:
            yield EQ(DIM_OF(name, follow.dim), DIM_OF(ROOT, dim))


def _summed(op: type[NativeOp], access: Access) -> Iterator[Summed]:
    """Find the dim that all factors have, in one group, and their products are summed over."""
    for letter in access.summed if access.factors else ():
        follows = {n: f for n, f in access.follows(letter).items() if f.index.in_blocks}
        dims = {name: follow.dim for name, follow in follows.items()}
        if len(dims) == len(access.factors):
            plain, _, then = op.mnemonic().partition(".")
            straight = (EQ(CONSTVAL_INT(param, 0), 0) for param in access.turned.values())
            counts = (follow.index.by for follow in follows.values() if follow.index.by)
            groups = (EQ(CONSTVAL_INT(count.operand, count.place), 1) for count in counts)
            condition = AND(*straight, *groups, *map(IS_FLOAT32, (ROOT, *dims)))
            params = tuple(n for n in op.OPERANDS if n not in NATIVE_OPS[plain].OPERANDS)
            once = next(iter(access.added), None)
            yield Summed(dims, condition, plain, once=once, then=_THEN[then], params=params)
            return


def _reduced(op: type[NativeOp], access: Access) -> Iterator[Summed]:
    """Find the rows, or else the columns, over which an image is reduced.

    Sums of numbers that would be rounded stay whole.
    """
    if op.mnemonic() in WHOLE:
        return
    (operand,) = access.operands
    kind = op.mnemonic().removeprefix("Reduce")
    plain = "ReduceSum" if kind == "Mean" else op.mnemonic()
    exact = EXTERNAL_CONSTRAINT(rounds_alike, ROOT, operand)
    exact = IS_FLOAT32(operand) if REDUCED[kind] == "Add" else exact
    rows, columns = (
        AND(EXTERNAL_CONSTRAINT(runs_over, access.over, dim), GT(DIM_OF(operand, dim), 1))
        for dim in (H, W)
    )
    for dim, over in (H, AND(rows, exact)), (W, AND(columns, NOT(rows), exact)):
        joins, is_mean = REDUCED[kind], kind == "Mean"
        yield Summed({operand: dim}, over, plain, SHARED_CHUNK, joins, is_mean=is_mean)


TILE_TABLE: tuple[TileRow, ...] = tuple(
    _row(op, op.ACCESS)
    for name, properties in PROPERTIES.items()
    if (op := NATIVE_OPS[name]).ACCESS
    if properties.memory(ROOT) is Memory.TCM or name in IN_EITHER
)
"""The rows of all ops that have an access map and make their result in TCM, or may do so."""
ROWS = {f"htp.{row.name}": row for row in TILE_TABLE}
"""The rows by the IR name of their op."""
