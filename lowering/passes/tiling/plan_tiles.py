"""Plan which ops run tile by tile, and write it on the ops for the rules of group TILING."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ....dialects.attributes import IN_STEP, TILE_PLAN
from ...levels import bodies
from ...packages.loading import packages_of
from ...patterns.tcm_need import needs_more
from ...patterns.tile_table import ROWS
from ...planner.tiling import SUMMED, TilingPlan, plan_tiles
from ...rules.graph.graph import Node
from ...rules.graph.tables import OpTables
from ...rules.language.tile_plan import plan_attr
from ...soc import MIB, check_tcm_options
from ..placement.properties import HALF
from .tile_program import TileReader


@dataclass(frozen=True)
class PlanTiles(ModulePass):
    """Native level to native level: `htp.tile` on ops that are to be cut, or to stay whole.

    The plan minimises the bytes between main memory and TCM: chains of ops go tile by tile, so
    that the tensors between them never leave TCM, and single ops get the tiles and the nesting
    that read their operands least often. Where it is silent, the rules of group TILING halve what
    is too large. With `decoded` weights that are stored as integers beside floats count as the
    floats that they stand for: the tiles are those of a model of floats. With `blocks` chains may
    go in blocks of rows and columns. With `exact` ops go in step at ratios that give whole elements
    alone, and a Resize is flat unless its readers ask for another layout.
    """

    name = "htp-plan-tiles"

    tcm_bytes: int = 8 * MIB
    decoded: bool = False
    blocks: bool = False
    exact: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        tables = packages_of(ctx).tables
        for block in bodies(op):
            reader = TileReader(tables, self.decoded, self.exact)
            plan = tile_plan(block, reader, self.tcm_bytes, self.blocks)
            _write(tables, reader.ops, plan, self.tcm_bytes // HALF)


def tile_plan(block: Block, reader: TileReader, tcm_bytes: int, blocks: bool = False) -> TilingPlan:
    """The plan for the ops of a block that a reader sees."""
    for op in block.ops:
        reader.read(op)
    return plan_tiles(reader.program(), tcm_bytes, tcm_bytes // HALF, blocks)


def _write(tables: OpTables, ops: Iterable[Operation], plan: TilingPlan, limit: int) -> None:
    """Put cuts on the ops; one that stays whole says so where it would be halved else.

    Only ops of the tile table are halved; rules of packages do with their own ops as they like.
    """
    cuts = plan.cuts
    for at, op in enumerate(ops):
        if at not in cuts or not op.results:
            continue
        shape = Node(op.results[0]).shape
        real = [(dim, n) for dim, n in cuts[at] if dim == SUMMED or n < shape[dim]]
        if real or (op.name in ROWS and needs_more(tables, Node(op.results[0]), limit)):
            op.attributes[TILE_PLAN] = plan_attr(real)
        if real and at in plan.in_step:
            op.attributes[IN_STEP] = UnitAttr()
