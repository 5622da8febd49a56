"""The memory in which each op of a plan runs, and in which its results are made.

Results of ops that may run from DDR are in TCM where they take at most half of it. An op that is
not cut and does not fit runs from DDR, as one without results does.
"""

from collections.abc import Sequence

from ....dialects.value import CHUNK_BYTES, round_up
from .boxes import padded_bytes
from .program import TileProgram, TilingOp, TilingOperand
from .tilings import Tiling


class Memories:
    """The ops that run from DDR, `home`, and for each op which of its results are `inside` TCM.

    `drained` are the tensors that are written to DDR as they are made, `there` those of them that
    can be read there.
    """

    def __init__(self, program: TileProgram, tilings: Sequence[Tiling], capacity: int) -> None:
        self.program, self.capacity = program, capacity
        ops = [*enumerate(program.ops)]
        self.home = {at for at, op in ops if not op.results or self._exceeds(op, tilings[at])}
        self.drained = program.drained_by(self.home)
        self.there = program.drained_by(self.home, as_made=True) - program.moved_out
        self.inside = [
            [self._inside(at, op, tilings[at], index) for index in range(len(op.results))]
            for at, op in ops
        ]

    def is_drained(self, number: int) -> bool:
        """Tell whether a result is written to DDR as it is made."""
        return number in self.drained or self.program.tensors[number].in_ddr

    def is_in_ddr(self, number: int) -> bool:
        """Tell whether a tensor lies in DDR alone."""
        maker = self.program.maker.get(number)
        if maker is None or self.program.tensors[number].in_ddr:
            return True
        op = self.program.ops[maker]
        if op.is_view:
            return self.is_in_ddr(op.operands[0].tensor)
        return not op.moves_only and not self.inside[maker][op.results.index(number)]

    def copied(self, op: TilingOp) -> int:
        """Count the bytes that an op which only moves elements reads and writes in DDR.

        A join does so for the parts that are not written into their places by what makes them.
        """
        tensors, parts = self.program.tensors, [operand.tensor for operand in op.operands]
        if op.is_join:
            return 2 * sum(tensors[n].flat_bytes for n in parts if not self._is_written_in_place(n))
        return sum(tensors[number].flat_bytes for number in (*parts, *op.results))

    def _is_written_in_place(self, number: int) -> bool:
        """Tell whether a part of a join in DDR is made in TCM, or of such parts."""
        maker = self.program.maker.get(number)
        if maker is None:
            return False
        op = self.program.ops[maker]
        if op.is_join:
            return True
        return not op.copies and self.inside[maker][op.results.index(number)]

    def _exceeds(self, op: TilingOp, tiling: Tiling) -> bool:
        """Tell whether an op that is not cut, or one of its operands alone, exceeds the TCM."""
        tensors = self.program.tensors
        if op.moves_only or op.is_view:
            return False
        if len(tiling.sums) > 1:
            # Its parts are added up in TCM.
            return False
        if not tiling.is_whole:
            return not op.in_tcm and sum(self._in_tile(op, tiling, op.operands)) > self.capacity
        if not op.in_tcm:
            # What is in DDR and may stay there needs no TCM.
            inputs = (o for o in op.operands if o.in_tcm or o.tensor in self.program.maker)
            return any(tensors[operand.tensor].bytes > self.capacity for operand in inputs)
        read = {o.tensor: o.read_as(tensors[o.tensor]).bytes for o in op.operands if o.in_tcm}
        results = sum(tensors[number].bytes for number in op.results)
        return sum(read.values()) + results + op.scratch_bytes({}) > self.capacity

    def _inside(self, at: int, op: TilingOp, tiling: Tiling, index: int) -> bool:
        """Tell whether a result is made in TCM, by what its first tile and all it reads take."""
        if at in self.home or op.in_tcm or len(tiling.sums) > 1:
            return at not in self.home
        number, tensors, half = op.results[index], self.program.tensors, self.capacity // 2
        if tensors[number].in_ddr or (number in self.drained and tensors[number].bytes > half):
            return False
        wanted = [operand if operand.in_tcm else None for operand in op.operands]
        sizes = [round_up(size, CHUNK_BYTES) for size in self._in_tile(op, tiling, wanted)]
        return tiling.tile(0).sizes[index] <= half and sum(sizes) <= self.capacity

    def _in_tile(
        self, op: TilingOp, tiling: Tiling, operands: Sequence[TilingOperand | None]
    ) -> list[int]:
        """List the bytes of the first tile of an op: of some operands, and of its results."""
        tile, tensors = tiling.tile(0), self.program.tensors
        windows = zip(operands, tile.reads[0], strict=True)
        read = {(o.tensor, window) for o, window in windows if o and window}
        sizes = (padded_bytes(tensors[n], window, tensors[n].chunk) for n, window in read)
        return [*sizes, *tile.sizes]
