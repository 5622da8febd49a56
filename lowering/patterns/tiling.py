"""Pass group TILING: an op becomes a Concat of smaller ones, by plan or because it is too large.

Every cut of the tile table makes a rule. It cuts as the plan on the op says (`htp-plan-tiles`);
where an op without a plan takes too much of the TCM, it halves the dim at a whole number
of chunks, and again until the halves fit. The order of the table is the order in which halving
tries dims: rows first, because strips of rows are what windows and memory like best; what the op
sums over comes last.

A sum over a dim becomes the sum of sums over its parts, as the plan says; where there is none and
no cut of the result makes the op small enough, its sum is halved. The order of additions changes,
so rows of the table allow it for f32 alone.

Recurrent layers whose weights do not fit the TCM: a part of them stays there.

Every step of a sequence reads all recurrent weights. What does not fit is read from main memory as
often as there are steps, so as much as fits stays in TCM. Two directions become a layer each before
that: their weights are in TCM one after the other.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.htp import NATIVE_OPS
from ...dialects.htp.access import Follow, Number
from ...dialects.htp.base import replaced
from ...dialects.htp.ops.rnn import GruOp, LstmOp, RecurrentOp
from ...dialects.spec_of import spec_of, type_of
from ...dialects.value import DType, TensorSpec, round_up
from ..planner.tiling import SUMMED
from ..rules import (
    ADD,
    AND,
    AUTOSPLIT,
    AUTOSPLIT_SHAPEFN_APPLY,
    AUTOSPLIT_SLICE,
    CHANGEDIM_SLICE,
    CONSTVAL_INT,
    DIM_OF,
    DIV,
    ELEMENTSIZE_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    GT,
    LT,
    MAX,
    MIDDLE,
    MIN,
    MUL,
    OR,
    PLANNED_CHUNK,
    REM,
    SELECT,
    SPLIT_SIZE,
    SPLIT_START,
    SUB,
    TILING,
    TYPICAL_CONV_SLICE,
    TYPICAL_SLICE,
    Op,
    external_constraint,
    external_replacement,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from ..rules.definition.rule import Rule
from ..rules.graph.env import Env, Split
from ..rules.graph.graph import INT_MIN, EvaluationError, Node
from ..rules.language.split import slices, take_slice
from ..rules.language.tile_plan import carried, planned_chunk
from ..rules.tree.build import Builder, Reference
from ..rules.tree.expr import Arg, Expr, OpForm
from .conditions import EXCEEDS_ITS_SHARE
from .places import places_of_slice, reached_size, reached_start
from .tile_table import (
    DEPTH_CHUNK,
    ROWS,
    SHARED_CHUNK,
    TILE_TABLE,
    B,
    Cut,
    D,
    H,
    Summed,
    TileRow,
    W,
)

CHUNK = {B: 1, H: SHARED_CHUNK, W: SHARED_CHUNK, D: DEPTH_CHUNK}
"""A half lands on a multiple of these, so that no crouton is shared by two tiles."""

CROUTON_COLUMNS = DIV(8, ELEMENTSIZE_OF("*"))
"""The columns of one crouton."""


def _part(op: str, name: str, follow: Follow, dim: int) -> Expr:
    """Slice what a tile reads of an operand."""
    index, at = follow.index, follow.dim
    if index.near is not None:
        line = (name, index.near, at)
        start = AUTOSPLIT_SHAPEFN_APPLY(reached_start, "I", *line)
        return AUTOSPLIT_SLICE(name, start, AUTOSPLIT_SHAPEFN_APPLY(reached_size, "I", *line))
    if index.by is not None:
        by = _number(op, index.by)
        if follow.taps is not None:
            spacing = _number(op, index.spacing) if index.spacing else 1
            return TYPICAL_CONV_SLICE(name, "I", by, _number(op, follow.taps), spacing)
        start, size = DIV(SPLIT_START("I"), by), DIV(SPLIT_SIZE("I"), by)
        begin = gen_Shape(*(start if axis == at else 0 for axis in range(4)))
        extent = gen_Shape(*(size if axis == at else DIM_OF(name, axis) for axis in range(4)))
        return AUTOSPLIT_SLICE(name, begin, extent)
    part = TYPICAL_SLICE(name, "I") if at == dim else CHANGEDIM_SLICE(name, "I", at)
    return SELECT(EQ(DIM_OF(name, at), 1), name, part) if index.broadcast else part


def _number(op: str, number: Number) -> Expr:
    family = NATIVE_OPS[op]
    is_param = number.operand in family.PARAMS and number.operand not in family.SHAPES
    return (CONSTVAL_INT if is_param else DIM_OF)(number.operand, number.place)


def _tile(row: TileRow, cut: Cut) -> OpForm:
    """Build the op of one tile."""
    parts: dict[str, Expr] = {
        **{name: _part(row.name, name, follow, cut.dim) for name, follow in cut.follows.items()},
        # Distances count from the start of the tile.
        **{
            name: gen_ConstScalar_i32(ADD(CONSTVAL_INT(name, 0), SPLIT_START("I")))
            for name in cut.counted
        },
        # Places count from the start of what a tile reads.
        **{
            near: AUTOSPLIT_SHAPEFN_APPLY(places_of_slice, "I", name, near, follow.dim)
            for name, follow in cut.follows.items()
            if (near := follow.index.near)
        },
    }
    return Op(row.name, *(parts.get(name, name) for name in row.operands))


def tiles(row: TileRow, cut: Cut) -> Rule:
    """Cut the result of an op along a dim: as its plan says, or in two halves."""
    # Half of a result is whole chunks, and blocks of one pixel each.
    least: Arg = CHUNK[cut.dim]
    for stride in cut.strides:
        number = _number(row.name, stride)
        least = SELECT(EQ(REM(least, number), 0), least, MUL(least, number))
    chunk, half = PLANNED_CHUNK("*", cut.dim), _half(cut.dim, least)
    by_plan = AND(GT(chunk, 0), LT(chunk, DIM_OF("*", cut.dim)))
    return rule(
        TILING,
        row.op,
        AND(cut.condition, OR(by_plan, _too_large(cut.dim, least))),
        AUTOSPLIT(cut.dim, "I", SELECT(GT(chunk, 0), chunk, half), _tile(row, cut)),
        name=f"tile {row.name} along {'BHWD'[cut.dim]}",
    )


def columns(row: TileRow, cut: Cut) -> Rule:
    """Halve a dim at single croutons, the last resort after all other dims."""
    aligned = (EQ(REM(CROUTON_COLUMNS, _number(row.name, stride)), 0) for stride in cut.strides)
    return rule(
        TILING,
        row.op,
        AND(cut.condition, *aligned, _too_large(cut.dim, CROUTON_COLUMNS)),
        AUTOSPLIT(cut.dim, "I", _half(cut.dim, CROUTON_COLUMNS), _tile(row, cut)),
        name=f"tile {row.name} along {'BHWD'[cut.dim]} in single croutons",
    )


def _half(dim: int, chunk: Arg) -> Expr:
    half = DIV(ADD(DIM_OF("*", dim), 1), 2)
    return MUL(DIV(SUB(ADD(half, chunk), 1), chunk), chunk)


def _too_large(dim: int, chunk: Arg) -> Expr:
    """Ask that the op exceeds its share of the TCM, and has more than one chunk to cut."""
    return AND(GT(DIM_OF("*", dim), chunk), EXCEEDS_ITS_SHARE)


@external_replacement("sum_of_parts")
def sum_of_parts(builder: Builder, root: Node) -> Node | SSAValue:
    """Add up the op on parts of the dim that it sums over, one after the other."""
    row = ROWS[root.name]
    summed = next(each for each in row.sums if each.condition.evaluate(builder.env))
    named = dict(zip(row.operands, root.inputs, strict=True))
    name, dim = summed.extent
    data, extent = named[name], named[name].shape[dim]
    chunk = planned_chunk(root, SUMMED) or round_up(-(-extent // 2), summed.chunk)
    ref = Reference(root.spec, attributes=carried(builder.root, SUMMED, chunk))
    params = [named.pop(param).value for param in summed.params]
    total: SSAValue | None = None
    for cut in slices(SUMMED, extent, chunk):
        operands = [_summed_part(builder, summed, *operand, cut) for operand in named.items()]
        part = builder.native(summed.plain, operands, ref)
        total = part if total is None else builder.native(summed.joins, [total, part], ref)
    if total and summed.then:
        total = builder.native(summed.then, [total, *params], ref)
    if total and summed.is_mean:
        share = np.full((1, 1, 1, 1), root.spec.elements / data.spec.elements, np.float32)
        factor = builder.const(share, TensorSpec(share.shape, DType.Float32))
        total = builder.native("Mul", [total, factor], ref)
    return total or root


def _summed_part(builder: Builder, summed: Summed, name: str, node: Node, cut: Split) -> SSAValue:
    """Slice the part of an operand that one partial sum reads."""
    if name == summed.once and cut.start > 0:
        return builder.const(np.zeros(node.shape, np.float32), node.spec)
    dim = summed.dims.get(name)
    if dim is None:
        return node.value
    start = tuple(cut.start if axis == dim else 0 for axis in range(node.spec.rank))
    size = (*node.shape[:dim], cut.size, *node.shape[dim + 1 :])
    return take_slice(builder, node.value, start, size, Reference(node.spec))


def sums(row: TileRow, summed: Summed) -> Rule:
    """Make the rule that cuts a sum of a row's op."""
    name, dim = summed.extent
    extent, chunk = DIM_OF(name, dim), PLANNED_CHUNK("*", SUMMED)
    by_plan = AND(GT(chunk, 0), LT(chunk, extent))
    halves = AND(GT(extent, summed.chunk), EXCEEDS_ITS_SHARE)
    return rule(
        TILING,
        row.op,
        AND(summed.condition, OR(by_plan, halves)),
        EXTERNAL_REPLACE(sum_of_parts),
        name=f"tile {row.name} along its sum" + f" over {'BHWD'[dim]}" * (len(row.sums) > 1),
    )


def _rules_of(row: TileRow) -> Iterator[Rule]:
    yield from (tiles(row, cut) for cut in row.cuts)
    yield from (columns(row, cut) for cut in row.cuts if cut.dim == W and cut.windows)
    yield from (sums(row, summed) for summed in row.sums)


TILING_RULES = rules(*(rule_ for row in TILE_TABLE for rule_ in _rules_of(row)))

_PARAMS = "scale", "softcap", "first", "last"
_FIRST, _LAST = CONSTVAL_INT("first", 0), CONSTVAL_INT("last", 0)
_BEGIN = MAX(_FIRST, 0)
_END = MIN(ADD(DIM_OF("*", 2), _LAST), DIM_OF("k", 2))


def _reached(name: str) -> Expr:
    """Slice the keys or values that one of the queries attends to."""
    size = (DIM_OF(name, 0), DIM_OF(name, 1), SUB(_END, _BEGIN), DIM_OF(name, 3))
    return AUTOSPLIT_SLICE(name, gen_Shape(0, 0, _BEGIN, 0), gen_Shape(*size))


ATTENTION_RULES = rules(
    rule(
        MIDDLE,
        Op("Attention", "q", "k", "v", "mask", *_PARAMS),
        AND(
            *(GT(bound, INT_MIN) for bound in (_FIRST, _LAST)),
            GT(_END, _BEGIN),
            OR(GT(_BEGIN, 0), LT(_END, DIM_OF("k", 2))),
            # Elsewhere these keys, or the mask's columns, are not a run of bytes but a copy.
            *(EQ(DIM_OF(name, dim), 1) for name in ("k", "v") for dim in (0, 1)),
            EQ(DIM_OF("mask", 3), 1),
        ),
        Op(
            *("Attention", "q", _reached("k"), _reached("v"), "mask", "scale", "softcap"),
            *(gen_ConstScalar_i32(SUB(bound, _BEGIN)) for bound in (_FIRST, _LAST)),
        ),
        name="keys in reach",
    ),
)
"""Attention of some queries reads the keys that one of them attends to, and no others.

Tiles of a causal attention so leave out what is above the diagonal: half of all keys and values.
"""


_DIRECTIONS = {"W": H, "R": H, "B": W, "initial_h": H, "initial_c": H, "P": W}
"""The dim of directions of the operands that have one."""
GAPS = 64
"""The part of the TCM that recurrent weights leave to other tensors."""


def _fitting(env: Env, root: Node) -> int:
    """Count the elements of a state whose recurrent weights fit the TCM; one at least."""
    weights, size = spec_of(_layer(root).R), env.options.tcm_size
    return max(1, (size - size // GAPS) // (weights.nbytes // weights.shape[D]))


def _layer(root: Node) -> RecurrentOp:
    if not isinstance(root.op, RecurrentOp):
        raise EvaluationError(f"{root.name} is no recurrent layer")
    return root.op


@external_constraint("weights_exceed", takes_env=True)
def weights_exceed(env: Env, root: Node) -> bool:
    """The layer's recurrent weights do not fit the TCM."""
    return _fitting(env, root) < spec_of(_layer(root).R).shape[D]


@external_replacement("each_direction", all_outputs=True)
def each_direction(builder: Builder, root: Node) -> SSAValue:
    """Make a layer of each direction, and join what they give."""
    layer, parts = _layer(root), list[Sequence[SSAValue]]()
    specs = [spec_of(result) for result in layer.results]
    alone = [spec.with_shape(replaced(spec.shape, H, 1)) for spec in specs]
    for direction in range(2):
        own = {
            name: _share(builder, getattr(layer, name), dim, direction, 1)
            for name, dim in _DIRECTIONS.items()
            if name in layer.OPERANDS
        }
        own["direction"] = gen_ConstScalar_i32(direction).build(builder, Reference(root.spec))
        operands = [
            own.get(name, value) for name, value in zip(layer.OPERANDS, layer.operands, strict=True)
        ]
        parts.append(_layer_of(builder, layer.name, operands, alone))
    axis = gen_ConstScalar_i32(H).build(builder, Reference(root.spec))
    joined = [
        builder.native("Concat", [axis, *each], Reference(spec))
        for spec, *each in zip(specs, *parts, strict=True)
    ]
    return _replaced(builder, layer, joined)


@external_replacement("pinned_in_part", all_outputs=True)
def pinned_in_part(builder: Builder, root: Node) -> SSAValue:
    """Keep the recurrent weights of as many elements of a state in TCM as fit."""
    layer, count = _layer(root), _fitting(builder.env, root)
    pinned = _share(builder, layer.R, D, 0, count)
    rest = _share(builder, layer.R, D, count, spec_of(layer.R).shape[D] - count)
    operands = [rest if value is layer.R else value for value in layer.operands]
    specs = [spec_of(result) for result in layer.results]
    return _replaced(
        builder, layer, _layer_of(builder, f"{layer.name}.pinned", [*operands, pinned], specs)
    )


def _share(builder: Builder, value: SSAValue, dim: int, start: int, size: int) -> SSAValue:
    """Slice a value along a dim."""
    shape = spec_of(value).shape
    begin = tuple(start * (axis == dim) for axis in range(len(shape)))
    return take_slice(builder, value, begin, replaced(shape, dim, size), Reference(spec_of(value)))


def _layer_of(
    builder: Builder,
    name: str,
    operands: Sequence[SSAValue],
    specs: Sequence[TensorSpec],
) -> Sequence[SSAValue]:
    """Make a layer whose results have these specs."""
    new = builder.native(
        name.removeprefix("htp."), operands, Reference(specs[0], outputs=len(specs))
    )
    return builder.like(new, lambda old: old.operands, [type_of(spec) for spec in specs]).results


def _replaced(builder: Builder, layer: RecurrentOp, results: Sequence[SSAValue]) -> SSAValue:
    """Have values replace all results of a layer; return the first."""
    first, *states = results
    builder.further += zip(layer.results[1:], states, strict=True)
    return first


RECURRENCE_RULES = rules(
    *(
        rule(
            TILING - 1,
            Op(op.mnemonic(), *op.OPERANDS),
            EXTERNAL_CONSTRAINT(weights_exceed, "*"),
            SELECT(
                EQ(DIM_OF("R", H), 2),
                EXTERNAL_REPLACE(each_direction),
                EXTERNAL_REPLACE(pinned_in_part),
            ),
            name="weights larger than the TCM",
        )
        for op in (LstmOp, GruOp)
    ),
)
"""Layers whose recurrent weights do not fit the TCM."""
