"""Pass group TILING: an op that holds too much of the TCM becomes a Concat of smaller ones.

Each rule halves one dim of the result at a whole number of chunks; it fires again on the halves
until they fit. The order of the rules is the order in which dims are tried: rows first, because
strips of rows are what windows and memory like best.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..rules import (
    ADD,
    AND,
    AUTOSPLIT,
    CHANGEDIM_SLICE,
    CONSTVAL_INT,
    DIM_OF,
    DIV,
    ELEMENTSIZE_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    GT,
    ROUNDUP,
    SELECT,
    TCM_MAXTENSOR_SIZE,
    TILING,
    TYPICAL_CONV_SLICE,
    TYPICAL_SLICE,
    Op,
    rule,
    rules,
)
from ..rules.expr import Arg, Expr, OpForm
from ..rules.rule import Rule
from .conditions import exceeds
from .properties import BINARY, CLAMPED, CONVOLUTIONS, POOLS, UNARY

B, H, W, D = range(4)
CHUNK = {B: 1, H: 8, W: 8, D: 32}
"""A split lands on a multiple of these, so that no crouton is shared by two tiles."""

CROUTON_COLUMNS = DIV(8, ELEMENTSIZE_OF("*"))
"""The columns of one crouton: the last resort, after all other dims."""


def halves(
    dim: int,
    op: OpForm,
    operands: Iterable[Arg],
    condition: Expr | None = None,
    columns: Expr | None = None,
) -> Rule:
    """The rule that splits the result of `op` in two along `dim` while it exceeds its share.

    Tiles are whole chunks; `columns` is a chunk of another width.
    """
    chunk = CHUNK[dim] if columns is None else columns
    guard = [
        GT(DIM_OF("*", dim), chunk),
        EXTERNAL_CONSTRAINT(exceeds, "*", TCM_MAXTENSOR_SIZE),
    ]
    half = ROUNDUP(DIV(ADD(DIM_OF("*", dim), 1), 2), chunk)
    finely = "" if columns is None else " in single croutons"
    return rule(
        TILING,
        op,
        AND(*([condition] if condition is not None else []), *guard),
        AUTOSPLIT(dim, "I", half, Op(op.name, *operands)),
        name=f"tile {op.name} along {'BHWD'[dim]}{finely}",
    )


def sliced(tag: str) -> Expr:
    """The tile's part of an operand of the result's shape."""
    return TYPICAL_SLICE(tag, "I")


def broadcast(tag: str, dim: int) -> Expr:
    """The tile's part of an operand that may broadcast along the split dim."""
    return SELECT(EQ(DIM_OF(tag, dim), 1), tag, TYPICAL_SLICE(tag, "I"))


def window(tag: str, dim: int, taps: str) -> Expr:
    """The rows or columns that a tile of a valid convolution or pool reads."""
    return TYPICAL_CONV_SLICE(tag, "I", DIM_OF("S", dim), DIM_OF(taps, dim))


def layer_rules(name: str, *scalars: str) -> tuple[Rule, ...]:
    """Convolutions: windows along height and width, filters along depth.

    Filters are height x width x in x out: their dims 0 and 1 are the taps.
    """
    op = Op(name, "A", "F", "S", "B", *scalars)
    depthwise = name.startswith("Depthwise")
    taps = {H: DIM_OF("F", 0), W: DIM_OF("F", 1)}
    along_depth = (sliced("A") if depthwise else "A", sliced("F"), "S", sliced("B"), *scalars)
    same_depth = EQ(DIM_OF("A", D), DIM_OF("*", D)) if depthwise else None
    windows: dict[int, tuple[Arg, ...]] = {
        dim: (TYPICAL_CONV_SLICE("A", "I", DIM_OF("S", dim), taps[dim]), "F", "S", "B", *scalars)
        for dim in (H, W)
    }
    return (
        *(halves(dim, op, operands) for dim, operands in windows.items()),
        halves(D, op, along_depth, same_depth),
        halves(B, op, (sliced("A"), "F", "S", "B", *scalars)),
        halves(W, op, windows[W], columns=CROUTON_COLUMNS),
    )


def pool_rules(name: str) -> tuple[Rule, ...]:
    """Pools: windows along height and width, plain slices along depth and batch."""
    op = Op(name, "A", "F", "S")
    columns = (window("A", W, "F"), "F", "S")
    return (
        halves(H, op, (window("A", H, "F"), "F", "S")),
        halves(W, op, columns),
        *(halves(dim, op, (sliced("A"), "F", "S")) for dim in (D, B)),
        halves(W, op, columns, columns=CROUTON_COLUMNS),
    )


def row_rules(name: str, params: tuple[str, ...], dims: tuple[int, ...]) -> tuple[Rule, ...]:
    """Ops whose result is computed from the same part of the first operand along some dims."""
    op = Op(name, "A", *params)
    return tuple(halves(dim, op, (sliced("A"), *params)) for dim in dims)


def dense_rules(name: str, *scalars: str) -> tuple[Rule, ...]:
    """FullyConnected: rows of the input, or rows of the weights and entries of the bias."""
    op = Op(name, "A", "F", "B", *scalars)
    return (
        *(halves(dim, op, (sliced("A"), "F", "B", *scalars)) for dim in (H, W, B)),
        halves(D, op, ("A", CHANGEDIM_SLICE("F", "I", W), sliced("B"), *scalars)),
    )


def matmul_rules() -> tuple[Rule, ...]:
    """MatMul: batches of both, rows of the first, columns of the second (or rows, transposed)."""
    op = Op("MatMul", "A", "B", "T0", "T1")
    plain, columns = EQ(CONSTVAL_INT("T0", 0), 0), EQ(CONSTVAL_INT("T1", 0), 0)
    turned = EQ(CONSTVAL_INT("T1", 0), 1)
    return (
        *(
            halves(dim, op, (broadcast("A", dim), broadcast("B", dim), "T0", "T1"))
            for dim in (B, H)
        ),
        halves(W, op, (sliced("A"), "B", "T0", "T1"), plain),
        halves(D, op, ("A", sliced("B"), "T0", "T1"), columns),
        halves(D, op, ("A", CHANGEDIM_SLICE("B", "I", W), "T0", "T1"), turned),
    )


_ALL = (H, W, D, B)
_DENSE = (("FullyConnected",), ("FullyConnected.clamp", *CLAMPED), ("FullyConnected.gelu",))
_ALONG_DEPTH: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Softmax", ("axis", "beta"), "axis"),
    ("LayerNorm", ("gamma", "beta", "axes", "epsilon"), "axes"),
    ("RmsNorm", ("gamma", "beta", "axes", "epsilon"), "axes"),
)
"""Op, params, and the param that must name the depth for rows to be independent."""

TILING_RULES = rules(
    *(rule_ for name in CONVOLUTIONS for rule_ in layer_rules(name)),
    *(rule_ for name in CONVOLUTIONS for rule_ in layer_rules(f"{name}.clamp", *CLAMPED)),
    *(rule_ for name in POOLS for rule_ in pool_rules(name)),
    *(rule_ for name in UNARY for rule_ in row_rules(name, (), _ALL)),
    *row_rules("Clamp", CLAMPED, _ALL),
    *(
        halves(dim, Op(name, "A", "B"), (broadcast("A", dim), broadcast("B", dim)))
        for name in (*BINARY, "BiasAdd")
        for dim in _ALL
    ),
    *(rule_ for name, *scalars in _DENSE for rule_ in dense_rules(name, *scalars)),
    *matmul_rules(),
    *(
        halves(dim, Op(name, "A", *params), (sliced("A"), *params), EQ(CONSTVAL_INT(axis, 0), D))
        for name, params, axis in _ALONG_DEPTH
        for dim in (H, W, B)
    ),
)
