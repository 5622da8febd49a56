"""The steps of a tiling plan: what runs, in which order, over which buffers, and what that moves.

A plan is expanded into tiles as the rules of group TILING cut them, without IR. Each tile that
leads its segment runs after the tiles that it waits for, depth first; of what it reads in parts it
has a window made, which ops that only move elements are read through. What leaves for DDR, or comes
from there, changes its layout on the way.

Cost: linear in the reads of tiles.

Example: two convolutions of 3 rows in step, in tiles of 8 of 64 rows. Tile 2 of the second one
reads rows 7 to 17 of the first one's result, so that its tiles 0 to 2 run before; tile 0 is dead
then, and the next tile waits for tile 3 alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import ceil, inf, prod

from ....dialects.value.layout import CHUNK_BYTES, round_up
from ....dialects.value.spec import Shape
from ..allocation.replay import StepList
from .boxes import (
    Box,
    common,
    flat_bytes,
    flattened,
    is_run,
    padded_bytes,
    reach,
    tile_boxes,
    whole_box,
)
from .program import SUMMED, Cuts, TileProgram, TilingOp, TilingOperand, TilingTensor
from .windows import Windows, blocks

HOME = 1 << 16
"""Times that a byte counts more which an op reads that runs from DDR though it could be cut."""

WINDOWED = ("htp.SlicePad_shape", "htp.Slice_shape")
"""Ops that read a block of a tensor in DDR; others read one that is a run of bytes."""

JOIN = "htp.Concat"


def expand(
    program: TileProgram,
    plan: Mapping[int, Cuts],
    leaders: Sequence[int],
    capacity: int,
    windows: Mapping[int, Windows],
    limit: float = inf,
    least: int = 0,
) -> StepList:
    """Expand a plan: the cuts of each op, and the ops that lead their segments, in order.

    `windows` are what ops make anew for each stripe, around their cuts. Results of ops that may run
    from DDR are in TCM where they take at most half of it. An op that is not cut and does not fit
    runs from DDR. The list ends early where it weighs more than the limit, `least` bytes moving.
    """
    expansion = _Expansion(program, plan, capacity, windows)
    for op in leaders:
        for tile in range(len(expansion.tiles[op])):
            expansion.run(op, tile)
            if expansion.list.weight(least) > limit:
                return expansion.list
        expansion.list.ends.append(len(expansion.list.steps))
    return expansion.list


class _Expansion:
    """The tiles of a plan, those that have run, and the windows that were made."""

    def __init__(
        self,
        program: TileProgram,
        plan: Mapping[int, Cuts],
        capacity: int,
        windows: Mapping[int, Windows],
    ) -> None:
        self.program, self.capacity, self.anew = program, capacity, windows
        self.sizes = [_sizes(program, at, plan.get(at, ())) for at in range(len(program.ops))]
        self.tiles = [
            blocks(tile_boxes(*grid), windows.get(at)) for at, grid in enumerate(self.sizes)
        ]
        self.parts = [dict(plan.get(at, ())).get(SUMMED) for at in range(len(program.ops))]
        self.list = StepList()
        self.results: dict[tuple[int, int, int], int] = {}
        self.windows: dict[tuple[int, Box, Shape | None], tuple[int, ...]] = {}
        self.home = {at for at, op in enumerate(program.ops) if self._exceeds(op, at, capacity)}
        self.drained = program.drained_by(self.home)

    def _exceeds(self, op: TilingOp, at: int, capacity: int) -> bool:
        """Tell whether an op that is not cut takes more than the TCM."""
        if not op.in_tcm or len(self.tiles[at]) > 1 or self.parts[at]:
            return False
        tensors = self.program.tensors
        read = {o.tensor: o.read_as(tensors[o.tensor]).bytes for o in op.operands if o.in_tcm}
        results = sum(tensors[number].bytes for number in op.results)
        return sum(read.values()) + results + op.scratch_bytes({}) > capacity

    def _inside(self, at: int, tensor: TilingTensor) -> bool:
        """Tell whether a result is made in TCM."""
        op = self.program.ops[at]
        if at in self.home or op.in_tcm:
            return at not in self.home
        tensors = {o.tensor for o in op.operands if o.in_tcm} | set(op.results)
        sizes = (round_up(self.program.tensors[n].bytes, CHUNK_BYTES) for n in tensors)
        fits = tensor.bytes <= self.capacity // 2 and sum(sizes) <= self.capacity
        return fits and not tensor.in_ddr

    def run(self, at: int, tile: int) -> None:
        """Run a tile of an op, after those that it waits for."""
        op = self.program.ops[at]
        # Of a view what leaves was written as it was made; what stays is read through.
        if not op.results or (at, tile, 0) in self.results or op.moves_only or op.is_view:
            return
        box = self.tiles[at][tile]
        sums = self._sums(op, self.parts[at])
        partial: tuple[int, ...] = ()
        for part in sums:
            reads, moves, takes = list(partial), 0, dict[int, int]()
            for operand in op.operands:
                window = self._window(operand, op, box, part)
                # An op that may run from DDR reads there what is not in TCM.
                outside = at in self.home or not (op.in_tcm or operand.in_tcm)
                buffers, direct = self._read(operand, window, outside)
                reads += buffers
                moves += direct * operand.passes
                takes |= {n: self.list.sizes[n] for n in buffers if outside}
            if at in self.home and op.cuts:
                self.list.penalty += moves * HOME
            results = self._results(at, box)
            extents = {dim: high - low for dim, (low, high) in enumerate(box)}
            own = [self.list.buffer(size)] if (size := op.scratch_bytes(extents)) else []
            inside = [n for n in results if n is not None]
            self.list.step(tuple(dict.fromkeys(reads)), (*inside, *own), moves, takes)
            partial = tuple(inside)
        self._drain(at, box, results)
        for index, number in enumerate(results):
            self.results[at, tile, index] = -1 if number is None else number

    def _sums(self, op: TilingOp, size: int | None) -> list[tuple[int, int] | None]:
        if size is None:
            return [None]
        return [(low, min(low + size, op.summed)) for low in range(0, op.summed, size)]

    def _results(self, at: int, box: Box) -> list[int | None]:
        """Add the buffers of a tile's results; none for those that are made in DDR."""
        buffers: list[int | None] = []
        for number in self.program.ops[at].results:
            tensor = self.program.tensors[number]
            own = self._own(at, tensor, box)
            size = padded_bytes(tensor, own, tensor.chunk)
            buffers.append(self.list.buffer(size) if self._inside(at, tensor) else None)
        return buffers

    def _own(self, at: int, tensor: TilingTensor, box: Box) -> Box:
        """Return the block of a tile of the first result, or all of a result of another shape."""
        first = self.program.tensors[self.program.ops[at].results[0]]
        return box if tensor.shape == first.shape else whole_box(tensor)

    def _drain(self, at: int, box: Box, results: Sequence[int | None]) -> None:
        """Write a tile's results to DDR, without padding, where they belong there."""
        for number, buffer in zip(self.program.ops[at].results, results, strict=True):
            tensor = self.program.tensors[number]
            if buffer is None or number in self.drained or tensor.in_ddr:
                moves = flat_bytes(tensor, self._own(at, tensor, box))
                changes = buffer is not None and prod(tensor.chunk) > 1
                own = (self.list.buffer(moves),) if changes else ()
                self.list.step(() if buffer is None else (buffer,), own, moves)

    def _window(
        self, operand: TilingOperand, op: TilingOp, box: Box, part: tuple[int, int] | None
    ) -> Box:
        """Find the block of an operand that a tile reads, or one part of its sum."""
        key = box, part
        if (known := operand.blocks.get(key)) is None:
            known = operand.blocks[key] = self._block(operand, op, box, part)
        return known

    def _block(
        self, operand: TilingOperand, op: TilingOp, box: Box, part: tuple[int, int] | None
    ) -> Box:
        tensor = self.program.tensors[operand.tensor]
        window = list(whole_box(tensor))
        extents = self.program.tensors[op.results[0]].shape
        for dim, span in (*enumerate(box), *([(SUMMED, part)] if part else [])):
            access = operand.maps.get(dim)
            if access is not None and (dim == SUMMED or span != (0, extents[dim])):
                window[access.dim] = reach(access, span, tensor.shape[access.dim])
        return tuple(window)

    def _read(
        self, operand: TilingOperand, window: Box, gathers: bool = False
    ) -> tuple[tuple[int, ...], int]:
        """Bring a window of an operand: its buffers, and the bytes read in DDR without any."""
        number, tensor = operand.tensor, self.program.tensors[operand.tensor]
        if any(low >= high for low, high in window):
            return (), 0
        maker = self.program.maker.get(number)
        chunk = operand.chunk or tensor.chunk
        if maker is not None:
            for tile in self._touched(maker, number, window):
                self.run(maker, tile)
        if maker is None or tensor.in_ddr:
            if gathers or not operand.in_tcm:
                return (), flat_bytes(tensor, window)
            return self._fetched(number, window, chunk), 0
        op = self.program.ops[maker]
        if gathers and number in self.drained:
            if op.moves_only:
                self._copied(op, number)
            return (), flat_bytes(tensor, window)
        if op.moves_only or op.is_view:
            return self._through(op, number, window, chunk), 0
        tiles = self._touched(maker, number, window)
        index = op.results.index(number)
        buffers = tuple(self.results[maker, tile, index] for tile in tiles)
        if -1 in buffers:
            if gathers:
                return (), flat_bytes(tensor, window)
            return self._fetched(number, window, chunk), 0
        own = self.tiles[maker][tiles[0]] if len(window) == len(self.tiles[maker][0]) else window
        alike = chunk == tensor.chunk
        if alike and (
            (len(tiles) == 1 and (own == window or gathers)) or self._in_rows(maker, tensor, window)
        ):
            return buffers, 0
        # What is only moved on is put together without padding, unless it is there for others.
        flat = gathers and (number, window, chunk) not in self.windows
        form = (1,) * len(window) if flat else chunk
        return self._joined(number, window, form, buffers, tiles, maker), 0

    def _copied(self, op: TilingOp, number: int) -> None:
        """Make in DDR, once, what an op moves there; the parts of a join are there already."""
        key = number, whole_box(self.program.tensors[number]), None
        if key not in self.windows and op.name != JOIN:
            tensors = (*(operand.tensor for operand in op.operands), number)
            self.list.step((), (), sum(self.program.tensors[n].flat_bytes for n in tensors))
            self.windows[key] = ()

    def _fetched(self, number: int, window: Box, chunk: Shape) -> tuple[int, ...]:
        """Copy a window from DDR, once for all that read it."""
        key = number, window, chunk
        if key not in self.windows:
            tensor = self.program.tensors[number]
            changes = window == whole_box(tensor)
            moved = flat_bytes(tensor, window)
            self.windows[key] = (self._in_chunks(number, window, chunk, moved, changes),)
        return self.windows[key]

    def _in_chunks(
        self, number: int, window: Box, chunk: Shape, moves: int, changes: bool = True
    ) -> int:
        """Bring a window from DDR; it changes its layout in TCM, or in DDR where that is full.

        A part has changed it on the way: it does not change behind that.
        """
        tensor = self.program.tensors[number]
        size, flat = padded_bytes(tensor, window, chunk), flat_bytes(tensor, window)
        changes = changes and prod(chunk) > 1
        fits = not changes or size + flat <= self.capacity
        own = (self.list.buffer(flat),) if changes and fits else ()
        moves += 0 if own or not changes else 2 * size
        buffer = self.list.buffer(size, moves if fits else size)
        self.list.step((), (buffer, *own), moves)
        return buffer

    def _joined(
        self,
        number: int,
        window: Box,
        chunk: Shape,
        buffers: Sequence[int],
        tiles: Sequence[int],
        maker: int,
    ) -> tuple[int, ...]:
        """Put a window together from tiles, once for all that read it."""
        key = number, window, chunk
        if key not in self.windows:
            tensor = self.program.tensors[number]
            takes: dict[int, int] = {}
            for buffer, tile in zip(buffers, tiles, strict=True):
                shared = common(self.tiles[maker][tile], window)
                takes[buffer] = min(
                    self.list.sizes[buffer], padded_bytes(tensor, shared, tensor.chunk)
                )
            joined = self.list.buffer(padded_bytes(tensor, window, chunk))
            self.list.step(tuple(buffers), (joined,), 0, takes)
            self.windows[key] = (joined,)
        return self.windows[key]

    def _through(self, op: TilingOp, number: int, window: Box, chunk: Shape) -> tuple[int, ...]:
        """Read a window of what an op only moves: made from the windows of its operands."""
        key = number, window, chunk
        if key in self.windows:
            return self.windows[key]
        if op.is_view:
            (operand, *_) = op.operands
            whole = whole_box(self.program.tensors[operand.tensor])
            buffers, _ = self._read(operand, whole)
            self.windows[key] = buffers
            return buffers
        if op.name in WINDOWED and (same := self._unpadded(op.operands[0], op, window, chunk)):
            return same
        reads, moves = list[int](), 0
        for operand in op.operands:
            part = self._window(operand, op, window, None)
            buffers, direct = self._read(operand, part, True)
            tensor = self.program.tensors[operand.tensor]
            if direct and op.name not in WINDOWED and not is_run(tensor, part):
                buffers, direct = self._fetched(operand.tensor, part, (1,) * len(part)), 0
            reads += buffers
            moves += direct
        if reads:
            size = padded_bytes(self.program.tensors[number], window, chunk)
            buffer = self.list.buffer(size)
            takes = {n: min(self.list.sizes[n], self.list.sizes[buffer]) for n in reads}
            self.list.step(tuple(dict.fromkeys(reads)), (buffer,), moves, takes)
        else:
            # What came from DDR alone can be fetched again.
            changes = op.name not in WINDOWED
            buffer = self._in_chunks(number, window, chunk, moves, changes)
        self.windows[key] = (buffer,)
        return self.windows[key]

    def _unpadded(
        self, operand: TilingOperand, op: TilingOp, window: Box, chunk: Shape
    ) -> tuple[int, ...]:
        """Read a window without padding as it is; nothing where there is some, or in DDR."""
        part = self._window(operand, op, window, None)
        maker = self.program.maker.get(operand.tensor)
        whole = all(high - low == b - a for (low, high), (a, b) in zip(part, window, strict=True))
        if maker is None or not whole or self.program.tensors[operand.tensor].in_ddr:
            return ()
        return self._read(replace(operand, chunk=chunk), part)[0]

    def _touched(self, maker: int, number: int, window: Box) -> list[int]:
        """List the tiles of an op that hold a part of a window of its result."""
        shape, sizes = self.sizes[maker]
        if self.program.ops[maker].moves_only:
            return []
        if len(window) != len(shape) or len(self.tiles[maker]) == 1:
            return [0] if len(self.tiles[maker]) == 1 else [*range(len(self.tiles[maker]))]
        ranges: list[range] = []
        counts: list[int] = []
        if (anew := self.anew.get(maker)) is not None:
            # What no window holds is put together from all of them.
            at, count = anew.holding(window[anew.dim]), len(anew.spans)
            ranges.append(range(count) if at is None else range(at, at + 1))
            counts.append(count)
        for dim, size in sizes:
            low, high = window[dim]
            ranges.append(range(low // size, (high - 1) // size + 1))
            counts.append(ceil(shape[dim] / size))
        return [flattened(index, counts) for index in product(*ranges)]

    def _in_rows(self, maker: int, tensor: TilingTensor, window: Box) -> bool:
        """Tell whether all tiles lie one behind the other in what is read whole."""
        _, sizes = self.sizes[maker]
        outermost = next((dim for dim, n in enumerate(tensor.shape) if n > 1), 0)
        return window == whole_box(tensor) and {dim for dim, _ in sizes} <= {outermost}


def _sizes(program: TileProgram, at: int, cuts: Cuts) -> tuple[Shape, list[tuple[int, int]]]:
    """Give the shape of an op's result, and the tiles' size along each dim that is cut."""
    op = program.ops[at]
    shape = program.tensors[op.results[0]].shape if op.results else ()
    return shape, [(dim, size) for dim, size in cuts if dim != SUMMED and size < shape[dim]]
