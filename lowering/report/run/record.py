"""Records of a run: passes, rules and their firings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ...rules import Rule
from ...rules.engine.stats import Counts
from .difference import LineDifference


@dataclass
class PassRecord:
    """One run of a pass; `ops` is the number of ops behind it.

    `firings` counts those of each rule by its key. `seconds` include those of the passes inside it,
    `inner` is their sum, and `difference` what it changed besides them. The ops that it made have
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
