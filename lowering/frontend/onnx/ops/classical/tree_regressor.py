"""TreeEnsembleRegressor and -Classifier: trees whose nodes and leaves have numbers of their own.

Source: ONNX-ML operator spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import SSAValue

from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ..activation import plus
from ..tensors.steps import like, piece
from .classical import (
    DOMAIN,
    labelled,
    of_second_class,
    post_transformed,
    whole_labels,
)
from .forest import FeatureTest, Forest
from .trees import (
    MODES,
    leaf_weights,
    reached,
    split,
)

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("TreeEnsembleRegressor", domain=DOMAIN)
def tree_regressor(ctx: NodeContext) -> list[SSAValue]:
    """TreeEnsembleRegressor: sums or means of the weights of leaves, plus base values."""
    forest = _forest(ctx, "target", ctx.integer("n_targets", 1))
    scores = _based(ctx, reached(ctx, forest, ctx.text("aggregate_function", "SUM")))
    return [post_transformed(ctx, scores, ctx.text("post_transform", "NONE"))]


@ONNX.importer("TreeEnsembleClassifier", domain=DOMAIN)
def tree_classifier(ctx: NodeContext) -> list[SSAValue]:
    """TreeEnsembleClassifier of labels that are integers: the label, and scores of all classes.

    Of two classes only the first may have weights: they speak for the second.
    """
    labels = whole_labels(ctx, "classlabels_int64s")
    forest = _forest(ctx, "class", len(labels))
    scores = reached(ctx, forest, "SUM")
    if len(labels) == 2 and {*_ints(ctx, "class_ids")} == {0}:
        score = _based(ctx, piece(ctx, scores, {1: (0, 1, 1)}))
        return of_second_class(ctx, labels, score, min(ctx.reals("class_weights")) >= 0)
    problem = "has two classes and weights of the second alone"
    ctx.require({*_ints(ctx, "class_ids")} != {1} or len(labels) > 2, problem, "number it 0")
    scores, kind = _based(ctx, scores), ctx.text("post_transform", "NONE")
    return [labelled(ctx, labels, scores), post_transformed(ctx, scores, kind)]


def _forest(ctx: NodeContext, prefix: str, targets: int) -> Forest:
    """Return the trees with the weights of their leaves, whose attributes have a prefix."""
    ctx.reals("nodes_hitrates")
    nodes = _nodes(ctx)
    roots = [nodes.child(tree, node) for tree, node in nodes.firsts()]
    columns = [_ints(ctx, f"{prefix}_{name}") for name in ("treeids", "nodeids", "ids")]
    same = len({len(column) for column in columns}) == 1
    ctx.require(same, f"its {prefix}_* differ in length")
    leaves = [(nodes.places.get((t, n), -1), target) for t, n, target in zip(*columns, strict=True)]
    numbers = np.array(ctx.reals(f"{prefix}_weights"))
    weights = leaf_weights(ctx, targets, len(nodes.modes), leaves, numbers)
    return Forest(_splits(ctx, nodes), roots, weights)


def _based(ctx: NodeContext, scores: SSAValue) -> SSAValue:
    """Return scores plus the base values, if there are any."""
    base, width = ctx.reals("base_values"), ctx.shape(scores)[1]
    problem = f"attribute 'base_values' has {len(base)} numbers"
    ctx.require(len(base) in (0, width), problem, f"give it {width}")
    return plus(ctx, scores, like(ctx, np.array(base), scores)) if base else scores


@dataclass(frozen=True)
class _Nodes:
    """The nodes' places by tree and number, and the test of each, or LEAF."""

    places: dict[tuple[int, int], int]
    modes: Sequence[str]

    def child(self, tree: int, node: int) -> int:
        """Return a node as a split or a leaf of a forest; none of them where it is not there."""
        place = self.places.get((tree, node), len(self.modes))
        is_leaf = place < len(self.modes) and self.modes[place] == "LEAF"
        return ~place if is_leaf else place

    def firsts(self) -> list[tuple[int, int]]:
        """Return the first node of each tree, which is its root."""
        return list({tree: (tree, node) for tree, node in reversed(self.places)}.values())


def _nodes(ctx: NodeContext) -> _Nodes:
    trees, numbers = _ints(ctx, "nodes_treeids"), _ints(ctx, "nodes_nodeids")
    modes = [mode.removeprefix("BRANCH_") for mode in ctx.texts("nodes_modes")]
    places = {key: place for place, key in enumerate(zip(trees, numbers, strict=False))}
    same = len(places) == len(trees) == len(numbers) == len(modes)
    ctx.require(same, "its nodes have no numbers of their own", "export the model again")
    for mode in modes:
        known = mode == "LEAF" or mode in MODES[:-1]
        ctx.require(known, f"attribute 'nodes_modes' holds {mode}")
    return _Nodes(places, modes)


def _splits(ctx: NodeContext, nodes: _Nodes) -> list[FeatureTest]:
    """Return the splits; in the place of a leaf stands one that no way leads to."""
    names = ("featureids", "truenodeids", "falsenodeids")
    rows = [_ints(ctx, f"nodes_{name}") for name in names]
    missing = _ints(ctx, "nodes_missing_value_tracks_true") or (0,) * len(nodes.modes)
    columns = (nodes.modes, ctx.reals("nodes_values"), missing, nodes.places, *rows)
    ctx.require(len({len(column) for column in columns}) == 1, "its nodes_* differ in length")
    splits = []
    for mode, value, nan_is_yes, (tree, _), feature, yes, no in zip(*columns, strict=True):
        ways = nodes.child(tree, yes), nodes.child(tree, no)
        test = MODES[0] if mode == "LEAF" else mode
        splits.append(split(test, feature, (value,), ways, bool(nan_is_yes)))
    return splits


def _ints(ctx: NodeContext, name: str) -> tuple[int, ...]:
    return ctx.integers(name) or ()
