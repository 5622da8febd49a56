"""How ops may be cut into tiles: one row per op family, read by the tiling rules and the planner.

A row says along which dims the result may be cut, how each operand follows a cut, and what must
hold. An operand that a cut does not name is read whole by every tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..rules import AND, CONSTVAL_INT, DIM_OF, EQ, EXTERNAL_CONSTRAINT, IS_FLOAT32, REM, Op
from ..rules.graph.env import ROOT
from ..rules.tree.expr import Expr, OpForm, Tag
from .conditions import scales_stay
from .properties import BINARY, CLAMPED, CONVOLUTIONS, POOLS, UNARY

B, H, W, D = range(4)
SHARED_CHUNK = 8
"""Rows and columns of tiles come in multiples of this."""
DEPTH_CHUNK = 32
"""So do elements along the depth, and parts of what is summed over."""


class Ranged:
    """How an operand is read: by a range of one dim."""

    dim: int | None = None

    def along(self, dim: int) -> int:
        """The operand's dim that a cut of the result's goes along."""
        return dim if self.dim is None else self.dim


@dataclass(frozen=True)
class Same(Ranged):
    """The tile's own range, on the cut dim or on another one of the operand.

    `broadcast`: where the operand has 1 there, it is read whole.
    """

    dim: int | None = None
    broadcast: bool = False


@dataclass(frozen=True)
class Window(Ranged):
    """The range that a valid convolution or pool reaches from the tile: halo included."""

    stride: Expr
    taps: Expr


@dataclass(frozen=True)
class Shrunk(Ranged):
    """The range whose elements, `by` of the result from each, make up the tile."""

    by: Expr


Follow = Same | Window | Shrunk


@dataclass(frozen=True)
class Cut:
    """A dim along which a result may be cut, how operands follow by tag, and the condition."""

    dim: int
    follows: Mapping[str, Follow]
    condition: Expr | None = None


@dataclass(frozen=True)
class Summed:
    """What a result is summed over: the dim of each operand that has it, by tag.

    The sums of parts are those of op `plain`. `once` is added to the sum; op `then`, with `params`,
    does what the op does beyond a plain one.
    """

    dims: Mapping[str, int]
    condition: Expr
    plain: str
    once: str | None = None
    then: str | None = None
    params: tuple[str, ...] = ()

    @property
    def extent(self) -> tuple[str, int]:
        """An operand and its dim that is as large as what is summed over."""
        return next(iter(self.dims.items()))


@dataclass(frozen=True)
class TileRow:
    """An op and its cuts, in the order in which halving tries them.

    `columns` is a cut into columns of single croutons, after all others; `summed` comes last.
    """

    op: OpForm
    cuts: tuple[Cut, ...]
    columns: Cut | None = None
    summed: Summed | None = None

    @property
    def tags(self) -> list[str]:
        """The operands by name."""
        return [expr.name for expr in self.op.inputs if isinstance(expr, Tag)]


def _row(
    name: str,
    tags: Iterable[str],
    *cuts: Cut,
    columns: Cut | None = None,
    summed: Summed | None = None,
) -> TileRow:
    held = tuple(map(_between_scales, cuts))
    return TileRow(Op(name, *tags), held, columns and _between_scales(columns), summed)


def _between_scales(cut: Cut) -> Cut:
    """The cut, where it goes along no dim that has scales of its own."""
    dims = {ROOT: cut.dim, **{tag: follow.along(cut.dim) for tag, follow in cut.follows.items()}}
    scales = EXTERNAL_CONSTRAINT(scales_stay, *(part for pair in dims.items() for part in pair))
    return replace(cut, condition=AND(cut.condition, scales) if cut.condition else scales)


_THEN = {"": None, "clamp": "Clamp", "gelu": "Gelu"}
"""What a layer does after its sum, by the end of its name."""


def _summed(name: str, dims: Mapping[str, int], params: tuple[str, ...] = ()) -> Summed:
    """The sum of a layer, to which a bias is added."""
    plain, _, then = name.partition(".")
    condition = AND(*map(IS_FLOAT32, ("*", *dims)))
    return Summed(dims, condition, plain, "B", _THEN[then], params)


def _layer(name: str, *scalars: str) -> TileRow:
    """Convolutions: windows along height and width, filters along depth.

    Filters are height x width x in x out: their dims 0 and 1 are the taps.
    """
    depthwise = name.startswith("Depthwise")
    rows, columns = (
        Cut(dim, {"A": Window(DIM_OF("S", dim), DIM_OF("F", dim - H))}) for dim in (H, W)
    )
    filters: dict[str, Follow] = {"F": Same(), "B": Same()}
    depth = (
        Cut(D, {"A": Same(), **filters}, EQ(DIM_OF("A", D), DIM_OF("*", D)))
        if depthwise
        else Cut(D, filters)
    )
    batches = Cut(B, {"A": Same()})
    summed = None if depthwise else _summed(name, {"A": D, "F": W}, scalars)
    tags = ("A", "F", "S", "B", *scalars)
    return _row(name, tags, rows, columns, depth, batches, columns=columns, summed=summed)


def _transposed(name: str) -> TileRow:
    """Transposed convolutions of windows side by side: a tile of whole windows, or of filters."""
    rows, columns = (
        Cut(dim, {"A": Shrunk(DIM_OF("S", dim))}, EQ(REM(SHARED_CHUNK, DIM_OF("S", dim)), 0))
        for dim in (H, W)
    )
    depth, batches = Cut(D, {"F": Same(), "B": Same()}), Cut(B, {"A": Same()})
    summed = _summed(name, {"A": D, "F": W})
    return _row(name, ("A", "F", "S", "B"), rows, columns, depth, batches, summed=summed)


def _pool(name: str) -> TileRow:
    """Pools: windows along height and width, plain slices along depth and batch."""
    rows, columns = (Cut(dim, {"A": Window(DIM_OF("S", dim), DIM_OF("F", dim))}) for dim in (H, W))
    plain = (Cut(dim, {"A": Same()}) for dim in (D, B))
    return _row(name, ("A", "F", "S"), rows, columns, *plain, columns=columns)


def _rows(
    name: str, params: tuple[str, ...], dims: tuple[int, ...], condition: Expr | None = None
) -> TileRow:
    """Ops whose result is computed from the same part of the first operand along some dims."""
    cuts = (Cut(dim, {"A": Same()}, condition) for dim in dims)
    return _row(name, ("A", *params), *cuts)


def _binary(name: str) -> TileRow:
    both = Same(broadcast=True)
    return _row(name, ("A", "B"), *(Cut(dim, {"A": both, "B": both}) for dim in (H, W, D, B)))


def _dense(name: str, *scalars: str) -> TileRow:
    """FullyConnected: rows of the input, or rows of the weights and entries of the bias."""
    rows = (Cut(dim, {"A": Same()}) for dim in (H, W, B))
    units = Cut(D, {"F": Same(W), "B": Same()})
    summed = _summed(name, {"A": D, "F": D}, scalars)
    return _row(name, ("A", "F", "B", *scalars), *rows, units, summed=summed)


def _matmul() -> TileRow:
    """MatMul: batches of both, rows of the first, columns of the second (or rows, transposed)."""
    both = Same(broadcast=True)
    plain, columns = EQ(CONSTVAL_INT("T0", 0), 0), EQ(CONSTVAL_INT("T1", 0), 0)
    return _row(
        "MatMul",
        ("A", "B", "T0", "T1"),
        *(Cut(dim, {"A": both, "B": both}) for dim in (B, H)),
        Cut(W, {"A": Same()}, plain),
        Cut(D, {"B": Same()}, columns),
        Cut(D, {"B": Same(W)}, EQ(CONSTVAL_INT("T1", 0), 1)),
        summed=Summed(
            {"A": D, "B": W}, AND(plain, columns, *map(IS_FLOAT32, ("*", "A", "B"))), "MatMul"
        ),
    )


_ALL = (H, W, D, B)
_DENSE = (("FullyConnected",), ("FullyConnected.clamp", *CLAMPED), ("FullyConnected.gelu",))
_ALONG_DEPTH: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Softmax", ("axis", "beta"), "axis"),
    ("LayerNorm", ("gamma", "beta", "axes", "epsilon"), "axes"),
    ("RmsNorm", ("gamma", "beta", "axes", "epsilon"), "axes"),
)
"""Op, params, and the param that must name the depth alone for rows to be independent."""

TILE_TABLE: tuple[TileRow, ...] = (
    *(_layer(name) for name in CONVOLUTIONS),
    *(_layer(f"{name}.clamp", *CLAMPED) for name in CONVOLUTIONS),
    _transposed("TransposeConvLayer_valid"),
    *(_pool(name) for name in POOLS),
    *(_rows(name, (), _ALL) for name in UNARY),
    _rows("Clamp", CLAMPED, _ALL),
    *(_binary(name) for name in (*BINARY, "BiasAdd")),
    *(_dense(name, *scalars) for name, *scalars in _DENSE),
    _matmul(),
    *(
        _rows(name, params, (H, W, B), AND(EQ(DIM_OF(axis, D), 1), EQ(CONSTVAL_INT(axis, 0), D)))
        for name, params, axis in _ALONG_DEPTH
    ),
)
ROWS = {f"htp.{row.op.name}": row for row in TILE_TABLE}
"""The rows by the IR name of their op."""
