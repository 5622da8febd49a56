"""The instrument that keeps what a page about a lowering shows.

The difference of two modules is that of two lists of distinct numbers, by difflib: one that only
moved is removed and added. Example: 1 2 3 4 to 1 3 2 5 keeps 1 and 2 (or 3), so it removes 3 and 4
and adds 3 and 5.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice
from time import perf_counter

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....runtime.passes import FiredRule
from ....runtime.passes.notation import one_step
from ...rules import Rule, RuleObserver, RuleStats
from ...rules.ask.explain import Explanation, after, before
from ...rules.ask.near_miss import Naming
from ...rules.engine.engine import Run
from ...rules.engine.stats import Counts
from .lines import NO_OP, Lines

Part = tuple[str, int]
"""A sign (`-`, `+` or a space) and a number; `@` and the count of numbers that are left out."""
_CONTEXT = 2
"""Numbers that are shown around a change."""


@dataclass(frozen=True)
class LineDifference:
    """Numbers added and removed, and the first parts of the difference."""

    added: int
    removed: int
    parts: tuple[Part, ...]
    is_cut: bool = False

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def difference(old: Sequence[int], new: Sequence[int], limit: int) -> LineDifference:
    """Compare two lists of distinct numbers; of more than `limit` parts the rest is cut."""
    if old == new:
        return LineDifference(0, 0, ())
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())
    parts = tuple(islice(_parts(matcher, old, new), limit + 1))
    is_cut = len(parts) > limit
    return LineDifference(len(new) - kept, len(old) - kept, parts[:limit], is_cut)


def _parts(matcher: SequenceMatcher[int], old: Sequence[int], new: Sequence[int]) -> Iterator[Part]:
    """Yield what changed and what is near; a count stands between for the rest."""
    shown = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        if group[0][1] > shown:
            yield "@", group[0][1] - shown
        for tag, first, end, new_first, new_end in group:
            sign = " " if tag == "equal" else "-"
            yield from ((sign, number) for number in old[first:end])
            if tag != "equal":
                yield from (("+", number) for number in new[new_first:new_end])
        shown = group[-1][2]
    if shown < len(old):
        yield "@", len(old) - shown


@dataclass
class PassRecord:
    """One run of a pass; `ops` is the number of ops behind it.

    `firings` counts the firings of each rule by its key. `seconds` include the passes inside it,
    whose sum is `inner`; `difference` is what the pass itself changed. The ops that it made have
    the numbers from `first` up to `end`. `error` says that it failed, or was interrupted.
    """

    name: str
    depth: int
    first: int
    seconds: float = 0.0
    inner: float = 0.0
    ops: int = 0
    end: int = 0
    firings: Counter[int] = field(default_factory=Counter[int])
    error: str = ""
    difference: LineDifference = field(default_factory=lambda: LineDifference(0, 0, ()))

    @property
    def own(self) -> float:
        """The seconds of no inner pass."""
        return self.seconds - self.inner


@dataclass(frozen=True)
class Firing:
    """One firing: the number of the pass, the line of the root, and those of the new ops."""

    step: int
    root: int
    new: tuple[int, ...]


@dataclass
class RuleRecord:
    """A rule, its counts over the whole run, and its first firings."""

    rule: Rule
    counts: Counts = field(default_factory=Counts)
    firings: list[Firing] = field(default_factory=list)
    has_run: bool = False


class WhyNot:
    """The outcome of each rule at up to `limit` ops of its root's name at which it did not fire.

    Of several visits of an op the last counts.
    """

    def __init__(self, limit: int, named: Naming) -> None:
        self._limit = limit
        self._named = named
        self._counts: Counter[int] = Counter()
        self._entries: dict[tuple[int, Operation], Explanation] = {}
        self._by_root: dict[str, list[Rule]] = {}

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """Hear that a pass group begins."""
        self._run, self._function = run, function.sym_name.data
        self._by_root = {}
        for rule in members:
            self._by_root.setdefault(rule.root, []).append(rule)

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """Hear that rules are tried at an op; those that made it are left out."""
        for rule in self._by_root.get(root.name, ()):
            key = (id(rule), root)
            is_new = key not in self._entries
            if rule in left_alone or (is_new and self._counts[id(rule)] >= self._limit):
                continue
            self._counts[id(rule)] += is_new
            entry = before(rule, self._run, root, self._function, self._named)
            self._entries[key] = entry

    def fired(self, fired: FiredRule, root: Operation) -> None:
        """Hear that a rule fired: it leaves the list, and took the op from the others."""
        for rule in self._by_root.get(root.name, ()):
            key = (id(rule), root)
            if key not in self._entries:
                continue
            if rule is fired:
                del self._entries[key]
                self._counts[id(rule)] -= 1
            else:
                self._entries[key] = after(self._entries[key], fired)

    def of(self, rule: Rule) -> Iterator[tuple[Operation, Explanation]]:
        """Yield the ops at which a rule did not fire."""
        for (number, op), entry in self._entries.items():
            if number == id(rule):
                yield op, entry


class Clock:
    """Seconds, without those of the blocks in which it was stopped."""

    def __init__(self) -> None:
        self._stopped = 0.0

    def now(self) -> float:
        """Return the seconds since some moment."""
        return perf_counter() - self._stopped

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside the block."""
        start = perf_counter()
        try:
            yield
        finally:
            self._stopped += perf_counter() - start


@dataclass(frozen=True)
class Limits:
    """The most that is kept: parts of a difference, firings and ops of a rule.

    What is over is counted, and the page says so.
    """

    parts: int = 1000
    firings: int = 200
    ops: int = 12


class Recorder(RuleObserver):
    """Keeps passes with what they changed, rules with their firings, and reasons of the others.

    Times leave out the recorder's own work. Passes on a copy that is thrown away are not recorded.
    It hears of the passes inside `with instrumented(recorder)`.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.lines = Lines()
        self.passes: list[PassRecord] = []
        self.rules: dict[int, RuleRecord] = {}
        self.origins: dict[int, int] = {}
        """The rule that made an op, by the op's number; a rule is the key of `rules`."""
        self.now: list[int] = []
        """The lines of the module behind the last pass."""
        self.ops_before = 0
        self._open: list[tuple[PassRecord, float]] = []
        self._clock = Clock()
        self._why_not = WhyNot(self.limits.ops, self.lines.name)

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        with self._clock.stopped():
            self._changed(module)
            self.ops_before = self.ops_before or self.count(self.now)
            record = PassRecord(one_step(step), len(self._open), self.lines.ops)
            self.passes.append(record)
        self._open.append((record, self._clock.now()))

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        with self._clock.stopped():
            self._changed(module)
        self._close()

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        is_stopped = isinstance(error, KeyboardInterrupt)
        self._open[-1][0].error = f"failed: {error}" if not is_stopped else "interrupted"
        # What a pass left in pieces may not print; the page then shows the module before it.
        with self._clock.stopped(), suppress(Exception):
            self._changed(module)
        self._close()

    def _close(self) -> None:
        """Complete the record of the pass that is running."""
        record, start = self._open.pop()
        record.seconds, record.end = self._clock.now() - start, self.lines.ops
        record.ops = self.count(self.now)
        if self._open:
            self._open[-1][0].inner += record.seconds

    @property
    def ending(self) -> str:
        """The innermost pass that ended the run before its time, and why; empty without one."""
        outer = [index for index, record in enumerate(self.passes) if not record.depth]
        if not outer or not self.passes[outer[-1]].error:
            return ""
        ended = [record for record in self.passes[outer[-1] :] if record.error]
        return f"{ended[-1].name} {ended[-1].error}"

    def begins(self, run: Run) -> None:
        for rule in run.rules:
            self.rules.setdefault(id(rule), RuleRecord(rule))

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        for rule in members:
            self.rules[id(rule)].has_run = True
        self._why_not.starts(run, members, function)

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        with self._clock.stopped():
            self._why_not.visits(root, left_alone)

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        with self._clock.stopped():
            self._why_not.fired(rule, root)
            self._open[-1][0].firings[id(rule)] += 1
            record = self.rules[id(rule)]
            line = self.lines.last(root)
            if line is not None and len(record.firings) < self.limits.firings:
                lines = tuple(self.lines.line(op) for op in new if op.parent is not None)
                record.firings.append(Firing(len(self.passes) - 1, line, lines))
            for op in new:
                self.origins[self.lines.number(op)] = id(rule)

    def ends(self, stats: RuleStats) -> None:
        for count in stats.counts:
            self.rules[id(count.rule)].counts.add(count)

    def count(self, lines: Sequence[int]) -> int:
        """Count the ops among lines."""
        return sum(self.lines.all[line].op != NO_OP for line in lines)

    def why_not(self, record: RuleRecord) -> list[tuple[int, str, str, str]]:
        """List ops at which a rule did not fire: line, name, outcome and reason."""
        return [
            (line, entry.value, entry.outcome.value, entry.reason)
            for op, entry in self._why_not.of(record.rule)
            if (line := self.lines.last(op)) is not None
        ]

    def looks_at(self, module: ModuleOp) -> None:
        """Take a module as that behind the last pass, where no pass has run."""
        if not self.passes:
            self.now = self.lines.of(module)
            self.ops_before = self.count(self.now)

    def _changed(self, module: ModuleOp) -> None:
        """Compare the module with what it was, for the pass that is running."""
        lines = self.lines.of(module)
        if self._open:
            record = self._open[-1][0]
            if self.now != lines:
                record.difference = difference(self.now, lines, self.limits.parts)
        self.now = lines
