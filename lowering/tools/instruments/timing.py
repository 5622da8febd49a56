"""Time of each pass: a tree with its pass groups and rules, or a line as the pass ends."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ....runtime.passes import FiredRule, passes_around
from ....runtime.passes.notation import one_step
from ...rules import RuleObserver, RuleStats, priority_name

_SHOWN = 3
"""Rules that a line names."""


@dataclass
class TimedNode:
    """A pass, a pass group or a rule, with its seconds, those inside it included."""

    name: str
    seconds: float = 0.0
    inner: list[TimedNode] = field(default_factory=list)

    @property
    def own(self) -> float:
        """The seconds of no inner node."""
        return self.seconds - sum(node.seconds for node in self.inner)

    def find(self, name: str) -> TimedNode:
        """Return the inner node of a name; a new one where there is none."""
        for node in self.inner:
            if node.name == name:
                return node
        self.inner.append(TimedNode(name))
        return self.inner[-1]

    def lines(self, total: float, depth: int = 0) -> Iterator[str]:
        """Yield a line for this node, then those inside it."""
        share = 100 * self.seconds / total if total else 0.0
        yield f"{self.seconds:9.4f} {self.own:9.4f} {share:5.1f}%  {'  ' * depth}{self.name}"
        for node in self.inner:
            yield from node.lines(total, depth + 1)


class Timing(RuleObserver):
    """Keeps the time of every pass, and prints it as a tree to stderr."""

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self.root = TimedNode("total")
        self._open = [(self.root, 0.0)]
        self._group: tuple[str, float] | None = None

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        node = TimedNode(one_step(step))
        self._open[-1][0].inner.append(node)
        self._open.append((node, perf_counter()))

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        node, start = self._open.pop()
        node.seconds = perf_counter() - start

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self.after(step, module)

    def group_begins(self, group: str, function: FuncOp) -> None:
        self._group = group, perf_counter()

    def group_ends(self, group: str, function: FuncOp) -> None:
        self._end_group()

    def _end_group(self) -> None:
        """Add the time of the group that is running, if one is."""
        if self._group:
            name, start = self._group
            self._open[-1][0].find(f"group {name}").seconds += perf_counter() - start
            self._group = None

    def ends(self, stats: RuleStats) -> None:
        """Put the rules that fired into their groups; the others are the group's own time."""
        # Of a run that ends in the middle of a group.
        self._end_group()
        for count in stats.counts:
            if count.firings:
                group = self._open[-1][0].find(f"group {priority_name(count.rule.priority)}")
                times = f"{count.firings} firing{'s' * (count.firings != 1)}"
                group.inner.append(TimedNode(f"{count.rule.label}, {times}", count.seconds))

    def report(self) -> None:
        """Print the tree."""
        self.root.seconds = sum(node.seconds for node in self.root.inner)
        head = f"{'seconds':>9} {'own':>9} {'share':>6}  pass"
        print("\n".join([head, *self.root.lines(self.root.seconds)]), file=sys.stderr)


class Ending(RuleObserver):
    """Prints a line to stderr as each pass ends, also of a pass on a trial copy.

    What fires in an inner pass counts for that one alone.
    """

    hears_trials: ClassVar[bool] = True

    def __init__(self) -> None:
        self._open: list[tuple[float, Counter[str]]] = []

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._open.append((perf_counter(), Counter()))

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._tell("")

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._tell(", interrupted" if isinstance(error, KeyboardInterrupt) else ", failed")

    def fired(self, rule: FiredRule, *_: object) -> None:
        if self._open:
            self._open[-1][1][rule.name] += 1

    def _tell(self, how: str) -> None:
        start, fired = self._open.pop()
        *outer, step = passes_around()
        path = " > ".join([*(each.name for each in outer), one_step(step)])
        rules = [f"{name} {count}" for name, count in fired.most_common(_SHOWN)]
        rules += [f"{more} more rules"] if (more := len(fired) - _SHOWN) > 0 else []
        suffix = f"; fired: {', '.join(rules)}" if rules else ""
        print(f"{perf_counter() - start:9.4f} s  {path}{how}{suffix}", file=sys.stderr)
