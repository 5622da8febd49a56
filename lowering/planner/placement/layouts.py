"""Layouts by a minimum cut: the tensors of a function flat or in croutons, at the fewest bytes.

Every tensor has a layout as it is made and as each op reads it. A conversion costs the bytes that
it writes (to croutons with padding), once per tensor, and several times as much where TCM has no
room for it; that of a constant is made at compile time and costs nothing. So does a part that
changes its layout on the way into a join in DDR, or out of a tensor there in which it could stay.
Crouton is the high label: among equal choices the one with the fewest croutons is taken.

Cost: one minimum cut (see `min_cut`), with one variable per tensor and per group of tensors of an
op that share a label.

Example: Relu makes 10 KB in croutons, an Add with an open layout reads them and a flat input of
10 KB, Relu reads the sum in croutons. Flat sums convert 20 KB, croutons convert the input: 10 KB.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ....dialects.value import LayoutKind, Memory, Place
from .coupling import couple
from .min_cut import ConversionCost, Problem
from .places import PlacementOption, TcmBudget, is_mostly_padding


@dataclass(frozen=True)
class PlacementTensor:
    """A tensor: its bytes by layout, and its place if no op of the function makes it.

    A constant has its layout changed at compile time.
    """

    forms: Mapping[LayoutKind, int]
    place: Place | None = None
    constant: bool = False


@dataclass(frozen=True)
class Move:
    """An op that only moves data, by the bytes that its result takes from each read.

    It joins its reads or takes one apart. `in_place` are the layouts in which it needs no copy
    where both sides have that layout and are in DDR. `scattered` are the reads, by position, whose
    bytes a join takes apart: an op that makes one in DDR cannot write it there.
    """

    bytes: tuple[int, ...]
    joins: bool
    in_place: frozenset[LayoutKind]
    scattered: frozenset[int] = frozenset()


@dataclass(frozen=True)
class PlacementOp:
    """An op by the numbers of the tensors that it reads and makes, and its placement options.

    `free` says for each of them whether the op leaves its memory to the system, `passes` how often
    the op reads all of each of its reads (once where it is empty), `scratch` how many bytes of TCM
    its kernel takes besides. It may write its result onto one of the tensors `onto`.
    """

    reads: tuple[int, ...]
    makes: tuple[int, ...]
    options: tuple[PlacementOption, ...]
    free: tuple[bool, ...]
    move: Move | None = None
    passes: tuple[int, ...] = ()
    scratch: int = 0
    onto: frozenset[int] = frozenset()

    @property
    def tensors(self) -> tuple[int, ...]:
        """The tensors in the order of an option."""
        return (*self.reads, *self.makes)

    @property
    def all_passes(self) -> tuple[int, ...]:
        """The number of times that the op goes over each of its tensors."""
        return (*(self.passes or (1,) * len(self.reads)), *(1 for _ in self.makes))

    def needs_tcm(self, at: int) -> bool:
        """Say whether the tensor at a position is in TCM in all options."""
        return all(in_tcm(place) for option in self.options for place in option[at])


IN_DDR = 4
"""The bytes in TCM for which a conversion that has no room there is exchanged."""
MOSTLY_PADDING = 4
"""The conversions for which a tensor in TCM that would be mostly padding is exchanged."""
LOW, HIGH = 0, 1
"""The two variables with a pinned label."""


@dataclass
class ProblemBuilder:
    """A collector of the variables and costs of a labelling problem."""

    count: int = 2
    implications: list[tuple[int, int]] = field(default_factory=list)
    costs: list[ConversionCost] = field(default_factory=list)

    def variables(self, op: PlacementOp, high: Callable[[Place], bool]) -> tuple[int, ...]:
        """Add variables for an op's tensors, coupled as its options need it."""
        boxes = (tuple(frozenset(map(high, places)) for places in option) for option in op.options)
        coupling = couple(tuple(dict.fromkeys(boxes)))
        of = {group: (HIGH if label else LOW) for group, label in coupling.pins}
        for group in coupling.groups:
            if group not in of:
                of[group] = self.variable()
        self.implications += [(of[a], of[b]) for a, b in coupling.implications]
        return tuple(of[group] for group in coupling.groups)

    def variable(self) -> int:
        """Add a variable of its own."""
        self.count += 1
        return self.count - 1

    def problem(self) -> Problem:
        """The problem of all that was collected."""
        return Problem(self.count, {LOW: False, HIGH: True}, self.implications, self.costs)


def is_crouton(place: Place) -> bool:
    """Label a layout; layouts without conversions count as flat."""
    return place.layout is LayoutKind.CROUTON


def in_tcm(place: Place) -> bool:
    """Label a memory."""
    return place.memory is Memory.TCM


def layout_problem(
    tensors: Sequence[PlacementTensor], ops: Sequence[PlacementOp], budget: TcmBudget
) -> tuple[Problem, list[tuple[int, ...]]]:
    """State the problem whose high label is crouton: it, and each op's variables.

    Bytes come first; among equals the fewest conversions of tensors that are made and read in TCM,
    where a tensor there that would be mostly padding counts as several.
    """
    builder = ProblemBuilder()
    variables = [builder.variables(op, is_crouton) for op in ops]
    own, readers = owners(tensors, ops, variables, is_crouton)
    # Tensors that are made in TCM and read there: only a conversion makes them leave it.
    tcm_readers: dict[int, list[int]] = {
        n: [] for op in ops for at, n in enumerate(op.makes, len(op.reads)) if op.needs_tcm(at)
    }
    for op, labels in zip(ops, variables, strict=True):
        for at, number in enumerate(op.reads):
            if number in tcm_readers and op.needs_tcm(at):
                tcm_readers[number].append(labels[at])
    detours = [
        ConversionCost(own[number], tuple(labels), 1, 1)
        for number, labels in tcm_readers.items()
        if labels
    ]
    detours += [
        ConversionCost(own[number], (LOW,), MOSTLY_PADDING, 0)
        for number in tcm_readers
        if is_mostly_padding(tensors[number].forms)
    ]
    scale = 1 + sum(max(detour.down, detour.up) for detour in detours)
    flat, crouton = LayoutKind.FLAT, LayoutKind.CROUTON
    for number, tensor in enumerate(tensors):
        if readers[number] and not tensor.constant:
            weight = scale * (1 if budget.converts(tensor.forms) else IN_DDR)
            costs = (weight * tensor.forms.get(layout, 0) for layout in (flat, crouton))
            builder.costs.append(ConversionCost(own[number], tuple(readers[number]), *costs))
    builder.costs += _detoured_parts(tensors, ops, variables, budget, scale * IN_DDR)
    builder.costs += detours
    return builder.problem(), variables


def _detoured_parts(
    tensors: Sequence[PlacementTensor],
    ops: Sequence[PlacementOp],
    variables: Sequence[Sequence[int]],
    budget: TcmBudget,
    weight: int,
) -> Iterator[ConversionCost]:
    """Charge the parts that change their layout as they are joined, or taken, in DDR.

    A large join is there, unless it is read in TCM in any case.
    """
    outside = _outside(tensors, ops)
    wanted = {n for op in ops for at, n in enumerate(op.reads) if op.options and op.needs_tcm(at)}
    for op, labels in zip(ops, variables, strict=True):
        if not op.move or not (op.move.joins or op.move.in_place):
            continue
        forms = tensors[op.makes[0]].forms
        if op.move.joins:
            is_large = min(forms.values()) > budget.tensor and op.makes[0] not in wanted
            if op.makes[0] in outside or is_large:
                for label, size in zip(labels, op.move.bytes, strict=False):
                    yield ConversionCost(labels[-1], (label,), weight * size, weight * size)
        else:
            # What a slice makes in the other layout than it reads.
            sizes = (forms.get(kind, 0) for kind in (LayoutKind.CROUTON, LayoutKind.FLAT))
            costs = [weight * size if size > budget.op else 0 for size in sizes]
            yield ConversionCost(labels[-1], (labels[0],), *costs)


def _outside(tensors: Sequence[PlacementTensor], ops: Sequence[PlacementOp]) -> set[int]:
    """Find the tensors that are in DDR in all options, or read whole into such ones alone."""
    outside: set[int] = set()
    inside: set[int] = set()
    for op in reversed(ops):
        for at, number in enumerate(op.makes, len(op.reads)):
            stays_out = not any(in_tcm(place) for option in op.options for place in option[at])
            if stays_out or number not in inside:
                outside.add(number)
        whole = op.move is not None and {*op.makes} <= outside
        for at, number in enumerate(op.reads):
            taken = op.move.bytes[at] if op.move else 0
            if not (whole and taken == tensors[number].forms.get(LayoutKind.FLAT)):
                inside.add(number)
    return outside


def converted_bytes(
    tensors: Sequence[PlacementTensor],
    ops: Sequence[PlacementOp],
    crouton: Sequence[Sequence[bool]],
) -> int:
    """Count the bytes that conversions write, for the layouts of each op's tensors."""
    labels = [[HIGH if label else LOW for label in row] for row in crouton]
    own, readers = owners(tensors, ops, labels, is_crouton)
    kinds = (LayoutKind.FLAT, LayoutKind.CROUTON)
    return sum(
        tensor.forms.get(kinds[label], 0)
        for number, tensor in enumerate(tensors)
        if not tensor.constant
        for label in {*readers[number]} - {own[number]}
    )


def owners(
    tensors: Sequence[PlacementTensor],
    ops: Sequence[PlacementOp],
    variables: Sequence[Sequence[int]],
    high: Callable[[Place], bool],
) -> tuple[dict[int, int], list[list[int]]]:
    """Find for each tensor the variable of its own label and those of its readers."""
    own = {n: (HIGH if high(t.place) else LOW) for n, t in enumerate(tensors) if t.place}
    readers: list[list[int]] = [[] for _ in tensors]
    for op, labels in zip(ops, variables, strict=True):
        for number, variable in zip(op.reads, labels, strict=False):
            readers[number].append(variable)
        own |= dict(zip(op.makes, labels[len(op.reads) :], strict=True))
    return own, readers
