"""Plan which ops run tile by tile, and write it on the ops for the rules of group TILING."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import DRAINED, GATHERED, IN_STEP, MADE_ANEW, PLANNED_LAYOUT, TILE_PLAN
from ....dialects.htp import NativeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import LayoutKind
from ...levels import bodies, note_graph
from ...packages.loading import packages_of
from ...patterns.tcm_need import needs_more
from ...patterns.tile_table import ROWS
from ...planner.tiling import SUMMED, TileProgram, TilingPlan, choose_plan, plan_tiles
from ...planner.tiling.chosen import plan_around
from ...rules.graph.graph import Node, OpTables
from ...rules.language.tile_plan import plan_attr, windows_attr
from ...soc import MIB, check_tcm_options
from ..placement.choose_places import choose_layouts
from ..placement.properties import HALF, constraints_of, placer
from .plan_file import WishReader, read_wishes
from .plan_table import OpNames, PlanTable, plan_table
from .tile_program import TileReader, data_operands


def bring_close(block: Block) -> None:
    """Move the ops that alone lead to the largest operand of an op to right in front of it."""
    native, moved = [op for op in block.ops if isinstance(op, NativeOp)], set[Operation]()
    for op in reversed(native):
        for own in () if op in moved else _leading(op):
            own.detach()
            block.insert_op_before(own, op)
            moved.add(own)


def _leading(op: Operation) -> list[Operation]:
    """List, in order, the ops that lead to the largest of an op's operands, and to nothing else."""
    leading, sizes = list[Operation](), sorted(map(_size, {*_computed(op)}))
    maker = _maker(op) if len(sizes) > 1 and sizes[-2] < sizes[-1] else None
    while maker is not None:
        leading.insert(0, maker)
        maker = _maker(maker)
    return leading


def _maker(op: Operation) -> Operation | None:
    """Return the op that makes the largest operand of an op for it alone, and nothing else."""
    value = max(_computed(op), key=_size, default=None)
    if value is None or not isinstance(value.owner, Operation) or not value.has_one_use():
        return None
    return value.owner if len(value.owner.results) == 1 else None


def _computed(op: Operation) -> list[SSAValue]:
    """List the operands of an op that other ops compute."""
    data = (value for _, value in data_operands(op))
    return [v for v in data if isinstance(v.owner, Operation) and v.owner.operands]


def _size(value: SSAValue) -> int:
    return spec_of(value).nbytes


Tables = dict[Operation, PlanTable]
"""The plans of functions."""
_TABLES: ContextVar[Tables | None] = ContextVar("tile plans", default=None)


@contextmanager
def collecting_plans() -> Iterator[Tables]:
    """Collect the plan of each function that htp-plan-tiles plans inside the block."""
    tables: Tables = {}
    token = _TABLES.set(tables)
    try:
        yield tables
    finally:
        _TABLES.reset(token)


@dataclass(frozen=True)
class PlanTiles(ModulePass):
    """Native level to native level: `htp.tile` on ops that are to be cut, or to stay whole.

    `htp.layout` is the layout of the result in the plan, where kernels leave that open.
    The plan minimises the bytes between main memory and TCM: chains of ops go tile by tile, so
    that the tensors between them never leave TCM, and single ops get the tiles and the nesting
    that read their operands least often. Where it is silent, the rules of group TILING halve what
    is too large. Plans are replayed step by step, and the best is taken. `tiles` is a file with
    tiles of your own for some ops: the JSON of `--save-tiles`, or lines `conv1: H=16 D=64`, dims
    B, H, W, D and K for a sum, the outermost first, with `, in step` where the tiles are made as
    those of the next op ask for them. Where only the last op in step is cut along the outer of two
    dims, the others make what each of its stripes needs anew. HtpError for a node that is not
    there and tiles that do not fit.
    """

    name = "htp-plan-tiles"

    tcm_bytes: int = 8 * MIB
    tiles: str = ""
    FILES: ClassVar[tuple[str, ...]] = ("tiles",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        note_graph(op, self.name)
        packages = packages_of(ctx)
        tables, by = packages.tables, placer(sys.maxsize, packages)
        for block in bodies(op):
            bring_close(block)
            # The layouts are those of tiles, which are small enough for the TCM.
            reader = TileReader(tables, choose_layouts(block, by), self.tcm_bytes // HALF)
            reader = read_block(reader, block)
            plan = self._plan(block, reader)
            _write(tables, reader.ops, plan, self.tcm_bytes // HALF)
            collected, function = _TABLES.get(), block.parent_op()
            if collected is not None and function is not None:
                names = OpNames(reader.ops)
                collected[function] = plan_table(names, reader.values, plan, self.tcm_bytes)

    def _plan(self, block: Block, reader: TileReader) -> TilingPlan:
        """Plan a block, around the tiles that the file gives."""
        function, program = block.parent_op(), reader.program()
        planner = partial(plan_tiles, capacity=self.tcm_bytes, room=self.tcm_bytes // HALF)
        if not self.tiles or not isinstance(function, FuncOp):
            return choose_plan(program, self.tcm_bytes)
        wishes = read_wishes(self.tiles, function.sym_name.data)
        own = WishReader(OpNames(reader.ops), program)
        plan, misfit = plan_around(program, own.chosen(wishes), planner)
        if misfit:
            raise own.misfit(misfit, wishes, self.tcm_bytes)
        return plan


def read_block(reader: TileReader, block: Block) -> TileReader:
    """Have a reader read the ops of a block."""
    for op in block.ops:
        reader.read(op)
    return reader


def _write(tables: OpTables, ops: Iterable[Operation], plan: TilingPlan, limit: int) -> None:
    """Put cuts on the ops; one that stays whole says so where it would be halved else.

    Only ops of the tile table are halved; rules of packages do with their own ops as they like.
    """
    cuts, windows, drained, gathered = plan.cuts, plan.windows, plan.drained, plan.gathered
    for at, op in enumerate(ops):
        if at not in cuts or not op.results:
            continue
        shape = Node(op.results[0]).shape
        real = [(dim, n) for dim, n in cuts[at] if dim == SUMMED or n < shape[dim]]
        if real or (op.name in ROWS and needs_more(tables, Node(op.results[0]), limit)):
            op.attributes[TILE_PLAN] = plan_attr(real)
        if at in windows:
            op.attributes[TILE_PLAN] = plan_attr(real)
            op.attributes[MADE_ANEW] = windows_attr(windows[at])
        if op.name in ROWS and (layout := _layout(tables, op, plan.program, at)) is not None:
            op.attributes[PLANNED_LAYOUT] = StringAttr(layout.value)
        if at in plan.in_step:
            op.attributes[IN_STEP] = UnitAttr()
        if real and at in drained:
            op.attributes[DRAINED] = UnitAttr()
        elif real and at in gathered:
            op.attributes[GATHERED] = UnitAttr()


def _layout(tables: OpTables, op: Operation, program: TileProgram, at: int) -> LayoutKind | None:
    """Return the layout that a plan gives the result of an op; None where it demands one."""
    planned = program.ops[at]
    if planned.moves_only or constraints_of(tables.properties, op).results[0].layout:
        return None
    chunk = program.tensors[planned.results[0]].chunk
    return LayoutKind.CROUTON if prod(chunk) > 1 else LayoutKind.FLAT
