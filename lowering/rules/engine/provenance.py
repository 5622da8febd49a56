"""Provenance: the firings that led to an op, for termination of a pass group.

Each firing is recorded as an origin that points to the origin of its root, so that the origins of
an op form a chain back to an op of the input. Two things follow. A rule that made an op from an
equal one is not tried on it again. And a pass group does not terminate where a chain is longer than
the block plus 1,000, where one form of a root occurs 8 times in a chain, or where all firings
exceed 100,000 plus 16 per op. A firing costs constant time; every 32nd of a chain walks it.

Example: `Neg(X) -> Abs(X)` and `Abs(X) -> Neg(X)`. Each firing adds one link, and the two roots
come back in turn: at link 32 the form of the root has occurred 16 times, so NonTermination is
raised. It counts the newer half of the chain, 8 firings of each rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from xdsl.ir import Operation

from ..graph.types import EvaluationError

_DEPTH = 1_000
"""Maximum length of a chain beyond the number of ops in the block."""
_FIRINGS = 100_000
"""Maximum number of firings of a pass group beyond 16 per op."""
_CHECKED_EVERY = 32
"""Links of a chain between two searches for a form that comes back."""
_RETURNS = 8
"""Occurrences of one form in a chain that count as a cycle."""
_SHOWN = 1_000
"""Maximum number of firings that the error counts."""

Form = tuple[object, ...]
"""The name, the operands and the result types of an op."""


class NonTermination(EvaluationError):
    """Rules that keep rewriting; `firings` counts the last ones by the rule's number."""

    def __init__(self, firings: Counter[int]) -> None:
        super().__init__("does not end")
        self.firings = firings


class FiringOrigin(NamedTuple):
    """The firing that made an op: the rule's number, its root's form, and the root's own origin."""

    rule: int
    form: Form
    parent: FiringOrigin | None
    depth: int

    def chain(self) -> Iterator[FiringOrigin]:
        """Yield this firing and those before it."""
        origin: FiringOrigin | None = self
        while origin is not None:
            yield origin
            origin = origin.parent


class Provenance:
    """The origins of the ops that one pass group made in a block of `size` ops."""

    def __init__(self, size: int) -> None:
        self._origins: dict[Operation, FiringOrigin] = {}
        self._closed: dict[Operation, frozenset[int]] = {}
        self._max_depth = _DEPTH + size
        self._max_firings = _FIRINGS + 16 * size
        self._firings = 0

    def closed(self, op: Operation) -> frozenset[int]:
        """Return the numbers of the rules that made this op from an equal one."""
        return self._closed.get(op, frozenset())

    def fires(self, rule: int, root: Operation) -> FiringOrigin:
        """Record that a rule replaces a root; NonTermination where that went on for too long."""
        # A link for the chain of what the rule makes.
        parent = self._origins.pop(root, None)
        depth = 1 if parent is None else parent.depth + 1
        form = (root.name, *root.operands, *(result.type for result in root.results))
        origin = FiringOrigin(rule, form, parent, depth)
        self._firings += 1
        # Too long a chain, a cycle in it, or too many firings.
        endless = depth > self._max_depth or self._firings > self._max_firings
        if not endless and depth % _CHECKED_EVERY == 0:
            endless = sum(firing.form == form for firing in origin.chain()) >= _RETURNS
        if endless:
            counted = islice(origin.chain(), min(_SHOWN, max(depth // 2, 1)))
            raise NonTermination(Counter(firing.rule for firing in counted))
        return origin

    def made(self, origin: FiringOrigin, root: Operation, op: Operation, equal: bool) -> None:
        """Record an op of a firing; `equal` to the root in name, shape, dtype and encoding."""
        self._origins[op] = origin
        if equal:
            self._closed[op] = self.closed(root) | {origin.rule}
