"""The windows that tiles read in TCM: copied from DDR, or put together from other tiles.

Each is made once for all that read it, and its steps are added to the list as it is asked for.

Example: tiles of 8 rows and 16 columns, of which a reader wants 10 rows of all 32 columns. Of four
tiles it takes 8 and 2 rows, joins those side by side, and then the two joined ones.
"""

from collections.abc import Sequence
from math import prod

from ....dialects.value import Shape
from ..allocation.step_list import StepList
from .boxes import Box, flat_bytes, hull, padded_bytes
from .program import TileProgram, TilingOperand
from .tilings import TilePart, Tiling


class TcmWindows:
    """The steps so far, the buffers of tiles that have run, and the windows that were made.

    `results` are, by op and tile, the buffers of its results, -1 for one in DDR. `windows` are the
    buffers of a block of a tensor, by the chunk of its layout; of a part of one tile that is None.
    """

    def __init__(self, program: TileProgram, tilings: Sequence[Tiling], capacity: int) -> None:
        self.program, self.tilings, self.capacity = program, tilings, capacity
        self.list = StepList()
        self.results: list[dict[int, tuple[int, ...]]] = [{} for _ in program.ops]
        self.windows: dict[tuple[int, Box, Shape | None], tuple[int, ...]] = {}

    def fetched(
        self, number: int, window: Box, chunk: Shape, changes: bool = False
    ) -> tuple[int, ...]:
        """Copy a window from DDR, once for all that read it; a part changes its layout on the way.

        What `changes` it in TCM is all of a tensor, all of a tile in DDR, or turned.
        """
        if prod(chunk) == 1:
            number, window = self._beneath(number, window)
            chunk = (1,) * len(window)
            if (number, window, None) in self.windows:
                return self.windows[number, window, None]
        key, tensor = (number, window, chunk), self.program.tensors[number]
        if key not in self.windows:
            changes = changes or window == tensor.whole
            moved = flat_bytes(tensor, window)
            self.windows[key] = (self.in_chunks(number, window, chunk, moved, changes),)
        return self.windows[key]

    def leaves(self, number: int, copied: int) -> bool:
        """Write the rest of a join that was made in TCM: half of what is read and written in DDR.

        Other parts were written as they were made. False where it was not made in TCM.
        """
        tensor = self.program.tensors[number]
        key, flat = (number, tensor.whole), (1,) * len(tensor.shape)
        buffers = self.windows.get((*key, tensor.chunk), self.windows.get((*key, flat)))
        if buffers and (*key, None) not in self.windows:
            self.list.step(buffers, (), copied // 2)
            self.windows[*key, None] = ()
        return bool(buffers)

    def source(self, number: int, window: Box) -> tuple[int, ...]:
        """Give a window of a tensor that no op makes: read in DDR or, where that pays, copied."""
        number, window = self._beneath(number, window)
        if copied := self.windows.get((number, window, (1,) * len(window))):
            return copied
        key = number, window, None
        if key not in self.windows:
            size = flat_bytes(self.program.tensors[number], window)
            self.windows[key] = (self.list.buffer(size, size),)
            self.list.sources.update(self.windows[key])
        return self.windows[key]

    def _beneath(self, number: int, window: Box) -> tuple[int, Box]:
        """Find the tensor in DDR of which one is a view, where all of it is wanted."""
        if window != self.program.tensors[number].whole:
            return number, window
        number = self.program.beneath(number)
        return number, self.program.tensors[number].whole

    def in_chunks(
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
        if own:
            self.list.beside[buffer] = flat
        self.list.step((), (buffer, *own), moves)
        return buffer

    def joined(
        self, number: int, window: Box, chunk: Shape, tiles: Sequence[TilePart]
    ) -> tuple[int, ...]:
        """Put a window together from tiles, once for all that read it."""
        key = number, window, chunk
        if key not in self.windows:
            tensor, maker = self.program.tensors[number], self.program.maker[number]
            takes = self.takes_of(number, chunk, self.tilings[maker].nested(tiles))
            joined = self.list.buffer(padded_bytes(tensor, window, chunk))
            self.list.step(tuple(takes), (joined,), 0, takes)
            self.windows[key] = (joined,)
        return self.windows[key]

    def takes_of(
        self, number: int, chunk: Shape, groups: Sequence[Sequence[TilePart]]
    ) -> dict[int, int]:
        """Return what a join of groups of tiles takes, in bytes by buffer."""
        apart, takes = len(groups) > 1 or len(groups[0]) > 1, dict[int, int]()
        for group in groups:
            takes |= self._taken(number, chunk, group, apart)
        return takes

    def _taken(
        self, number: int, chunk: Shape, group: Sequence[TilePart], apart: bool
    ) -> dict[int, int]:
        """Return what a join takes, in bytes by buffer: of tiles that are joined, or of one."""
        whole, maker, tensor = (
            self.list.bytes,
            self.program.maker[number],
            self.program.tensors[number],
        )
        if len(group) > 1:
            (joined,) = self.joined(number, hull([part for _, part in group]), chunk, group)
            return {joined: whole[joined]}
        ((tile, part),) = group
        index = self.program.ops[maker].results.index(number)
        buffer = self.results[maker][tile][index]
        if apart and part != self.tilings[maker].boxes[tile]:
            taken = self.part(number, tile, part, buffer)
            return {taken: whole[taken]}
        read = self.form(number, part, buffer)
        return {read: min(whole[read], padded_bytes(tensor, part, tensor.chunk))}

    def form(self, number: int, tile: Box, buffer: int) -> int:
        """Return the buffer of a tile in the form in which it is joined: flat if that was made."""
        return self.windows.get((number, tile, (1,) * len(tile)), (buffer,))[0]

    def part(self, number: int, tile: int, box: Box, buffer: int) -> int:
        """Take a part of a tile, flat, once for all windows that it is joined into."""
        key = number, (*box, (tile, -1)), None
        if key not in self.windows:
            tensor = self.program.tensors[number]
            part = self.list.buffer(flat_bytes(tensor, box))
            takes = {buffer: min(self.list.bytes[buffer], padded_bytes(tensor, box, tensor.chunk))}
            self.list.step((buffer,), (part,), 0, takes)
            self.windows[key] = (part,)
        return self.windows[key][0]

    def is_unpadded(self, operand: TilingOperand, part: Box, window: Box) -> bool:
        """Tell whether a window is a part of an operand that is made in TCM, and no more."""
        if self.program.tensors[operand.tensor].in_ddr or operand.tensor not in self.program.maker:
            return False
        return [high - low for low, high in part] == [high - low for low, high in window]
