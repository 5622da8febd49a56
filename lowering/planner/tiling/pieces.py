"""Segments alone: each is replayed with all that crosses its ends in DDR.

What a segment moves alone does not depend on the others, so the cheapest cover of a program is a
shortest path over its ops. A replay is dear: until a segment is on the path that is the shortest so
far, the bytes that it cannot but move stand for it.

Cost: a replay for each likely way to cut each segment that comes to lie on the path.

Example: ops 0, 1 and 2 move 8 bytes at least, alone or together. All three together are replayed
first. If they move 20, since halos are made anew, the path is 0-1 and 2 at 16, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from .memory import Setting
from .program import TileProgram
from .search import Segment, TilingPlan
from .steps import expand
from .windows import windows_of

Span = tuple[int, int]


class Pieces:
    """The likely ways to cut the ops of each span, and what the best one moves where known.

    `step` are the bytes that a step is worth.
    """

    def __init__(
        self, setting: Setting, likely: Mapping[Span, Sequence[Segment]], step: int, effort: int
    ) -> None:
        self.setting, self.likely = setting, likely
        self.step, self.left = step, effort
        self._known: dict[Span, tuple[float, Segment]] = {}
        self._bounds = {span: self._bound(*span) for span in likely}

    def plan(self) -> TilingPlan:
        """Find the cheapest cover; the bound stands for what replays run out for."""
        while True:
            path = self._path()
            unknown = [span for span in path if span not in self._known]
            if not unknown or self.left <= 0:
                segments = (self._known.get(s, (0, self.likely[s][0]))[1] for s in path)
                return TilingPlan(tuple(segments), self.setting)
            for span in unknown:
                self._known[span] = self._best(*span)

    def _path(self) -> list[Span]:
        """Find the spans of the cheapest cover."""
        best: dict[int, tuple[float, Span]] = {0: (0, (0, 0))}
        for start, end in sorted(self.likely, key=lambda span: span[1]):
            known = self._known.get((start, end))
            weight = best[start][0] + (known[0] if known else self._bounds[start, end])
            if end not in best or weight < best[end][0]:
                best[end] = weight, (start, end)
        path, at = list[Span](), len(self.setting.program.ops)
        while at > 0:
            path.append(best[at][1])
            at = best[at][1][0]
        return path[::-1]

    def _best(self, start: int, end: int) -> tuple[float, Segment]:
        """Replay the likely ways to cut a span; the first one of those that move the least."""
        ways = [(self._weight(each), each) for each in self.likely[start, end]]
        return min(ways, key=lambda way: way[0])

    def _weight(self, segment: Segment) -> float:
        start, end = segment.start, segment.end
        program, cuts = self._alone(start, end), {at - start: c for at, c in segment.cuts.items()}
        windows = windows_of(program, 0, end - start, cuts)
        capacity = self.setting.capacity
        steps = expand(program, cuts, [end - start - 1], capacity, windows)
        self.left -= len(steps.steps)
        moved = steps.moved(capacity)
        if moved is None:
            return inf
        # What is small enough stays in TCM between two segments.
        resident = self.setting.resident & self._crossing(start, end)
        inside = sum(self.setting.program.tensors[number].flat_bytes for number in resident)
        return max(0, moved - inside) + steps.penalty + self.step * len(steps.steps)

    def _alone(self, start: int, end: int) -> TileProgram:
        """Make the program of a span, whose results that are read behind it are in DDR."""
        program = self.setting.program
        leaving = {r for op in program.ops[start:end] for r in op.results if self._leaves(r, end)}
        tensors = [
            replace(tensor, in_ddr=True) if number in leaving else tensor
            for number, tensor in enumerate(program.tensors)
        ]
        return TileProgram(tensors, program.ops[start:end], program.kept)

    def _bound(self, start: int, end: int) -> float:
        """Count the bytes that a span moves at least."""
        tensors = self.setting.program.tensors
        crossing = self._crossing(start, end) - self.setting.resident
        return sum(tensors[number].flat_bytes for number in crossing) + self.step * (end - start)

    def _crossing(self, start: int, end: int) -> frozenset[int]:
        """Find the tensors that a span reads from before it, and those that are read behind it."""
        program = self.setting.program
        ops = program.ops[start:end]
        read = {o.tensor for op in ops for o in op.operands}
        entering = (n for n in read if not start <= program.maker.get(n, -1) < end)
        results = (result for op in ops for result in op.results)
        return frozenset((*entering, *(n for n in results if self._leaves(n, end))))

    def _leaves(self, number: int, end: int) -> bool:
        return self.setting.leaves(number, end)
