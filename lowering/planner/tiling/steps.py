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

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf, prod
from sys import maxsize
from typing import NamedTuple

from ....dialects.value import Shape
from ..allocation.step_list import STEP
from .boxes import Box, flat_bytes, is_run, padded_bytes
from .memories import Memories
from .program import Cuts, TileProgram, TilingOp, TilingOperand
from .tcm_windows import TcmWindows
from .tilings import TilePart, Windows, tilings_of

HOME = 1 << 16
"""Times that a byte counts more which an op reads from DDR that could be in TCM.

Of an op that runs whole, from either memory, it counts twice.
"""


class _Mark(NamedTuple):
    """The numbers of buffers, steps, tiles of each op, windows and tiles, and the bytes."""

    buffers: int
    steps: int
    tiles: tuple[int, ...]
    windows: int
    ran: int
    penalty: int
    moves: int


class Expansion(TcmWindows):
    """The tiles of a plan, those that have run, and the windows that were made.

    A plan are the cuts of each op; `windows` are what ops make anew for each stripe, around their
    cuts.

    `calls` are the steps of all tiles, `ran` of those that have run; `taken` steps over `shared`
    buffers were taken over from another expansion, up to op `begun`. `marks` tell how far it was
    behind each leader.
    """

    def __init__(
        self,
        program: TileProgram,
        plan: Mapping[int, Cuts],
        capacity: int,
        windows: Mapping[int, Windows],
    ) -> None:
        tilings = tilings_of(program, plan, windows)
        super().__init__(program, tilings, capacity)
        self.calls = sum(
            len(tiling.boxes) * (2 * len(tiling.sums) - 1)
            for op, tiling in zip(program.ops, tilings, strict=True)
            if not (op.moves_only or op.is_view)
        )
        self.ran = self.taken = self.shared = self.begun = 0
        self.leaders, self.marks = list[int](), list[_Mark]()
        self.memories = Memories(program, tilings, capacity)

    def run_all(
        self,
        leaders: Sequence[int],
        limit: float = inf,
        spared: int = 0,
        known: Expansion | None = None,
    ) -> bool:
        """Run the tiles of all leaders; False where the steps will weigh more than a limit.

        Of the least that plans move `spared` bytes need not. `known` is an expansion of the same
        program: its steps in front of the first op that differs are the same.
        """
        if known:
            self._take_over(known, leaders)
        least = self.program.least_from
        for op in leaders[len(self.leaders) :]:
            for tile in range(len(self.tilings[op].boxes)):
                moved = max(least[0], self.list.moves + least[op + 1]) - spared
                if self.list.weight(moved) + STEP * (self.calls - self.ran) > limit:
                    return False
                self.run(op, tile)
            if op + 1 == len(self.program.ops):
                for number in sorted(self.program.kept):
                    self._have(number, self.program.tensors[number].whole)
            self._end(op)
        return True

    def _end(self, leader: int) -> None:
        steps = self.list
        steps.ends.append(len(steps.steps))
        self.leaders.append(leader)
        tiles = tuple(map(len, self.results))
        counts = len(steps.sizes), len(steps.steps), tiles, len(self.windows)
        self.marks.append(_Mark(*counts, self.ran, steps.penalty, steps.moves))

    def _take_over(self, known: Expansion, leaders: Sequence[int]) -> None:
        """Take over what the leaders did that are the same, with all ops before them."""
        every = range(len(self.program.ops))
        changed = next((at for at in every if self._fate(at) != known._fate(at)), len(every))
        pairs = enumerate(zip(leaders, known.leaders, strict=False))
        same = (at for at, (own, other) in pairs if own != other or own >= changed)
        count = next(same, min(len(leaders), len(known.leaders)))
        if count:
            mark, steps = known.marks[count - 1], known.list
            self.list = steps.front(mark.buffers, mark.steps, count)
            self.list.penalty, self.list.moves = mark.penalty, mark.moves
            self.leaders, self.marks = known.leaders[:count], known.marks[:count]
            self.ran, self.taken, self.shared = mark.ran, mark.steps, mark.buffers
            self.begun = leaders[count - 1] + 1
            self.windows = dict(islice(known.windows.items(), mark.windows))
            tiles = zip(known.results, mark.tiles, strict=True)
            self.results = [dict(islice(ran.items(), number)) for ran, number in tiles]

    def _fate(self, at: int) -> Hashable:
        """Return all that the steps of an op depend on, beside those of the ops before it."""
        results = self.program.ops[at].results
        drained = [self.memories.is_drained(number) for number in results]
        return id(self.tilings[at]), at in self.memories.home, self.memories.inside[at], drained

    def run(self, at: int, number: int) -> None:
        """Run a tile of an op, after those that it waits for."""
        op, done = self.program.ops[at], self.results[at]
        # Of a view what leaves was written as it was made; what stays is read through.
        if number in done or op.moves_only or op.is_view:
            return
        tile = self.tilings[at].tile(number)
        results: tuple[int, ...] = ()
        for windows in tile.reads:
            reads, moves, takes, onto = list[int](), op.params, dict[int, int](), list[int]()
            for operand, window in zip(op.operands, windows, strict=True):
                # An op that may run from DDR reads there what is not in TCM.
                outside = at in self.memories.home or not (op.in_tcm or operand.in_tcm)
                is_source = operand.anywhere and self.program.is_given(operand.tensor)
                comes = is_source and operand.passes == 1 and at not in self.memories.home
                buffers, direct = self._read(operand, window, outside and not comes)
                reads += buffers
                onto += buffers if operand.overwritable and len(buffers) == 1 else ()
                most = sum(tile.flat) if operand.selected else maxsize
                moves += min(direct, most) * operand.passes
                if outside or not operand.in_tcm:
                    takes |= {n: min(self.list.bytes[n], most) for n in buffers}
            if at in self.memories.home and op.cuts:
                either = not op.in_tcm and self.tilings[at].is_whole
                self.list.penalty += moves * (1 if either else HOME)
            each = zip(tile.sizes, self.memories.inside[at], strict=True)
            part = tuple([self.list.buffer(size) if is_in else -1 for size, is_in in each])
            own = (self.list.buffer(tile.scratch),) if tile.scratch else ()
            writes = (*[n for n in part if n >= 0], *own)
            once = [n for n in onto if reads.count(n) == 1] if onto and part[0] >= 0 else ()
            self.list.step(tuple(dict.fromkeys(reads)), writes, moves, takes, once)
            self.ran += 1
            results = self._added(results, part) if results else part
        self._drain(op, results, tile.flat)
        done[number] = results

    def _added(self, results: Sequence[int], part: Sequence[int]) -> tuple[int, ...]:
        """Add a part of a sum to those before it."""
        total = tuple([self.list.buffer(self.list.bytes[number]) for number in part])
        self.list.step((*results, *part), total, onto=(*results, *part))
        self.ran += 1
        return total

    def _drain(self, op: TilingOp, results: Sequence[int], flat: Sequence[int]) -> None:
        """Write a tile's results to DDR, without padding, where they belong there."""
        for number, buffer, moves in zip(op.results, results, flat, strict=True):
            tensor = self.program.tensors[number]
            if buffer < 0 or self.memories.is_drained(number):
                changes = buffer >= 0 and prod(tensor.chunk) > 1
                own = (self.list.buffer(moves),) if changes else ()
                self.list.step(() if buffer < 0 else (buffer,), own, moves)

    def _read(
        self,
        operand: TilingOperand,
        window: Box,
        gathers: bool = False,
        chunk: Shape | None = None,
        joins: int | None = None,
    ) -> tuple[tuple[int, ...], int]:
        """Bring a window of an operand: its buffers, and the bytes read in DDR without any.

        `chunk` is of the layout in which it is wanted, where that is not the operand's. A reader
        that gathers cuts a part out of a tile itself. One that `joins` along a dim has it cut out
        before, and takes tiles along that dim one by one.
        """
        number, tensor = operand.tensor, self.program.tensors[operand.tensor]
        if not window:
            return (), 0
        maker = self.program.maker.get(number)
        chunk = chunk or operand.chunk or tensor.chunk
        if gathers and (number, window, chunk) in self.windows:
            return self.windows[number, window, chunk], 0
        op = None if maker is None else self.program.ops[maker]
        is_there = gathers and number in self.memories.there
        tiles: Sequence[TilePart] = ()
        if maker is not None and op and not (op.moves_only or op.is_view):
            # What is read where it is written is there once all of it is.
            tiles = self.tilings[maker].shared(tensor.whole if is_there else window)
            self._make(maker, number, tiles, not (is_there or tensor.in_ddr))
        if op is None or tensor.in_ddr or (is_there and not op.is_join):
            return self._outside(op, operand, window, chunk, gathers)
        if op.moves_only or op.is_view:
            if op.is_join:
                parts = self._windows(op, number, window)
                read = [(o, part) for o, part in zip(op.operands, parts, strict=True) if part]
                if len(read) == 1:
                    return self._read(*read[0], gathers, chunk)
            return self._through(op, number, window, chunk), 0
        return self._of_tiles(number, window, chunk, tiles, gathers, joins)

    def _outside(
        self,
        op: TilingOp | None,
        operand: TilingOperand,
        window: Box,
        chunk: Shape,
        gathers: bool,
    ) -> tuple[tuple[int, ...], int]:
        """Read a window of what lies in DDR, there or brought from there; `op` makes it."""
        number = operand.tensor
        if op and (op.moves_only or op.is_view):
            self._have(number, window)
        tensor = self.program.tensors[number]
        if op and op.copies and not tensor.in_ddr:
            self._copied(op, number)
        elif op and op.turns and not operand.in_tcm:
            return self._through(op, number, window, chunk), 0
        is_flat = tensor.constant or prod(chunk) == 1
        if operand.anywhere and not gathers and is_flat and self.program.is_given(number):
            return self.source(number, window), 0
        if gathers or not operand.in_tcm:
            return (), flat_bytes(tensor, window)
        return self.fetched(number, window, chunk, bool(op and op.turns)), 0

    def _make(self, maker: int, number: int, tiles: Sequence[TilePart], takes: bool) -> None:
        """Run tiles of an op, and take from each the part that is read, where that `takes` one."""
        tiling, ran = self.tilings[maker], self.results[maker]
        index = self.program.ops[maker].results.index(number)
        for tile, part in tiles:
            self.run(maker, tile)
            buffer = ran[tile][index]
            if takes and buffer >= 0 and len(tiles) > 1 and part != tiling.boxes[tile]:
                self.part(number, tile, part, buffer)

    def _have(self, number: int, window: Box) -> None:
        """Run the tiles of which a window in DDR is made."""
        if not window or (maker := self.program.maker.get(number)) is None:
            return
        op = self.program.ops[maker]
        if not (op.moves_only or op.is_view):
            self._make(maker, number, self.tilings[maker].shared(window), False)
            return
        for operand, part in zip(op.operands, self._windows(op, number, window), strict=True):
            self._have(operand.tensor, part)
            if op.is_view and number not in self.program.kept:
                self._turned_between(operand.tensor)
        if op.is_join and not self.leaves(number, self.memories.copied(op)):
            self._copied(op, number)

    def _turned_between(self, number: int) -> None:
        """Make what is turned between two views in DDR: no part of it can be read in either."""
        maker = self.program.maker.get(number)
        op = None if maker is None else self.program.ops[maker]
        if op and op.turns and self.program.tensors[number].in_ddr:
            before = self.program.maker.get(op.operands[0].tensor)
            if before is not None and self.program.ops[before].is_view:
                self._copied(op, number)

    def _windows(self, op: TilingOp, number: int, window: Box) -> list[Box]:
        """Find the window of each operand that a window of a result is made of."""
        tiling = self.tilings[self.program.maker[number]]
        return [tiling.window(operand, window) for operand in op.operands]

    def _of_tiles(
        self,
        number: int,
        window: Box,
        chunk: Shape,
        tiles: Sequence[TilePart],
        gathers: bool,
        joins: int | None,
    ) -> tuple[tuple[int, ...], int]:
        """Read a window of a result from the tiles that hold a part of it."""
        tensor, maker = self.program.tensors[number], self.program.maker[number]
        index, ran = self.program.ops[maker].results.index(number), self.results[maker]
        buffers = tuple([ran[tile][index] for tile, _ in tiles])
        if -1 in buffers:
            if gathers:
                return (), flat_bytes(tensor, window)
            is_tile = window in self.tilings[maker].boxes
            return self.fetched(number, window, chunk, is_tile), 0
        if chunk == tensor.chunk:
            tiling = self.tilings[maker]
            own = tiling.boxes[tiles[0][0]] if len(window) == len(tiling.boxes[0]) else window
            if len(tiles) == 1 and (own == window or (gathers and joins is None)):
                return buffers, 0
        # What is only moved on is put together without padding, unless it is there for others.
        flat = gathers and (number, window, chunk) not in self.windows
        form = (1,) * len(window) if flat else chunk
        groups = self.tilings[maker].nested(tiles)
        if flat and joins is not None and len({group[0][1][joins] for group in groups}) > 1:
            return tuple(self.takes_of(number, form, groups)), 0
        return self.joined(number, window, form, tiles), 0

    def _copied(self, op: TilingOp, number: int) -> None:
        """Make in DDR, once, what an op moves there, behind what it reads."""
        key = number, self.program.tensors[number].whole, None
        if key not in self.windows:
            for operand in op.operands:
                maker = self.program.maker.get(operand.tensor)
                if maker is not None and (before := self.program.ops[maker]).copies:
                    self._copied(before, operand.tensor)
            if moves := self.memories.copied(op):
                self.list.step((), (), moves)
            self.windows[key] = ()

    def _through(self, op: TilingOp, number: int, window: Box, chunk: Shape) -> tuple[int, ...]:
        """Read a window of what an op only moves: made from the windows of its operands."""
        key = number, window, chunk
        if key in self.windows:
            return self.windows[key]
        parts = self._windows(op, number, window)
        if op.is_view:
            buffers = self._viewed(op.operands[0], parts[0], key)
            # What is in DDR is there in the other shape, too, and read in parts.
            self.windows[key] = buffers or self.fetched(number, window, chunk)
            return self.windows[key]
        if op.takes_blocks and self.is_unpadded(op.operands[0], parts[0], window):
            return self._unpadded(op.operands[0], parts[0], chunk)
        reads, moves = list[int](), op.params
        for operand, part in self._parts(op, parts):
            joins = operand.part[0] if op.is_join and operand.part else None
            buffers, direct = self._read(operand, part, True, joins=joins)
            tensor = self.program.tensors[operand.tensor]
            alone = self.program.uses[operand.tensor] == 1 or not op.is_join or part == tensor.whole
            if direct and not op.takes_blocks and not (alone and is_run(tensor, part)):
                buffers, direct = self.fetched(operand.tensor, part, (1,) * len(part)), 0
            reads += buffers
            moves += direct
        if reads:
            size = padded_bytes(self.program.tensors[number], window, chunk)
            buffer = self.list.buffer(size)
            saved = [n for n in reads if self.list.fetched[n] is None]
            takes = {n: min(self.list.bytes[n], size) for n in saved}
            self.list.step(tuple(dict.fromkeys(reads)), (buffer,), moves, takes)
        else:
            changes = not op.takes_blocks
            buffer = self.in_chunks(number, window, chunk, moves, changes)
            # What came from DDR as it is there can be fetched again, what is turned cannot.
            self.list.fetched[buffer] = None if op.turns else self.list.fetched[buffer]
        self.windows[key] = (buffer,)
        return self.windows[key]

    def _viewed(
        self, operand: TilingOperand, part: Box, key: tuple[int, Box, Shape]
    ) -> tuple[int, ...]:
        """Read the part of which a window of a view is made; nothing of what is in DDR."""
        buffers, _ = self._read(operand, part, self.memories.is_in_ddr(operand.tensor))
        if buffers and prod(key[2]) > 1:
            laid = self.list.buffer(padded_bytes(self.program.tensors[key[0]], *key[1:]))
            self.list.step(buffers, (laid,))
            return (laid,)
        return buffers

    def _unpadded(self, operand: TilingOperand, part: Box, chunk: Shape) -> tuple[int, ...]:
        """Read a window that is a part of an operand, and no more."""
        buffers, direct = self._read(operand, part, chunk=chunk)
        return self.fetched(operand.tensor, part, chunk) if direct else buffers

    def _parts(self, op: TilingOp, parts: Sequence[Box]) -> Iterator[tuple[TilingOperand, Box]]:
        """List what an op moves; of a join that is joined itself along the same dim, its parts."""
        for operand, part in zip(op.operands, parts, strict=False):
            number, maker = operand.tensor, self.program.maker.get(operand.tensor)
            inner = None if maker is None else self.program.ops[maker]
            is_inner = inner and inner.is_join and not self.program.tensors[number].in_ddr
            along = [o.part and o.part[0] for o in (operand, *(inner.operands if inner else ()))]
            if inner and is_inner and part and operand.part and len({*along}) == 1:
                yield from self._parts(inner, self._windows(inner, number, part))
            else:
                yield operand, part
