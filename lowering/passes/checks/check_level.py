"""Checks of modules: no op is beyond the border of its level, and verification between passes.

The first op that does not belong to a level is an error. Verification also looks whether a value is
defined before it is used, which xDSL's verifier does not. Ops that
run from main memory, as they do not fit the TCM, are listed by the node that they come from.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl.dominance import strictly_dominates
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ....dialects.attributes import DEFAULT_PLACEMENT, verify_attributes
from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.faults.notes import note
from ....dialects.faults.op_faults import fail_at, invalid, title
from ....dialects.htp import ConstOp, NativeOp, ReshapeOp, ShapeOp
from ....dialects.htp.ops.copies import CopyOp, ReasonedOp
from ....dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.ops.const import ConstOp as GraphConstOp
from ....dialects.spec_of import spec_of
from ....dialects.value import CHUNK_BYTES, Memory, Place
from ....runtime.installed.universe import guests, way_down
from ....runtime.kernel.library import KernelRegistry
from ....runtime.passes import Instrument
from ....runtime.program.placing import declared_tcm
from ...levels import Level, bodies, is_boundary, is_tensor, level_of, operand_label, runs
from ...packages.loading import packages_of
from ...patterns.tcm_need import tcm_need
from ...planner.tiling import least_need
from ...rules.graph.graph import Node, OpTables
from ..tiling.tile_program import TileReader

Check = Callable[[Operation], str | None]
"""A function that says why an op does not belong, or None where it does."""

_NATIVE = (NativeOp, ConstOp, ShapeOp, StateReadOp, StateWriteOp, ReturnOp)


@dataclass(frozen=True)
class CheckLevel(ModulePass):
    """Check that a module is at a level: graph, native, placed or allocated."""

    name = "htp-check-level"

    level: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_level(op, level_of(self.level), packages_of(ctx).kernels)


def check_level(module: ModuleOp, level: Level, kernels: KernelRegistry | None = None) -> None:
    """Raise HtpError at the first op that does not belong to a level.

    An op of another dialect belongs to the graph and the native level if it is among `kernels`.
    Attributes of the module and its functions are checked too; those of other ops, the ops check.
    """
    for owner in (module, *module.body.block.ops):
        try:
            verify_attributes(owner)
        except VerifyException as error:
            raise fail("module", str(error), "fix the attribute or remove it") from error
    outer = (FuncOp,) if level is Level.GRAPH else (FuncOp, StateOp)
    for op in module.body.block.ops:
        if not isinstance(op, outer):
            outside = "stands in the module, outside every function"
            raise _misfit(op, level, outside, has_kernel=kernels is None)
    for block in bodies(module):
        for op in block.ops:
            # The first check is whether the op is one of the level's.
            is_kept = kernels is not None and _is_kept(op, level, kernels)
            for check in _CHECKS[level][is_kept:]:
                if why := check(op):
                    raise _misfit(op, level, why, has_kernel=kernels is None)


def refuse_guests(module: ModuleOp) -> None:
    """Raise HtpError at the first op of a plugin's dialect: nothing chooses places for it."""
    for op in (op for block in bodies(module) for op in block.ops):
        if op.dialect_name() in guests():
            raise _misfit(op, Level.PLACED, "is no native op", has_kernel=True)


def _is_kept(op: Operation, level: Level, kernels: KernelRegistry) -> bool:
    above = level in (Level.GRAPH, Level.NATIVE)
    return above and op.dialect_name() in guests() and bool(kernels.kernels(op.name))


def reached_level(module: ModuleOp) -> Level:
    """Return the level that a module seems to be at, by its ops and places; it is not checked."""
    ops = [op for block in bodies(module) for op in block.ops if not isinstance(op, ReturnOp)]
    if not any(isinstance(op, _NATIVE) for op in ops) or any(map(_is_graph_op, ops)):
        return Level.GRAPH
    if any("kernel" in op.properties for op in ops):
        return Level.ALLOCATED
    return Level.PLACED if any(map(_unplaced, ops)) else Level.NATIVE


def note_lowered(module: ModuleOp) -> None:
    """Note that a pass for graphs runs where none is left."""
    level = reached_level(module)
    if level is not Level.GRAPH:
        problem = f"is at the {level.value} level, where qti passes find no graph op"
        note(Fault("module", problem, "run them before htp-lower"))


def _is_graph_op(op: Operation) -> bool:
    return isinstance(op, (GraphOp, GraphConstOp))


def _misfit(op: Operation, level: Level, why: str, *, has_kernel: bool) -> HtpError:
    remedy = way_down(op.dialect_name(), _WAY[level], has_kernel=has_kernel)
    return fail_at(op, f"does not belong to the {level.value} level: it {why}", remedy)


_WAY = {
    Level.GRAPH: "a graph holds qti_aisw ops on tensors without a place",
    Level.NATIVE: "convert-qti-aisw-to-htp makes this level",
    Level.PLACED: "htp-assign-places and htp-realise-places make this level",
    Level.ALLOCATED: "htp-schedule, htp-allocate and htp-select-kernels make this level",
}


def _graph_op(op: Operation) -> str | None:
    return None if _is_graph_op(op) or isinstance(op, ReturnOp) else "is no graph op"


def _native_op(op: Operation) -> str | None:
    return None if isinstance(op, _NATIVE) else "is no native op"


def _no_copies(op: Operation) -> str | None:
    return "moves a tensor between places" if isinstance(op, CopyOp) else None


def _no_moves(op: Operation) -> str | None:
    moves = isinstance(op, ReasonedOp)
    return "spills or fills, which only the allocated level does" if moves else None


def _boundary(op: Operation) -> str | None:
    """Arguments go through a Reshape, and so does what is returned."""
    if isinstance(op, ReshapeOp):
        return None
    for index, operand in enumerate(op.operands):
        from_reshape = isinstance(operand.owner, ReshapeOp)
        if isinstance(op, ReturnOp) and not from_reshape:
            return f"returns operand {index}, which no Reshape makes"
        if not isinstance(op, ReturnOp) and not isinstance(operand.owner, Operation):
            return f"reads '{operand_label(op, index)}' without a Reshape"
    return None


def _places(op: Operation) -> Iterator[tuple[str, SSAValue, Place | None]]:
    for index, result in enumerate(op.results):
        if is_tensor(result):
            yield f"result {index}", result, spec_of(result).place


def _unplaced(op: Operation) -> str | None:
    placed = [name for name, _, place in _places(op) if place]
    return f"gives its {placed[0]} a place" if placed else None


def _placed(op: Operation) -> str | None:
    for name, value, place in _places(op):
        if is_boundary(value) and place:
            return f"gives its {name} a place, and that leaves the function"
        if not is_boundary(value) and not place:
            return f"gives its {name} no place"
    return None


def _no_offset(op: Operation) -> str | None:
    with_offset = [name for name, _, place in _places(op) if place and place.offset is not None]
    return f"gives its {with_offset[0]} an offset" if with_offset else None


def _offset(op: Operation) -> str | None:
    for name, _, place in _places(op):
        if place and place.memory is Memory.TCM and place.offset is None:
            return f"gives its {name} no offset in TCM"
    return None


def _no_scratch(op: Operation) -> str | None:
    stated = isinstance(op, NativeOp) and op.scratch is not None
    return "states its scratch, which only the allocated level does" if stated else None


def _scratch(op: Operation) -> str | None:
    for index, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
        if spec.memory is Memory.TCM and (spec.place is None or spec.place.offset is None):
            return f"gives its scratch {index} no offset in TCM"
    return None


def _kernel(op: Operation) -> str | None:
    return "names no kernel" if runs(op) and "kernel" not in op.properties else None


_CHECKS: dict[Level, Sequence[Check]] = {
    Level.GRAPH: (_graph_op, _unplaced),
    Level.NATIVE: (_native_op, _no_copies, _boundary, _unplaced, _no_scratch),
    Level.PLACED: (_native_op, _no_moves, _boundary, _placed, _no_offset, _no_scratch),
    Level.ALLOCATED: (_native_op, _boundary, _placed, _offset, _kernel, _scratch),
}


def check_dominance(module: ModuleOp) -> None:
    """Raise HtpError at the first operand whose definition does not come before its use."""
    position = {op: index for block in module.walk_blocks() for index, op in enumerate(block.ops)}
    for op in module.walk():
        for index, operand in enumerate(op.operands):
            if not _comes_before(operand, op, position):
                owner = operand.owner
                maker = "a block argument" if isinstance(owner, Block) else owner.name
                raise fail_at(
                    op,
                    f"operand {index} is used before it is defined",
                    f"it is made by {maker}; move that in front of the use",
                )


def _comes_before(value: SSAValue, user: Operation, position: dict[Operation, int]) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    scope: Operation | None = user
    while scope is not None and block is not None:
        here = scope.parent
        if here is block:
            return isinstance(owner, Block) or position[owner] < position[scope]
        if here is not None and here.parent is block.parent:
            return strictly_dominates(block, here)
        scope = scope.parent_op()
    return False


Face = tuple[object, ...]
"""Everything of an op that its verifier may read."""


class Verifier:
    """A verifier that remembers valid ops and verifies them again where they have changed."""

    def __init__(self) -> None:
        self._valid: dict[Operation, Face] = {}

    def check(self, module: ModuleOp, after: str) -> None:
        """Verify the new and changed ops of a module; HtpError names the op and the pass before."""
        valid: dict[Operation, Face] = {}
        for op in module.walk():
            face = _face(op)
            if op.regions or self._valid.get(op) != face:
                try:
                    op.verify_()
                except VerifyException as error:
                    raise invalid(error, "", "this is a fault of the pass", after) from error
            valid[op] = face
        self._valid = valid


def _face(op: Operation) -> Face:
    """Operands, types, params; compared by identity first, so that large constants cost nothing."""
    return (
        op.operands,
        *(operand.type for operand in op.operands),
        *(result.type for result in op.results),
        *op.properties.items(),
        *op.attributes.items(),
    )


class Verification(Instrument):
    """Verifies after each pass what it changed, dominance included; HtpError names the pass."""

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self._verifier = Verifier()

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._verifier.check(module, step.name)
        check_dominance(module)


_SHOWN = 8
"""Nodes that are named one by one."""


@dataclass(frozen=True)
class TooLarge:
    """An op, or the tiles of it, without room in TCM: how many there are, and the largest need."""

    op: str
    count: int
    need: int

    def text(self, capacity: int | None) -> str:
        """Say what runs from main memory, and the bytes of TCM that it needs."""
        runs = f"{self.count} tiles of it run" if self.count > 1 else "runs"
        limit = "" if capacity is None else f", there are {capacity}"
        each = "one needs" if self.count > 1 else "it needs"
        return f"{runs} from main memory: {each} {self.need} bytes of TCM{limit}"


def too_large(module: ModuleOp, tables: OpTables) -> tuple[TooLarge, ...]:
    """List the ops with the mark `htp.home`, the largest need first; tiles of one op count once."""
    needs: dict[str, list[int]] = {}
    for op, need in _needs(module, tables):
        needs.setdefault(title(op), []).append(need)
    rows = (TooLarge(name, len(each), max(each)) for name, each in needs.items())
    return tuple(sorted(rows, key=lambda row: -row.need))


def _needs(module: ModuleOp, tables: OpTables) -> Iterator[tuple[Operation, int]]:
    for op in (op for block in bodies(module) for op in block.ops):
        if DEFAULT_PLACEMENT in op.attributes and op.results:
            need = tcm_need(tables, Node(op.results[0]), CHUNK_BYTES)
            yield op, min(need, _least(op, tables) or need)


def _least(op: Operation, tables: OpTables) -> int:
    """Count the bytes of TCM of the smallest tile that the planner would try of an op."""
    reader, twin = TileReader(tables), op.clone()
    del twin.attributes[DEFAULT_PLACEMENT]
    reader.read(twin)
    need = least_need(reader.program())
    twin.erase()
    return need


def warnings(module: ModuleOp, tables: OpTables) -> list[str]:
    """Write a line for each op that is too large for the TCM, then what to do; [] without any."""
    rows, capacity = too_large(module, tables), declared_tcm(module)
    if not rows:
        return []
    lines = [f"warning: {row.op}: {row.text(capacity)}" for row in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        lines.append(f"warning: {len(rows) - _SHOWN} further ops run from main memory")
    return [*lines, f"  give tcm-bytes={rows[0].need} at least, and all of them fit"]


def check_chunk_fits(module: ModuleOp, tables: OpTables, tcm_bytes: int) -> None:
    """Raise HtpError where an op needs a TCM that does not hold even a chunk."""
    needs = list(_needs(module, tables)) if tcm_bytes < CHUNK_BYTES else []
    if needs:
        op, need = max(needs, key=lambda pair: pair[1])
        problem = f"needs {need} bytes of TCM, there are {tcm_bytes}"
        problem += f", less than the {CHUNK_BYTES} of one chunk"
        remedy = f"give tcm-bytes={need} at least, or allow-reference=true for main memory"
        raise fail_at(op, problem, remedy)
