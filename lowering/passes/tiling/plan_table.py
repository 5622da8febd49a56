"""Tile plans by the names of the model: what runs in which tiles, and why, as text and JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import counted
from ....dialects.locations import origins_of
from ...levels import mnemonic, operand_label
from ...planner.tiling.explained import RunnerUp, SegmentFacts, explain
from ...planner.tiling.program import Cuts
from ...planner.tiling.search import TilingPlan

DIMS = tuple("BHWDK")
"""The letters of the dims of a result; K is the dim that it is summed over."""
IN_STEP = "in step"


@dataclass(frozen=True)
class PlannedOp:
    """An op by its node, its name and its number among the ops of both, and its tiles by dim.

    `tiles` are empty for an op that stays whole, and None where the plan leaves it to the rules.
    `in_step` is true where its tiles are made as those of a later op ask for them.
    """

    node: str
    op: str
    number: int
    tiles: Mapping[str, int] | None
    in_step: bool = False


@dataclass(frozen=True)
class PlannedSegment:
    """Ops that run one by one, or in step tile by tile.

    The last op runs in `strips`, `stripes` times over. `pinned` and `rings` are bytes of TCM by
    tensor: what every tile reads whole, and what stays from tile to tile. `drained` are bytes of
    main memory: what is written there as it is made, and read there.
    """

    ops: Sequence[PlannedOp]
    strips: int
    stripes: int
    pinned: Mapping[str, int]
    rings: Mapping[str, int]
    drained: Mapping[str, int]
    bytes: int
    calls: int
    runner_up: Mapping[str, Any] | None


@dataclass(frozen=True)
class PlanTable:
    """The tile plan of a function for a TCM; `cut_short`: a limit ended the search."""

    tcm_bytes: int
    segments: Sequence[PlannedSegment]
    cut_short: bool = False

    @property
    def bytes(self) -> int:
        """The bytes that the plan expects to move."""
        return sum(segment.bytes for segment in self.segments)


@dataclass
class OpNames:
    """The names of ops in order: a node or a place that each comes from, and its own name."""

    ops: Sequence[Operation]
    by_name: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def __post_init__(self) -> None:
        for at, op in enumerate(self.ops):
            for name in names_of(op):
                self.by_name.setdefault(name, []).append(at)

    def positions(self, node: str, op: str = "") -> list[int]:
        """List the positions of the ops of a node, or of those with a name."""
        every = self.by_name.get(node, [])
        return [at for at in every if op in ("", mnemonic(self.ops[at]))]

    def planned(self, at: int, cuts: Cuts | None, in_step: bool) -> PlannedOp:
        """Name an op with its cuts."""
        node, op = names_of(self.ops[at])[0], mnemonic(self.ops[at])
        tiles = None if cuts is None else {DIMS[dim]: size for dim, size in cuts}
        return PlannedOp(node, op, self.positions(node, op).index(at) + 1, tiles, in_step)


def names_of(op: Operation) -> list[str]:
    """List the nodes and the places that an op comes from, or else its name."""
    every = (origin.node or origin.position for origin in origins_of(op))
    return list(dict.fromkeys(filter(None, every))) or [mnemonic(op)]


def plan_table(
    names: OpNames, values: Sequence[SSAValue], plan: TilingPlan, tcm_bytes: int
) -> PlanTable:
    """Name the ops and the tensors of a plan; `values` are the tensors by number."""
    segments = [_segment(names, values, each) for each in explain(plan)]
    return PlanTable(tcm_bytes, segments, plan.cut_short)


def _segment(names: OpNames, values: Sequence[SSAValue], facts: SegmentFacts) -> PlannedSegment:
    def named(sizes: Mapping[int, int]) -> dict[str, int]:
        return {_tensor(values[number]): size for number, size in sizes.items()}

    return PlannedSegment(
        [
            names.planned(at, facts.cuts.get(at), at < facts.end - 1)
            for at in range(facts.start, facts.end)
        ],
        facts.strips,
        facts.stripes,
        named(facts.pinned),
        named(facts.rings),
        named(facts.drained),
        facts.bytes,
        facts.calls,
        _other(facts, facts.runner_up) if facts.runner_up else None,
    )


def _tensor(value: SSAValue) -> str:
    """Name a result by its op, and an operand from outside by its first reader."""
    if isinstance(value.owner, Operation) and (value.owner.operands or not value.first_use):
        return f"{mnemonic(value.owner)} '{names_of(value.owner)[0]}'"
    use = value.first_use
    if use is None:
        return "an input"
    label = operand_label(use.operation, use.index)
    return f"'{label}' of {mnemonic(use.operation)} '{names_of(use.operation)[0]}'"


def _other(facts: SegmentFacts, other: RunnerUp) -> dict[str, Any]:
    """Describe the runner-up by the tiles of the last op."""
    tiles = {DIMS[dim]: size for dim, size in other.cuts.get(facts.end - 1, ())}
    price = other.price
    return {"tiles": tiles, "apart": other.apart, "bytes": price.bytes, "calls": price.calls}


def table_json(tables: Mapping[str, PlanTable | None]) -> str:
    """Write the tables of functions as JSON, which `htp-lower{tiles=FILE}` reads.

    That of a function that is best without tiles is null.
    """
    content = {name: asdict(table) if table else None for name, table in tables.items()}
    return json.dumps(content, indent=1) + "\n"


def table_text(name: str, table: PlanTable) -> Iterator[str]:
    """Write a table as lines: a segment, then its ops, what stays in TCM, and the runner-up."""
    limit = "; the search ended at its limit" if table.cut_short else ""
    yield f"{name}: {len(table.segments)} segments, {table.bytes:,} bytes planned{limit}"
    for number, segment in enumerate(table.segments, 1):
        times = f", {segment.stripes} times over" if segment.stripes > 1 else ""
        runs = f"{segment.strips} strips{times}: " if segment.strips > 1 else ""
        moves = f"{segment.bytes:,} bytes in {counted(segment.calls, 'call')}"
        ops = [op_text(op) for op in segment.ops]
        yield f"{number:>3}  {runs}{moves}" + (f", {ops[0]}" if len(ops) == 1 else "")
        yield from (f"       {each}" for each in ops if len(ops) > 1)
        stays = {"pinned": segment.pinned, "ring": segment.rings, "drained": segment.drained}
        for word, sizes in stays.items():
            yield from (f"     {word} {tensor}: {size:,} bytes" for tensor, size in sizes.items())
        if other := segment.runner_up:
            how = "each op by itself" if other["apart"] else tiles_text(other["tiles"])
            yield f"     runner-up: {how}, {other['bytes']:,} bytes"


def op_text(op: PlannedOp) -> str:
    """Write an op as a line of a plan in short form."""
    number = f"#{op.number}" if op.number > 1 else ""
    step = f", {IN_STEP}" if op.in_step and op.tiles else ""
    tiles = "by the rules" if op.tiles is None else tiles_text(op.tiles)
    return f"{op.node} {op.op}{number}: {tiles}{step}"


def tiles_text(tiles: Mapping[str, int]) -> str:
    """Write tiles as `H=16 D=64`, the outermost first."""
    return " ".join(f"{dim}={size}" for dim, size in tiles.items()) or "whole"
