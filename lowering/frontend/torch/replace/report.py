"""A report of the parts that `use_block_ops` replaced, and of those that it left."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Replaced:
    """A part of a module that a block op represents: the part's path, its kind, the op."""

    path: str
    kind: str
    op: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind} is {self.op}"


@dataclass(frozen=True)
class Left:
    """A part that no block op could represent, and the reason."""

    path: str
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind} stays: {self.reason}"


@dataclass(frozen=True)
class ReplaceReport:
    """All parts that came into question; `error` is the largest difference on the example."""

    replaced: tuple[Replaced, ...]
    left: tuple[Left, ...]
    error: float

    def __str__(self) -> str:
        count = f"{len(self.replaced)} replaced, {len(self.left)} left, error {self.error:.1e}"
        return "\n".join([count, *(f"  {part}" for part in (*self.replaced, *self.left))])
