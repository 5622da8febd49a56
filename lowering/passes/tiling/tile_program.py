"""Read native IR as the tiling planner sees it."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import prod

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ....dialects.htp import (
    ConcatOp,
    ConstOp,
    NativeOp,
    ReshapeOp,
    ShapeOp,
    StateWriteOp,
    TransposeOp,
)
from ....dialects.htp.access import RESULT, Access, Follow
from ....dialects.spec_of import spec_of
from ....dialects.value import LAYOUTS, RANK, LayoutKind, Memory, Place, Shape, TensorSpec
from ...levels import is_boundary, is_tensor, operand_label
from ...patterns.tile_table import ROWS
from ...planner.placement.places import PlacementConstraint
from ...planner.tiling import SUMMED, AccessMap, TileProgram, TilingOp, TilingOperand, TilingTensor
from ...planner.tiling.program import first_dim
from ...rules import Env, GraphOptions
from ...rules.graph.graph import ROOT, OpTables
from ..placement.moves import SELECTED, passes_of
from ..placement.placement import OpConstraints, described
from ..placement.properties import constraints_of
from .tile_scratch import Maps, TileScratch, tile_scratch

FRAMED = 4
"""Parts of a join of which all but the largest one are together one at most, to be its margins."""


@dataclass
class TileReader:
    """A reader of the ops of one block, in order.

    `layouts` are those that were chosen for the tensors of ops. Without them a tensor has the
    layout that its op demands, or that of the op's first operand. A Transpose of more bytes than
    `share` turns the parts that are read of it, or those that it is made of.
    """

    tables: OpTables
    layouts: Mapping[Operation, Sequence[LayoutKind | None]] = field(default_factory=dict)
    share: int = sys.maxsize
    ops: list[Operation] = field(default_factory=list)
    _numbers: dict[SSAValue, int] = field(default_factory=dict)
    _layouts: dict[SSAValue, LayoutKind] = field(default_factory=dict)
    _tensors: list[TilingTensor] = field(default_factory=list)
    _seen: list[TilingOp] = field(default_factory=list)

    def read(self, op: Operation) -> None:
        """Read one more op; constants, shapes and the return do no work."""
        if isinstance(op, (ConstOp, ShapeOp, ReturnOp)):
            return
        constraints = constraints_of(self.tables.properties, op)
        layouts = self._layouts_of(op, constraints)
        is_large = isinstance(op, TransposeOp) and spec_of(op.out).nbytes > self.share
        maps, passes = _maps(op, is_large)
        operands = tuple(self._operands(op, constraints, layouts, maps))
        read = (self._layouts[value] for value in op.operands if value in self._layouts)
        first = next(read, LayoutKind.FLAT)
        views_ddr = isinstance(op, ReshapeOp) and self._tensors[operands[0].tensor].in_ddr
        cuts = tuple(dim for dim in maps if dim != SUMMED)
        if is_large and isinstance(op, TransposeOp) and (views := _views(op)):
            along = _along_views(op, views)
            views_ddr, cuts = not along, along or cuts
        own = zip(op.results, constraints.results, layouts[len(op.operands) :], strict=True)
        for value, wanted, layout in own:
            in_ddr = wanted.memory is Memory.DDR or is_boundary(value) or views_ddr
            self._add(value, layout or first, in_ddr)
        results = tuple(self._numbers[value] for value in op.results)
        in_tcm = any(wanted.memory is Memory.TCM for wanted in constraints.results[:1])
        # The extent of a sum is that of the dims of operands that it runs along.
        extents = (
            self._tensors[operand.tensor].shape[operand.maps[SUMMED].dim]
            for operand in operands
            if SUMMED in operand.maps
        )
        summed = max(extents, default=0)
        scratch = self._scratch(op, constraints, maps)
        row = op.name, results, operands, cuts, in_tcm, passes, summed, scratch
        self._seen.append(TilingOp(*row, _params_bytes(op)))
        self.ops.append(op)

    def _layouts_of(self, op: Operation, constraints: OpConstraints) -> list[LayoutKind | None]:
        """The layouts of an op's tensors, operands first; None for one that is open."""
        demanded = [each.layout for each in (*constraints.operands, *constraints.results)]
        return [*self.layouts.get(op, demanded)]

    def _scratch(self, op: Operation, constraints: OpConstraints, maps: Maps) -> TileScratch | None:
        """The scratch of the kernel for the places that the op's tensors will have."""
        kernels = self.tables.kernels
        if not kernels.has_scratch(op.name):
            return None
        wanted = zip(op.operands, constraints.operands, strict=True)
        operands = [described(value, self._place(value, at)) for value, at in wanted]
        pairs = zip(op.results, constraints.results, strict=True)
        results = [spec_of(value).with_place(self._place(value, at)) for value, at in pairs]
        return tile_scratch(op.name, results, operands, maps, kernels)

    def _place(self, value: SSAValue, wanted: PlacementConstraint) -> Place:
        """A tensor's place; before it has one that which the op demands, or in DDR."""
        if is_tensor(value) and (place := spec_of(value).place):
            return place
        layout = wanted.layout or self._layouts.get(value, LayoutKind.FLAT)
        return Place(layout, wanted.memory or Memory.DDR)

    def _operands(
        self,
        op: Operation,
        constraints: OpConstraints,
        layouts: Sequence[LayoutKind | None],
        maps: Maps,
    ) -> Iterator[TilingOperand]:
        # What goes into a state is read, and written once more.
        passes = (2,) if isinstance(op, StateWriteOp) else passes_of(op)
        overwritable = op.overwritable() if isinstance(op, NativeOp) else ()
        joined, start = op.integer("axis") if isinstance(op, ConcatOp) else None, 0
        for at, value in data_operands(op):
            layout = layouts[at]
            if value not in self._numbers:
                self._add(value, layout or LayoutKind.FLAT, in_ddr=True)
            chunk = None
            if layout not in (None, self._layouts[value]):
                spec = spec_of(value)
                chunk = _chunk(spec, layout) or (1,) * spec.rank
            follows = {dim: by[at] for dim, by in maps.items() if at in by}
            number, memory = self._numbers[value], constraints.operands[at].memory
            count = passes[at] if passes else 1
            part = None
            if joined is not None:
                part, start = (joined, start), start + spec_of(value).shape[joined]
            # Placement brings nothing for what only moves elements.
            moves = isinstance(op, NativeOp) and op.ACCESS is not None and op.ACCESS.moves
            anywhere, selected = memory is None and not moves, SELECTED.get(op.name) == at
            how = memory is Memory.TCM, chunk, count, at in overwritable, part, anywhere, selected
            yield TilingOperand(number, follows, *how)

    @property
    def values(self) -> list[SSAValue]:
        """The tensors of the program, by number."""
        return list(self._numbers)

    def program(self) -> TileProgram:
        """The program of the ops read so far."""
        results = (result for op in self.ops for result in op.results)
        kept = frozenset(self._numbers[result] for result in results if is_boundary(result))
        return TileProgram(self._tensors, self._seen, kept)

    def _add(self, value: SSAValue, layout: LayoutKind, in_ddr: bool) -> None:
        spec = spec_of(value)
        chunk = _chunk(spec, layout)
        constant = isinstance(value.owner, ConstOp)
        self._layouts[value] = layout if chunk else LayoutKind.FLAT
        self._numbers[value] = len(self._tensors)
        tensor = TilingTensor(
            spec.shape, spec.dtype.itemsize, chunk or (1,) * spec.rank, constant, in_ddr
        )
        self._tensors.append(tensor)


def _chunk(spec: TensorSpec, layout: LayoutKind | None) -> Shape | None:
    """The chunk of a layout, for the tensors that can have it."""
    if layout is None or spec.rank != RANK:
        return None
    known = LAYOUTS.get((layout, spec.dtype.itemsize))
    return known.chunk if known else None


def _params_bytes(op: Operation) -> int:
    """Count the bytes of the operands that are tensors and params."""
    data = dict(data_operands(op))
    params = {v for n, v in enumerate(op.operands) if is_tensor(v) and n not in data}
    return sum(spec_of(value).nbytes for value in params)


def data_operands(op: Operation) -> list[tuple[int, SSAValue]]:
    """The operands that are tensors and no params, with their positions."""
    params = op.PARAMS if isinstance(op, NativeOp) else ()
    return [
        (at, value)
        for at, value in enumerate(op.operands)
        if is_tensor(value) and operand_label(op, at) not in params
    ]


def _maps(op: Operation, is_large: bool) -> tuple[Maps, bool]:
    """Read how operands follow cuts of an op's result, and if the op only moves elements.

    Of a Transpose that is large each part is turned by itself.
    """
    if is_large and isinstance(op, TransposeOp):
        return {dim: {0: AccessMap(axis)} for dim, axis in enumerate(op.ints("perm") or ())}, True
    if isinstance(op, ReshapeOp) and (viewed := _viewed(op)):
        return viewed, True
    row, access = ROWS.get(op.name), op.ACCESS if isinstance(op, NativeOp) else None
    if not isinstance(op, NativeOp) or access is None:
        return {}, False
    if row is None and access.moves and any(access.operands.values()):
        return _moved(op, access), True
    if row is None:
        return {}, False
    named = dict(zip(row.operands, op.operands, strict=True))
    env = Env({ROOT: op.results[0], **named}, GraphOptions())
    maps: dict[int, dict[int, AccessMap]] = {}
    for cut in row.cuts:
        if cut.dim not in maps and cut.condition.evaluate(env):
            maps[cut.dim] = _followed(op, cut.follows)
    own = (summed.dims for summed in row.sums if summed.condition.evaluate(env))
    if dims := next(own, None):
        maps[SUMMED] = {op.OPERANDS.index(name): AccessMap(dim) for name, dim in dims.items()}
    return maps, False


def _views(op: TransposeOp) -> list[ReshapeOp]:
    """List the Reshapes in front of a Transpose and behind it."""
    readers = (use.operation for use in op.out.uses)
    return [other for other in (op.in_.owner, *readers) if isinstance(other, ReshapeOp)]


def _along_views(op: TransposeOp, views: Sequence[ReshapeOp]) -> tuple[int, ...]:
    """Find the dim of a Transpose of which the views around it have a part in TCM, if there is one.

    A view in TCM has no part but some of its first dim.
    """
    perm = op.ints("perm")
    if perm is None or not all(map(_viewed, views)):
        return ()
    front, behind = perm.index(first_dim(spec_of(op.in_).shape)), first_dim(spec_of(op.out).shape)
    dims = {front if view is op.in_.owner else behind for view in views}
    return tuple(dims) if len(dims) == 1 else ()


def _viewed(op: ReshapeOp) -> Maps:
    """Map the first dim of a view, where some of its elements are some of the tensor's own."""
    if is_boundary(op.out) or is_boundary(op.in_):
        return {}
    shapes = spec_of(op.out).shape, spec_of(op.in_).shape
    dim, first = map(first_dim, shapes)
    stride = Fraction(prod(shapes[0][dim + 1 :]), prod(shapes[1][first + 1 :]))
    if 1 not in (stride.numerator, stride.denominator):
        return {}
    return {dim: {0: AccessMap(first, stride, stride)}}


def _moved(op: NativeOp, access: Access) -> Maps:
    """Map every dim but the one along which parts are joined.

    Cleanup rules let a slice of the result of such an op read through it.
    """
    joined = op.ints(access.joined) if access.joined else ()
    if joined is None:
        return {}
    dims = (dim for dim in range(RANK) if dim not in joined)
    maps = {dim: _followed(op, access.follows(RESULT[dim])) for dim in dims}
    return {**maps, **_framed(op, *joined)} if isinstance(op, ConcatOp) else maps


def _framed(op: ConcatOp, axis: int) -> Maps:
    """Map the dim along which one part is joined with few elements around it: margins."""
    extents = [spec_of(part).shape[axis] for part in op.parts]
    if len(extents) == 1 or 0 in extents or FRAMED * (sum(extents) - max(extents)) > sum(extents):
        return {}
    starts = [0, *accumulate(extents[:-1])]
    return {axis: {at: AccessMap(axis, shift=start) for at, start in enumerate(starts, 1)}}


def _followed(op: NativeOp, follows: Mapping[str, Follow]) -> dict[int, AccessMap]:
    """Map the operands that follow a cut, by position."""
    named = ((at, value, op.operand_name(at)) for at, value in enumerate(op.operands))
    return {
        at: _map(op, follows[name])
        for at, value, name in named
        if name in follows
        if not (follows[name].index.broadcast and spec_of(value).shape[follows[name].dim] == 1)
    }


def _map(op: NativeOp, follow: Follow) -> AccessMap:
    index = follow.index
    if index.near and (line := op.ints(index.near)):
        _, step, start, unit, reach = line
        # A tile begins at a whole element of the operand; the place is `start / unit` from there.
        shift = reach - 1 - start // unit
        taps = Fraction(start, unit) + shift + reach + 1
        return AccessMap(follow.dim, Fraction(step, unit), taps, shift)
    by = Fraction(index.by.of(op) if index.by else 1)
    if follow.taps is not None:
        spacing = index.spacing.of(op) if index.spacing else 1
        return AccessMap(follow.dim, by, Fraction((follow.taps.of(op) - 1) * spacing + 1))
    before, start = (n.of(op) if n else 0 for n in (index.before, index.start))
    each = 1 / by if index.sign == "/" else Fraction(1)
    return AccessMap(follow.dim, each, each, before - start)
