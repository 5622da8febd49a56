"""Which tensors of a function are flat and which in croutons: exactly the least converted bytes.

Every tensor has a layout as it is made and as each op reads it. Conversions cost the bytes that
they write (to croutons with padding), each once per tensor; those of constants cost nothing, they
are made at compile time. In the minimum cut crouton is the high label: of equally good choices
that with the fewest croutons is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....dialects.value.place import LayoutKind, Memory, Place
from .coupling import couple
from .two_labels import Held, Problem

Way = tuple[tuple[Place, ...], ...]
"""For each tensor of an op, reads before results, the places where one of its kernels takes it."""


@dataclass(frozen=True)
class Item:
    """A tensor: its bytes by layout, where it lies if no op of the function makes it.

    A constant has its layout changed at compile time.
    """

    forms: Mapping[LayoutKind, int]
    place: Place | None = None
    constant: bool = False


@dataclass(frozen=True)
class Move:
    """What an op that only moves data moves: the bytes that its result takes from each read.

    It joins its reads or takes one apart. `in_place` are the layouts in which it needs no copy
    where both sides have that layout and lie in main memory.
    """

    bytes: tuple[int, ...]
    joins: bool
    in_place: frozenset[LayoutKind]


@dataclass(frozen=True)
class Step:
    """An op: numbers of the tensors that it reads and makes, and the ways in which it can run.

    `free` says for each of them whether the op leaves its memory to the system, `passes` how often
    the op goes over each of its reads (once where it says nothing).
    """

    reads: tuple[int, ...]
    makes: tuple[int, ...]
    ways: tuple[Way, ...]
    free: tuple[bool, ...]
    move: Move | None = None
    passes: tuple[int, ...] = ()

    @property
    def tensors(self) -> tuple[int, ...]:
        """The tensors in the order of a way."""
        return (*self.reads, *self.makes)

    def is_in_tcm(self, number: int) -> bool:
        """Whether a tensor of the op lies in TCM in all of its ways."""
        at = self.tensors.index(number)
        return all(in_tcm(place) for way in self.ways for place in way[at])


LOW, HIGH = 0, 1
"""The variables that have one label always."""


@dataclass
class Labels:
    """Collects the variables of a problem; those of each step are in the order of its tensors."""

    count: int = 2
    pins: dict[int, bool] = field(default_factory=lambda: {LOW: False, HIGH: True})
    implications: list[tuple[int, int]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def step(self, ways: Sequence[Sequence[frozenset[bool]]]) -> tuple[int, ...]:
        """Variables for one op's tensors, coupled as its ways need it."""
        coupling = couple(tuple(dict.fromkeys(map(tuple, ways))))
        variables = {group: (HIGH if high else LOW) for group, high in coupling.pins}
        for group in coupling.groups:
            if group not in variables:
                variables[group] = self.count
                self.count += 1
        self.implications += [(variables[a], variables[b]) for a, b in coupling.implications]
        return tuple(variables[group] for group in coupling.groups)

    def problem(self) -> Problem:
        """The problem of all that was collected."""
        return Problem(self.count, self.pins, self.implications, self.held)


def is_crouton(place: Place) -> bool:
    """The label of a layout; layouts that have no conversions count as flat."""
    return place.layout is LayoutKind.CROUTON


def in_tcm(place: Place) -> bool:
    """The label of a memory."""
    return place.memory is Memory.TCM


@dataclass(frozen=True)
class LayoutProblem:
    """A problem whose high label is crouton, each step's variables, and its costs of a byte."""

    problem: Problem
    variables: list[tuple[int, ...]]
    scale: int


def layout_problem(items: Sequence[Item], steps: Sequence[Step]) -> LayoutProblem:
    """What converting costs: bytes first, of equal ones the fewest ways out of TCM and back."""
    labels = Labels()
    variables = [
        labels.step([[frozenset(map(is_crouton, places)) for places in way] for way in step.ways])
        for step in steps
    ]
    own, readers = owners(items, steps, variables, is_crouton)
    held = [
        Held(own[number], tuple(readers[number]), *_costs(item))
        for number, item in enumerate(items)
        if readers[number] and not item.constant
    ]
    detours = [*_detours(own, steps, variables)]
    scale = 1 + len(detours)
    scaled = [replace(h, down=h.down * scale, up=h.up * scale) for h in held]
    labels.held += [*scaled, *detours]
    return LayoutProblem(labels.problem(), variables, scale)


def _costs(item: Item) -> tuple[int, int]:
    """Bytes written by conversions to flat and to crouton."""
    return item.forms.get(LayoutKind.FLAT, 0), item.forms.get(LayoutKind.CROUTON, 0)


def _detours(
    own: Mapping[int, int], steps: Sequence[Step], variables: Sequence[Sequence[int]]
) -> Iterator[Held]:
    """Tensors made in TCM that are read there too: only a conversion makes them leave it."""
    readers: dict[int, list[int]] = {n: [] for s in steps for n in s.makes if s.is_in_tcm(n)}
    for step, held in zip(steps, variables, strict=True):
        for number, variable in zip(step.reads, held, strict=False):
            if number in readers and step.is_in_tcm(number):
                readers[number].append(variable)
    for number, found in readers.items():
        if found:
            yield Held(own[number], tuple(found), 1, 1)


def owners(
    items: Sequence[Item],
    steps: Sequence[Step],
    variables: Sequence[Sequence[int]],
    high: Callable[[Place], bool],
) -> tuple[dict[int, int], list[list[int]]]:
    """For each tensor the variable of its own label and those of its readers."""
    own = {n: (HIGH if high(i.place) else LOW) for n, i in enumerate(items) if i.place}
    readers: list[list[int]] = [[] for _ in items]
    for step, held in zip(steps, variables, strict=True):
        for number, variable in zip(step.reads, held, strict=False):
            readers[number].append(variable)
        own |= dict(zip(step.makes, held[len(step.reads) :], strict=True))
    return own, readers
