"""TreeEnsemble, and what its older form shares with it. Source: ONNX-ML operator spec."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ...support.context import NodeContext
from ...support.faults import NodeFault
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..elementwise import cast_like
from ..tensors.steps import like
from .classical import DOMAIN, post_transformed
from .forest import (
    FeatureTest,
    Forest,
    Mode,
    Tables,
    tables,
)

ONNX = ImporterSet(keeps_stored=False)

MODES = ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ", "MEMBER")
"""The tests of splits in the order of their numbers."""

_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@ONNX.importer("TreeEnsemble", domain=DOMAIN)
def tree_ensemble(ctx: NodeContext) -> list[SSAValue]:
    """TreeEnsemble: sums or means of the weights of the leaves that a row reaches."""
    ctx.array("nodes_hitrates")
    kind, transform = ctx.integer("aggregate_function", 1), ctx.integer("post_transform")
    for name, number, names in (
        ("aggregate_function", kind, _AGGREGATES),
        ("post_transform", transform, _TRANSFORMS),
    ):
        ctx.require(0 <= number < len(names), f"attribute '{name}' is {number}")
    targets, weights = ctx.integers("leaf_targetids") or (), ctx.array("leaf_weights")
    leaves = leaf_weights(ctx, ctx.integer("n_targets"), len(targets), enumerate(targets), weights)
    forest = Forest(list(_splits(ctx)), ctx.integers("tree_roots") or (), leaves)
    scores = reached(ctx, forest, _AGGREGATES[kind])
    return [post_transformed(ctx, scores, _TRANSFORMS[transform])]


def _splits(ctx: NodeContext) -> Iterator[FeatureTest]:
    """Yield the splits of a TreeEnsemble."""
    names = ("featureids", "truenodeids", "trueleafs", "falsenodeids", "falseleafs")
    rows = [ctx.integers(f"nodes_{name}") or () for name in names]
    modes, numbers = ctx.array("nodes_modes"), ctx.array("nodes_splits")
    missing = ctx.integers("nodes_missing_value_tracks_true") or (0,) * modes.size
    columns = (modes.tolist(), numbers.tolist(), missing, *rows)
    ctx.require(len({len(column) for column in columns}) == 1, "its nodes_* differ in length")
    sets = _members(ctx)
    for mode, number, nan_is_yes, feature, yes, yes_leaf, no, no_leaf in zip(*columns, strict=True):
        ctx.require(0 <= mode < len(MODES), f"attribute 'nodes_modes' holds {mode}")
        members = next(sets, ()) if MODES[mode] == "MEMBER" else (number,)
        ways = (~yes if yes_leaf else yes, ~no if no_leaf else no)
        yield split(MODES[mode], feature, members, ways, bool(nan_is_yes))


def _members(ctx: NodeContext) -> Iterator[tuple[float, ...]]:
    """Yield the sets of numbers that NaN parts from each other."""
    members: list[float] = []
    for number in ctx.array("membership_values").tolist():
        if number == number:
            members.append(number)
        else:
            yield tuple(members)
            members = []
    yield tuple(members)


def split(
    mode: str, feature: int, numbers: tuple[float, ...], ways: tuple[int, int], missing: bool
) -> FeatureTest:
    """Return a split; NEQ is EQ with its ways exchanged, and NaN is unequal to all."""
    if mode == "NEQ":
        return FeatureTest(feature, Mode.EQ, numbers, ways[1], ways[0])
    return FeatureTest(feature, Mode["EQ" if mode == "MEMBER" else mode], numbers, *ways, missing)


def leaf_weights(
    ctx: NodeContext, targets: int, leaves: int, places: Iterable[tuple[int, int]], weights: Array
) -> Array:
    """Return weights [leaf, target] from those at some leaves and targets."""
    pairs = [*places]
    ctx.require(targets >= 1, f"attribute 'n_targets' is {targets}", "use a number >= 1")
    ctx.require(len(pairs) == weights.size, f"has {weights.size} weights for {len(pairs)} leaves")
    ctx.require(leaves * targets <= MOST_ELEMENTS, f"has {leaves} leaves of {targets} targets")
    table = np.zeros((leaves, targets), np.float64)
    for (leaf, target), weight in zip(pairs, weights.tolist(), strict=True):
        inside = 0 <= leaf < leaves and 0 <= target < targets
        ctx.require(inside, f"has a weight at leaf {leaf}, target {target}, which are not there")
        table[leaf, target] += weight
    return table


def reached(ctx: NodeContext, forest: Forest, aggregate: str) -> SSAValue:
    """Return sums or means [batch, target] of the weights of the leaves that each row reaches."""
    x = ctx.value(0)
    known = aggregate in ("SUM", "AVERAGE")
    ctx.require(known, f"attribute 'aggregate_function' is {aggregate}", "use SUM or AVERAGE")
    shape = ctx.shape(x)
    ctx.require(ctx.dtype(x).is_float and len(shape) == 2, "input 0 must be a matrix of floats")
    try:
        one = tables(forest, MOST_ELEMENTS)
    except ValueError as error:
        raise NodeFault(str(error), "export the model again") from error
    ctx.require(one.features.min() >= 0 and one.features.max() < shape[1], "reads no such feature")
    trees, count, leaves = one.edges.shape
    ways = ctx.reshape(cast_like(ctx, _holds(ctx, x, one), x), (shape[0], trees, count))
    sums = ctx.emit("MatMul", ctx.transpose(ways, (1, 0, 2)), like(ctx, one.edges, x))
    wanted = like(ctx, one.sums.reshape(trees, 1, leaves), x)
    hits = cast_like(ctx, ctx.emit("ElementWiseEqual", sums, wanted), x)
    factor = 1 / trees if aggregate == "AVERAGE" else 1.0
    scores = ctx.emit("MatMul", hits, like(ctx, one.weights * factor, x))
    return ctx.emit("ReduceSum", scores, axes=[0], keep_dims=False)


def _holds(ctx: NodeContext, x: SSAValue, one: Tables) -> SSAValue:
    """Tell of each row and split [batch, tree * split] which way it goes."""
    elements = ctx.emit("Gather", x, ctx.const(one.features.reshape(-1)), axis=1)
    tests = [
        ctx.emit(mode.value, elements, like(ctx, numbers.reshape(-1), x))
        for mode, numbers in one.tests
    ]
    if one.missing.any():
        missing = ctx.emit("ElementWiseNotEqual", elements, elements)
        tests.append(ctx.emit("ElementWiseAnd", missing, ctx.const(one.missing.reshape(-1))))
    return reduce(lambda a, b: ctx.emit("ElementWiseOr", a, b), tests)
