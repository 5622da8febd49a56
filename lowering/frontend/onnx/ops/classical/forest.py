"""Decision trees as two products of matrices: which way each split goes, then which leaf that is.

A leaf is reached where all splits on its path go its way. With 1 for a split that goes the yes way,
+1 for each split that the leaf wants to go so, and -1 for each that it does not, the sum is the
number of the former exactly at that leaf. A tree of two splits, `0: yes -> leaf 0, no -> split 1`
and `1: yes -> leaf 1, no -> leaf 2`, has the columns [1, 0], [-1, 1] and [-1, -1], and the sums to
reach are 1, 1 and 0. It costs trees * splits * leaves products for each row. Source: Nakandala et
al., A Tensor Compiler for Unified Machine Learning Prediction Serving, OSDI 2020, section 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray


class Mode(Enum):
    """The test of a split: the element, then the split's number."""

    LEQ = "ElementWiseLessEqual"
    LT = "ElementWiseLess"
    GTE = "ElementWiseGreaterEqual"
    GT = "ElementWiseGreater"
    EQ = "ElementWiseEqual"


@dataclass(frozen=True)
class FeatureTest:
    """A test of one feature against numbers, of which one must hold, and where it leads.

    `yes` and `no` are splits, or leaves as their numbers' complements: ~0, ~1.
    """

    feature: int
    mode: Mode
    numbers: tuple[float, ...]
    yes: int
    no: int
    missing_is_yes: bool = False


Path = tuple[int, tuple[tuple[int, bool], ...]]
"""A leaf, and each split on the way to it with the way that it goes."""


@dataclass(frozen=True)
class Forest:
    """Trees by their roots, over splits and over the weights [leaf, target] of leaves."""

    splits: Sequence[FeatureTest]
    roots: Sequence[int]
    weights: NDArray[np.floating]

    def paths(self, root: int) -> list[Path]:
        """Return the paths of a tree; ValueError for what is no tree."""
        seen: set[int] = set()
        left: list[tuple[int, tuple[tuple[int, bool], ...]]] = [(root, ())]
        paths = []
        while left:
            at, way = left.pop()
            if at < 0:
                if ~at >= len(self.weights):
                    raise ValueError(f"leaf {~at} is none of {len(self.weights)}")
                paths.append((~at, way))
                continue
            if at in seen or at >= len(self.splits):
                raise ValueError(f"split {at} is none, or reached twice")
            seen.add(at)
            split = self.splits[at]
            left += [(split.no, (*way, (at, False))), (split.yes, (*way, (at, True)))]
        return paths


@dataclass(frozen=True)
class Tables:
    """The arrays of a forest, with as many splits n and leaves m as its largest tree has.

    `features` [tree, n]; `tests` are modes with their numbers [tree, n], NaN where there is none;
    `missing` [tree, n] tells where NaN goes the yes way; `edges` [tree, n, m]; `sums` [tree, m];
    `weights` [tree, m, target].
    """

    features: NDArray[np.int32]
    tests: list[tuple[Mode, NDArray[np.float64]]]
    missing: NDArray[np.bool_]
    edges: NDArray[np.float64]
    sums: NDArray[np.float64]
    weights: NDArray[np.floating]


def tables(forest: Forest, most: int) -> Tables:
    """Return the tables of a forest; ValueError for what is no tree, or takes more than `most`."""
    trees = [forest.paths(root) for root in forest.roots]
    used = [sorted({split for _, way in paths for split, _ in way}) for paths in trees]
    count = max(1, *map(len, used))
    leaves = max(map(len, trees))
    if len(trees) * leaves * max(count, forest.weights.shape[1]) > most:
        raise ValueError(f"{len(trees)} trees of up to {count} splits are too many to compute")
    edges = np.zeros((len(trees), count, leaves))
    # No sum is as small as that of a leaf that is not there.
    sums = np.full((len(trees), leaves), -count - 1.0)
    weights = np.zeros((len(trees), leaves, forest.weights.shape[1]), forest.weights.dtype)
    for tree, (paths, splits) in enumerate(zip(trees, used, strict=True)):
        row = {split: place for place, split in enumerate(splits)}
        for column, (leaf, way) in enumerate(paths):
            for split, goes in way:
                edges[tree, row[split], column] = 1 if goes else -1
            sums[tree, column] = sum(goes for _, goes in way)
            weights[tree, column] = forest.weights[leaf]
    features = np.zeros((len(trees), count), np.int32)
    missing = np.zeros((len(trees), count), np.bool_)
    for tree, splits in enumerate(used):
        for place, number in enumerate(splits):
            features[tree, place] = forest.splits[number].feature
            missing[tree, place] = forest.splits[number].missing_is_yes
    return Tables(features, _tests(forest, used, count), missing, edges, sums, weights)


def _tests(
    forest: Forest, used: Sequence[Sequence[int]], count: int
) -> list[tuple[Mode, NDArray[np.float64]]]:
    """Return the numbers of each mode; splits with several numbers have several tests."""
    tests: dict[tuple[Mode, int], NDArray[np.float64]] = {}
    for tree, splits in enumerate(used):
        for place, number in enumerate(splits):
            split = forest.splits[number]
            for which, value in enumerate(split.numbers):
                empty = np.full((len(used), count), np.nan)
                tests.setdefault((split.mode, which), empty)[tree, place] = value
    return [(mode, numbers) for (mode, _), numbers in tests.items()]
