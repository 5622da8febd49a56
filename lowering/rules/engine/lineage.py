"""Where new ops come from: what a rule must leave alone, and pass groups that do not end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from xdsl.ir import Operation

from ..graph.types import EvaluationError

_DEPTH = 1_000
_FIRINGS = 100_000
_CHECKED_EVERY = 32
_RETURNS = 8
_SHOWN = 1_000

Form = tuple[object, ...]


class Endless(EvaluationError):
    """Rules keep rewriting; `firings` counts the last ones by the rule's number."""

    def __init__(self, firings: Counter[int]) -> None:
        super().__init__("does not end")
        self.firings = firings


@dataclass(frozen=True)
class Origin:
    """The firing that made an op: the rule's number, its root's form, and where that came from."""

    rule: int
    form: Form
    parent: Origin | None
    depth: int

    def line(self) -> Iterator[Origin]:
        """This firing and those before it, back to an op that was there at the start."""
        origin: Origin | None = self
        while origin is not None:
            yield origin
            origin = origin.parent


class Lineage:
    """The origins of the ops that one pass group has made in a block of `size` ops.

    What it allows is proportional to the block: an op may be rewritten as often as there are ops
    for it to pass, and 1,000 times more. An op that comes back in the very same form, over the same
    operands, is known to go round after few returns.
    """

    def __init__(self, size: int) -> None:
        self._origins: dict[Operation, Origin] = {}
        self._closed: dict[Operation, frozenset[int]] = {}
        self._max_depth = _DEPTH + size
        self._max_firings = _FIRINGS + 16 * size
        self._firings = 0

    def closed(self, op: Operation) -> frozenset[int]:
        """The rules that made this op in place of its like, by number: they leave it alone."""
        return self._closed.get(op, frozenset())

    def fires(self, rule: int, root: Operation) -> Origin:
        """Note that a rule replaces a root; Endless where that has gone on for too long."""
        parent = self._origins.pop(root, None)
        depth = 1 if parent is None else parent.depth + 1
        origin = Origin(rule, _form(root), parent, depth)
        self._firings += 1
        if self._goes_round(origin) or self._firings > self._max_firings:
            counted = islice(origin.line(), min(_SHOWN, max(depth // 2, 1)))
            raise Endless(Counter(firing.rule for firing in counted))
        return origin

    def made(self, origin: Origin, root: Operation, op: Operation, alike: bool) -> None:
        """Note an op that a firing made; `alike`: of the root's name, shape, dtype and encoding."""
        self._origins[op] = origin
        if alike:
            self._closed[op] = self.closed(root) | {origin.rule}

    def _goes_round(self, origin: Origin) -> bool:
        if origin.depth > self._max_depth:
            return True
        if origin.depth % _CHECKED_EVERY:
            return False
        return sum(firing.form == origin.form for firing in origin.line()) >= _RETURNS


def _form(op: Operation) -> Form:
    return (op.name, *op.operands, *(result.type for result in op.results))
