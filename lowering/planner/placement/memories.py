"""Which tensors of a function lie in main memory and which in TCM, their layouts being given.

A second minimum cut, over the bytes between the two memories; TCM is the high label. Beside the
copies between them it counts what ops read from main memory and write there. A tensor in another
layout than it was made in is a tensor of its own, made in main memory from one that lies there.

An open operand that an op reads once is not copied to TCM for its own sake: that would hold a
whole tensor there for a slice of it. One that an op goes over again and again is. Open results go
to TCM within the Room only, but for slices that are read there anyhow. Of equally good choices that
with the fewest tensors in TCM is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from ....dialects.value.layout import CHUNK_BYTES, round_up
from ....dialects.value.place import LayoutKind, Place
from .layouts import HIGH, LOW, Item, Labels, Move, Step, Way, in_tcm, is_crouton, owners
from .places import Room
from .two_labels import Held, Problem


def memory_problem(
    items: Sequence[Item], steps: Sequence[Step], crouton: Sequence[Sequence[bool]], room: Room
) -> tuple[Problem, list[tuple[int, ...]], list[Step]]:
    """The problem whose high label is TCM, each step's variables, and the steps narrowed.

    `crouton` is the layout of each step's tensors.
    """
    alike = [_narrowed(step, layouts) for step, layouts in zip(steps, crouton, strict=True)]
    wanted = set(_read_in_tcm(alike))
    narrowed = [_with_room(items, step, room, wanted) for step in alike]
    labels = Labels()
    variables = [
        labels.step([[frozenset(map(in_tcm, places)) for places in way] for way in step.ways])
        for step in narrowed
    ]
    forms = _Forms(items, narrowed, crouton, variables)
    labels.held += forms.copies()
    for step, found, held in zip(narrowed, crouton, variables, strict=True):
        labels.held += _traffic(forms, step, found, held)
    return labels.problem(), variables, narrowed


def _narrowed(step: Step, crouton: Sequence[bool]) -> Step:
    """A step with the ways in which its tensors have the given layouts."""
    ways = [
        tuple(
            tuple(place for place in places if is_crouton(place) is label)
            for places, label in zip(way, crouton, strict=True)
        )
        for way in step.ways
    ]
    return replace(step, ways=tuple(way for way in ways if all(way)))


def _read_in_tcm(steps: Iterable[Step]) -> Iterator[int]:
    """The tensors that an op can only read in TCM."""
    for step in steps:
        for at, number in enumerate(step.reads):
            if step.ways and all(all(map(in_tcm, way[at])) for way in step.ways):
                yield number


def _with_room(items: Sequence[Item], step: Step, room: Room, wanted: Container[int]) -> Step:
    """A step with the ways in which its free tensors have room in TCM, if there are any."""
    ways = [cut for way in step.ways if (cut := _roomy(items, step, way, room, wanted))]
    return replace(step, ways=tuple(ways)) if ways else step


def _roomy(
    items: Sequence[Item], step: Step, way: Way, room: Room, wanted: Container[int]
) -> Way | None:
    """A way with free tensors kept out of TCM, the largest first, until the rest has room.

    A slice that is read in TCM in any case is large at no time: a copy of it would be there too.
    """
    sizes = [_size(items[n], places) for n, places in zip(step.tensors, way, strict=True)]
    results = range(len(step.reads), len(way))
    slices = step.move is not None and not step.move.joins
    large = {
        at
        for at in results
        if sizes[at] > room.tensor and not (slices and step.tensors[at] in wanted)
    }
    held = {at for at, places in enumerate(way) if any(map(in_tcm, places))}
    free = {at for at in held if step.free[at]}
    out = free & large
    while free - out and sum(round_up(sizes[at], CHUNK_BYTES) for at in held - out) > room.op:
        out.add(max(free - out, key=lambda at: sizes[at]))
    cut = tuple(
        tuple(p for p in places if not in_tcm(p)) if at in out else places
        for at, places in enumerate(way)
    )
    return cut if all(cut) else None


def _size(item: Item, places: Sequence[Place]) -> int:
    return item.forms.get(places[0].layout, 0)


class _Forms:
    """The tensors as they are read: each in the layout it is made in, and in the other one."""

    def __init__(
        self,
        items: Sequence[Item],
        steps: Sequence[Step],
        crouton: Sequence[Sequence[bool]],
        variables: Sequence[Sequence[int]],
    ) -> None:
        labels = [[HIGH if label else LOW for label in found] for found in crouton]
        self._items = items
        self._layout, _ = owners(items, steps, labels, is_crouton)
        self._own, _ = owners(items, steps, variables, in_tcm)
        self._readers: dict[int, list[tuple[bool, int]]] = defaultdict(list)
        for step, found, held in zip(steps, crouton, variables, strict=True):
            for number, label, variable in zip(step.reads, found, held, strict=False):
                self._readers[number].append((label, variable))

    def copies(self) -> Iterator[Held]:
        """Each form with its readers; a conversion reads what it converts from main memory."""
        for number, readers in self._readers.items():
            for label in (False, True):
                found = [variable for crouton, variable in readers if crouton is label]
                made = self._made_so(number, label)
                if made and len(found) < len(readers) and not self._items[number].constant:
                    found.append(LOW)
                if found:
                    size = self.size(number, label)
                    yield Held(self.own(number, label), tuple(found), size, size)

    def own(self, number: int, crouton: bool) -> int:
        """The variable of a tensor in this layout."""
        return self._own[number] if self._made_so(number, crouton) else LOW

    def size(self, number: int, crouton: bool) -> int:
        """The bytes of a tensor in this layout."""
        return self._items[number].forms.get(_kind(crouton), 0)

    def _made_so(self, number: int, crouton: bool) -> bool:
        return bool(self._layout[number]) is crouton


def _traffic(
    forms: _Forms, step: Step, crouton: Sequence[bool], variables: Sequence[int]
) -> Iterator[Held]:
    """What an op itself moves from and to main memory, and what holds open operands back."""
    reads = len(step.reads)
    sizes = [forms.size(*tensor) for tensor in zip(step.tensors, crouton, strict=True)]
    for at in (at for at in range(reads) if step.free[at]):
        yield Held(forms.own(step.tensors[at], crouton[at]), (variables[at],), 0, sizes[at])
    if step.move is None:
        passes = [*(step.passes or (1,) * reads), *(1 for _ in step.makes)]
        for at in (at for at in range(len(sizes)) if step.free[at]):
            yield _in_main_memory(variables[at], sizes[at] * passes[at])
    elif _needs_no_copy(step.move, crouton[:reads], crouton[reads]):
        yield from _moved(step.move, variables[:reads], variables[reads])
    else:
        for variable, size in zip(variables, (*step.move.bytes, sizes[reads]), strict=True):
            yield _in_main_memory(variable, size)


def _needs_no_copy(move: Move, reads: Sequence[bool], result: bool) -> bool:
    """Whether data of the op is in one layout, in which it can stay where it is."""
    alike = all(label is result for label, size in zip(reads, move.bytes, strict=True) if size)
    return alike and _kind(result) in move.in_place


def _moved(move: Move, reads: Sequence[int], result: int) -> Iterator[Held]:
    """Bytes that go from one memory to the other; what only takes a part does so on the way."""
    for variable, size in zip(reads, move.bytes, strict=True):
        yield Held(variable, (result,), size, size)
    if not move.joins:
        yield _in_main_memory(result, 1)


def _in_main_memory(variable: int, size: int) -> Held:
    """Bytes that cost where the variable says main memory."""
    return Held(variable, (HIGH,), 0, size)


def _kind(crouton: bool) -> LayoutKind:
    return LayoutKind.CROUTON if crouton else LayoutKind.FLAT
