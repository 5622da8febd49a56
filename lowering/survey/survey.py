"""The survey as a value: rows of like nodes, how far they get, and what they run on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.context import Context

from ...dialects.diagnostics import Fault
from ..levels import Level
from ..passes.lower import Lower
from .descent import Descent, Fate, descend
from .imported import Imported, ModelNode
from .kernels import KernelUse

T = TypeVar("T")

REFUSED, UNKNOWN = "refused", "unknown"
EXTENTS = (REFUSED, UNKNOWN, *(level.value for level in Level))
"""Words for the lowest level that a node gets to: none, one that is not known, the levels."""


@dataclass(frozen=True)
class Way:
    """A node's way down: its op, the graph ops, the lowest level that they get to, the kernels.

    `reason` is why it gets no further, and what to do; two empty texts where nothing keeps it.
    `types` is what the ops of a quantised model compute with, reals with the reason.
    """

    op: str
    through: str
    becomes: tuple[str, ...]
    extent: str
    kernels: tuple[KernelUse, ...] = ()
    fused: tuple[KernelUse, ...] = ()
    reason: tuple[str, str] = ("", "")
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class SurveyRow:
    """The nodes that go one way, by name."""

    way: Way
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Survey:
    """All nodes of a model, those first that get the least far; `faults` are of no single one.

    `goal` is the level that was asked for.
    """

    rows: tuple[SurveyRow, ...]
    faults: tuple[Fault, ...]
    goal: Level

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return sum(len(row.nodes) for row in self.rows)

    @property
    def extents(self) -> dict[str, int]:
        """The number of nodes that get so far and no further, the least first."""
        counts = Counter(row.way.extent for row in self.rows for _ in row.nodes)
        return {extent: counts[extent] for extent in EXTENTS if counts[extent]}

    @property
    def short(self) -> int:
        """The number of nodes that do not get to the level that was asked for."""
        return self.nodes - self.extents.get(self.goal.value, 0)

    @property
    def all_run(self) -> bool:
        """True where the model as a whole gets there."""
        return not self.short and not self.faults


def survey(model: Imported, ctx: Context, config: Lower) -> Survey:
    """Lower what can be lowered of a model, and say of each node how far it gets."""
    goal = Level(config.level)
    descent = Descent(()) if model.module is None else descend(model.module, ctx, config)
    fates: list[list[Fate]] = [[] for _ in model.nodes]
    for owner, fate in zip(model.owners, descent.fates, strict=True):
        if owner is not None:
            fates[owner].append(fate)
    ways: dict[Way, list[str]] = {}
    for node, own in zip(model.nodes, fates, strict=True):
        ways.setdefault(_way(node, own, goal), []).append(node.name)
    rows = [SurveyRow(way, tuple(names)) for way, names in ways.items()]
    ops = list(dict.fromkeys(way.op for way in ways))
    rows.sort(key=lambda row: (EXTENTS.index(row.way.extent), ops.index(row.way.op)))
    return Survey(tuple(rows), (*model.faults, *descent.faults), goal)


def _way(node: ModelNode, fates: Sequence[Fate], goal: Level) -> Way:
    """Put together what became of a node's graph ops; one with a fault keeps the node back."""
    if node.fault is not None or not node.reached:
        extent = REFUSED if node.reached else UNKNOWN
        return Way(node.op, node.through, (), extent, reason=node.reason)
    extents = [fate.level.value for fate in fates]
    faults = [fate.fault for fate in fates if fate.fault is not None]
    return Way(
        node.op,
        node.through,
        _once(name.partition(".")[2] for fate in fates for name in fate.names),
        min(extents, key=EXTENTS.index, default=goal.value),
        _once(use for fate in fates for use in fate.kernels),
        _once(use for fate in fates for use in fate.fused),
        (faults[0].problem, faults[0].remedy) if faults else ("", ""),
        _once(word for fate in fates for word in fate.types),
    )


def _once(values: Iterable[T]) -> tuple[T, ...]:
    """Return each value once, in the order in which they come first."""
    return tuple(dict.fromkeys(values))
