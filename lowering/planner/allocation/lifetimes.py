"""When tensors are alive, and how much memory that takes at the least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....dialects.value.layout import round_up


@dataclass(frozen=True)
class Lifetime:
    """A tensor's bytes and the steps, first and last included, at which it is alive."""

    name: str
    bytes: int
    start: int
    end: int


def aligned(lifetimes: Iterable[Lifetime], alignment: int) -> list[Lifetime]:
    """The same lifetimes, each taking whole multiples of the alignment."""
    return [
        Lifetime(life.name, round_up(life.bytes, alignment), life.start, life.end)
        for life in lifetimes
    ]


def peak_live(lifetimes: Sequence[Lifetime], alignment: int = 1) -> int:
    """The largest sum of bytes alive at one step: no packing takes less memory."""
    sizes = [round_up(life.bytes, alignment) for life in lifetimes]
    changes = [(life.start, size) for life, size in zip(lifetimes, sizes, strict=True)]
    changes += [(life.end + 1, -size) for life, size in zip(lifetimes, sizes, strict=True)]
    peak = live = 0
    for _, change in sorted(changes):
        live += change
        peak = max(peak, live)
    return peak


def neighbours(lifetimes: Sequence[Lifetime]) -> list[list[int]]:
    """For each lifetime the indices of those that are alive together with it."""
    met: list[list[int]] = [[] for _ in lifetimes]
    alive: list[int] = []
    for index in sorted(range(len(lifetimes)), key=lambda i: lifetimes[i].start):
        alive = [other for other in alive if lifetimes[other].end >= lifetimes[index].start]
        for other in alive:
            met[other].append(index)
        met[index].extend(alive)
        alive.append(index)
    return met
