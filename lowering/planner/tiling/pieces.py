"""Segments alone: each is replayed with all that crosses its ends in DDR.

What a segment moves alone does not depend on the others, so the cheapest cover of a program is a
shortest path over its ops. A replay is dear: until a segment is on the path that is the shortest so
far, the bytes that it cannot but move stand for it. Segments that look alike are replayed once.

Cost: a replay for each likely way to cut each segment that comes to lie on the path.

Example: ops 0, 1 and 2 move 8 bytes at least, alone or together. All three together are replayed
first. If they move 20, since halos are made anew, the path is 0-1 and 2 at 16, and so on.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from ..allocation.replay import STEP
from .likeness import Span
from .memory import Setting
from .program import TileProgram
from .search import Segment, TilingPlan
from .steps import Expansion
from .windows import windows_of

ALONE = 100_000
"""Steps that are replayed, at most, to find what the segments of one plan move alone."""


@dataclass
class Pieces:
    """The weights of segments alone; of `steps` for each plan `left` may be replayed yet."""

    setting: Setting
    steps: int = ALONE
    left: int = 0
    _programs: dict[Span, tuple[TileProgram, int]] = field(
        default_factory=dict[Span, "tuple[TileProgram, int]"]
    )
    _known: dict[Hashable, tuple[float, float]] = field(
        default_factory=dict[Hashable, "tuple[float, float]"]
    )

    def plan(self, likely: Mapping[Span, Sequence[Segment]]) -> TilingPlan:
        """Find the cheapest cover by likely segments; the bound stands for what is not replayed."""
        self.left = self.steps
        weights = {span: self._bound(*span, ways[0]) for span, ways in likely.items()}
        best: dict[Span, Segment] = {}
        while True:
            path = self._path(weights)
            unknown = [span for span in path if span not in best]
            if not unknown or self.left <= 0:
                segments = (best.get(span, likely[span][0]) for span in path)
                return TilingPlan(tuple(segments), self.setting)
            for span in unknown:
                best[span] = self.best(likely[span])
                weights[span] = self.weight(best[span])

    def _path(self, weights: Mapping[Span, float]) -> list[Span]:
        """Find the spans of the cheapest cover."""
        best: dict[int, tuple[float, Span]] = {0: (0, (0, 0))}
        for start, end in sorted(weights, key=lambda span: span[1]):
            weight = best[start][0] + weights[start, end]
            if end not in best or weight < best[end][0]:
                best[end] = weight, (start, end)
        path, at = list[Span](), len(self.setting.program.ops)
        while at > 0:
            path.append(best[at][1])
            at = best[at][1][0]
        return path[::-1]

    def best(self, ways: Sequence[Segment]) -> Segment:
        """Find the one that weighs the least; of those one with few cuts, along rows first."""
        best, least = ways[0], inf
        for way in sorted(ways, key=_dims):
            weight = self.weight(way, least)
            if weight < least:
                best, least = way, weight
        return best

    def weight(self, segment: Segment, limit: float = inf) -> float:
        """Weigh a segment alone: infinite where it does not fit, or reaches the limit."""
        start, end = segment.start, segment.end
        cuts = ((at - start, own) for at, own in sorted(segment.cuts.items()))
        key = self.setting.likeness.kind(start, end), *cuts
        weight, tried = self._known.get(key, (inf, 0))
        if weight == inf and tried < limit:
            weight = self._replayed(segment, limit)
            self._known[key] = weight, limit
        return weight

    def _replayed(self, segment: Segment, limit: float) -> float:
        start, end = segment.start, segment.end
        program, inside = self._alone(start, end)
        cuts = {at - start: own for at, own in segment.cuts.items()}
        windows = windows_of(program, 0, end - start, cuts)
        expansion = Expansion(program, cuts, self.setting.capacity, windows)
        is_less = expansion.run_all([end - start - 1], limit + inside)
        steps = expansion.list
        self.left -= len(steps.steps)
        if not is_less or (moved := steps.moved(self.setting.capacity)) is None:
            return inf
        weight = steps.weight(moved) - min(moved, inside)
        return weight if weight < limit else inf

    def _alone(self, start: int, end: int) -> tuple[TileProgram, int]:
        """Make the program of a span, whose results that are read behind it are in DDR.

        The second result are the bytes that stay in TCM between two segments.
        """
        if (start, end) not in self._programs:
            program = self.setting.program
            crossing = self._crossing(start, end)
            tensors = [
                replace(tensor, in_ddr=True) if number in crossing else tensor
                for number, tensor in enumerate(program.tensors)
            ]
            own = {result for op in program.ops[start:end] for result in op.results}
            alone = TileProgram(tensors, program.ops[start:end], crossing & own)
            self._programs[start, end] = alone, self._flat(crossing & self.setting.resident)
        return self._programs[start, end]

    def _bound(self, start: int, end: int, cheapest: Segment) -> float:
        """Guess what a span weighs at least: the bytes that cross it, or half of an estimate."""
        crossing = self._flat(self._crossing(start, end) - self.setting.resident)
        return max(crossing, cheapest.price.bytes / 2) + STEP * (end - start)

    def _flat(self, numbers: Iterable[int]) -> int:
        """Count the bytes of tensors without padding."""
        return sum(self.setting.program.tensors[number].flat_bytes for number in numbers)

    def _crossing(self, start: int, end: int) -> frozenset[int]:
        """Find the tensors that a span reads from before it, and those that are read behind it."""
        program = self.setting.program
        ops = program.ops[start:end]
        read = {o.tensor for op in ops for o in op.operands}
        entering = (n for n in read if not start <= program.maker.get(n, -1) < end)
        results = (result for op in ops for result in op.results)
        return frozenset((*entering, *(n for n in results if self.setting.leaves(n, end))))


def _dims(way: Segment) -> tuple[int, list[int]]:
    """Sort by the number of dims that the last op is cut along, then by the dims."""
    lead = way.cuts.get(way.end - 1, ())
    return len(lead), [dim for dim, _ in lead]
