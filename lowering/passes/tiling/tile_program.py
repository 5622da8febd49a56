"""Read native IR as the tiling planner sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ....dialects.htp.access import RESULT, Access, Follow
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import ConstOp, ShapeOp
from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.value.layout import RANK
from ....dialects.value.place import LAYOUTS, LayoutKind, Memory
from ....dialects.value.spec import Shape, TensorSpec, spec_of
from ...levels import is_boundary, is_tensor, operand_label
from ...patterns.tile_table import ROWS
from ...planner.tiling import SUMMED, AccessMap, Operand, Tensor, TileOp, TileProgram
from ...rules.graph.env import ROOT, Env
from ...rules.graph.options import GraphOptions
from ...rules.graph.tables import TensorProperties
from ..placement.placement import OpConstraints
from ..placement.properties import constraints_of

_FLAT: Shape = (1,) * RANK
Reaches = dict[int, dict[int, AccessMap]]
"""By dim of the result, then by operand."""


@dataclass
class TileReader:
    """Collects the ops of one block, in order."""

    properties: Mapping[str, TensorProperties]
    ops: list[Operation] = field(default_factory=list)
    _numbers: dict[SSAValue, int] = field(default_factory=dict)
    _layouts: dict[SSAValue, LayoutKind] = field(default_factory=dict)
    _tensors: list[Tensor] = field(default_factory=list)
    _seen: list[TileOp] = field(default_factory=list)

    def read(self, op: Operation) -> None:
        """Take one op more; constants, shapes and the return are no work."""
        if isinstance(op, (ConstOp, ShapeOp, ReturnOp)):
            return
        demands = constraints_of(self.properties, op)
        reaches, passes = _reaches(op)
        operands = tuple(
            Operand(
                self._number(value),
                {dim: by[at] for dim, by in reaches.items() if at in by},
                demands.operands[at].memory is Memory.TCM,
                self._converted(value, demands.operands[at].layout),
            )
            for at, value in data_operands(op)
        )
        results = tuple(self._result(value, at, op, demands) for at, value in enumerate(op.results))
        wants = demands.results[:1]
        held = any(demand.memory is Memory.TCM for demand in wants)
        cuts = tuple(dim for dim in reaches if dim != SUMMED)
        summed = _extent_of_sum(operands, self._tensors)
        self._seen.append(TileOp(op.name, results, operands, cuts, held, passes, summed))
        self.ops.append(op)

    def program(self) -> TileProgram:
        """What was read."""
        results = (result for op in self.ops for result in op.results)
        kept = frozenset(self._numbers[result] for result in results if is_boundary(result))
        return TileProgram(self._tensors, self._seen, kept)

    def _number(self, value: SSAValue) -> int:
        if value not in self._numbers:
            self._add(value, self._asked(value) or LayoutKind.FLAT, in_ddr=True)
        return self._numbers[value]

    def _result(self, value: SSAValue, at: int, op: Operation, demands: OpConstraints) -> int:
        demand = demands.results[at]
        layout = demand.layout or self._asked(value) or self._follows(op)
        in_ddr = demand.memory is Memory.DDR or is_boundary(value) or self._views_ddr(op)
        return self._add(value, layout, in_ddr)

    def _views_ddr(self, op: Operation) -> bool:
        """Whether an op only gives another shape to what lies in main memory."""
        return isinstance(op, ReshapeOp) and self._tensors[self._number(op.operands[0])].in_ddr

    def _converted(self, value: SSAValue, wanted: LayoutKind | None) -> Shape | None:
        """The chunk of the layout that a reader wants, where the tensor lies in another."""
        if wanted is None or wanted is self._layouts[value]:
            return None
        return _chunk(spec_of(value), wanted)

    def _add(self, value: SSAValue, layout: LayoutKind, in_ddr: bool) -> int:
        spec = spec_of(value)
        chunk = _chunk(spec, layout) or (1,) * spec.rank
        constant = isinstance(value.owner, ConstOp)
        self._layouts[value] = layout if _chunk(spec, layout) else LayoutKind.FLAT
        self._numbers[value] = len(self._tensors)
        self._tensors.append(Tensor(spec.shape, spec.dtype.itemsize, chunk, constant, in_ddr))
        return self._numbers[value]

    def _asked(self, value: SSAValue) -> LayoutKind | None:
        """The layout that all readers of a value want, if they agree."""
        found = {
            constraints_of(self.properties, use.operation).operands[use.index].layout
            for use in value.uses
        }
        return found.pop() if len(found) == 1 else None

    def _follows(self, op: Operation) -> LayoutKind:
        read = (self._layouts[value] for value in op.operands if value in self._layouts)
        return next(read, LayoutKind.FLAT)


def _chunk(spec: TensorSpec, layout: LayoutKind) -> Shape | None:
    """The chunk of a layout, for the tensors that can have it."""
    found = LAYOUTS.get((layout, spec.dtype.itemsize)) if spec.rank == RANK else None
    return found.chunk if found else None


def data_operands(op: Operation) -> list[tuple[int, SSAValue]]:
    """The operands that are tensors and no params, with their positions."""
    params = op.PARAMS if isinstance(op, NativeOp) else ()
    return [
        (at, value)
        for at, value in enumerate(op.operands)
        if is_tensor(value) and operand_label(op, at) not in params
    ]


def _reaches(op: Operation) -> tuple[Reaches, bool]:
    """Read how the operands of an op follow cuts of its result, and if it only moves elements."""
    row, access = ROWS.get(op.name), op.ACCESS if isinstance(op, NativeOp) else None
    if not isinstance(op, NativeOp) or access is None:
        return {}, False
    if access.moves and any(access.operands.values()):
        return _moved(op, access), True
    if row is None:
        return {}, False
    named = dict(zip(row.operands, op.operands, strict=True))
    env = Env({ROOT: op.results[0], **named}, GraphOptions())
    reaches: Reaches = {}
    for cut in row.cuts:
        if cut.dim not in reaches and cut.condition.evaluate(env):
            reaches[cut.dim] = _followed(op, cut.follows)
    if row.summed is not None and row.summed.condition.evaluate(env):
        dims = row.summed.dims
        reaches[SUMMED] = {op.OPERANDS.index(name): AccessMap(dim) for name, dim in dims.items()}
    return reaches, False


def _moved(op: NativeOp, access: Access) -> Reaches:
    """Every dim but the one along which parts are joined.

    Cleanup rules let a slice of the result of such an op read through it.
    """
    joined = op.ints(access.joined) if access.joined else ()
    if joined is None:
        return {}
    dims = (dim for dim in range(RANK) if dim not in joined)
    return {dim: _followed(op, access.follows(RESULT[dim])) for dim in dims}


def _extent_of_sum(operands: Iterable[Operand], tensors: Sequence[Tensor]) -> int:
    """The elements that each of a result's is summed over; 0 where they may not be cut."""
    dims = ((held.tensor, held.maps[SUMMED].dim) for held in operands if SUMMED in held.maps)
    return max((tensors[number].shape[dim] for number, dim in dims), default=0)


def _followed(op: NativeOp, follows: Mapping[str, Follow]) -> dict[int, AccessMap]:
    """The operands that follow a cut, by position."""
    named = ((at, value, op.operand_name(at)) for at, value in enumerate(op.operands))
    return {
        at: _reach(op, follows[name])
        for at, value, name in named
        if name in follows
        if not (follows[name].index.broadcast and spec_of(value).shape[follows[name].dim] == 1)
    }


def _reach(op: NativeOp, follow: Follow) -> AccessMap:
    index = follow.index
    by = Fraction(index.by.of(op) if index.by else 1)
    if follow.taps is not None:
        return AccessMap(follow.dim, by, Fraction(follow.taps.of(op)))
    before, start = (n.of(op) if n else 0 for n in (index.before, index.start))
    each = 1 / by if index.sign == "/" else Fraction(1)
    return AccessMap(follow.dim, each, each, before - start)
