"""Memories by a second minimum cut: DDR or TCM for each tensor, its layout being known.

TCM is the high label. Costs are the copies between the two memories, and the bytes that ops read
from DDR and write there. A tensor in another layout than it was made in is a tensor of its own. The
change of layout has a memory, too: in TCM, where both forms fit there, it moves nothing itself, in
DDR it reads and writes them.

An open operand of a slice is not copied to TCM: that would keep a whole tensor there for a part of
it. One that several ops read, or one again and again, is. Open results go to TCM within the
budget only, except slices and joins that are read there in any case. Among equal choices the one
with the fewest tensors in TCM is taken.

Cost: one minimum cut (see `min_cut`), with one variable per tensor and coupled group of an op.

Example: an op reads, in TCM, a slice of 10 KB of an input in DDR. A slice in DDR is in place and is
then copied: 10 KB. A slice in TCM brings the 10 KB itself; it wins by a byte that breaks ties. A
slice that only a join reads does not: the join reads it in place.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from ....dialects.value import CHUNK_BYTES, LayoutKind, round_up
from .layouts import (
    HIGH,
    LOW,
    Move,
    PlacementOp,
    PlacementTensor,
    ProblemBuilder,
    in_tcm,
    is_crouton,
    owners,
)
from .min_cut import ConversionCost, Problem
from .places import PlacementOption, TcmBudget


def memory_problem(
    tensors: Sequence[PlacementTensor],
    ops: Sequence[PlacementOp],
    crouton: Sequence[Sequence[bool]],
    budget: TcmBudget,
) -> tuple[Problem, list[tuple[int, ...]], list[PlacementOp]]:
    """State the problem whose high label is TCM: it, each op's variables, and the ops narrowed.

    `crouton` is the layout of each op's tensors.
    """
    # Keep the options with the chosen layouts, then those within the budget.
    with_layouts = [_with_layouts(op, labels) for op, labels in zip(ops, crouton, strict=True)]
    wanted = {
        number
        for op in with_layouts
        for at, number in enumerate(op.reads)
        if op.options and op.needs_tcm(at)
    }
    made_in_tcm = _made_in_tcm(with_layouts)
    narrowed = [_within_budget(tensors, op, budget, wanted, made_in_tcm) for op in with_layouts]
    # Copies between the memories, then the traffic of the ops themselves.
    builder = ProblemBuilder()
    variables = [builder.variables(op, in_tcm) for op in narrowed]
    forms = _Forms(tensors, narrowed, crouton, variables, builder, budget)
    builder.costs += forms.copies()
    unmade = _unmade(tensors, narrowed)
    for op, layouts, memories in zip(narrowed, crouton, variables, strict=True):
        builder.costs += _traffic(forms, op, layouts, memories, unmade)
    return builder.problem(), variables, narrowed


def _made_in_tcm(ops: Sequence[PlacementOp]) -> set[int]:
    """Find the tensors that may be made in TCM.

    A slice in place of what is in DDR is not: it costs as little there.
    """
    inside = set[int]()
    for op in ops:
        if op.move is None or op.move.joins or not op.move.in_place or inside.issuperset(op.reads):
            inside |= {
                number
                for at, number in enumerate(op.makes, len(op.reads))
                if any(in_tcm(place) for option in op.options for place in option[at])
            }
    return inside


def _unmade(tensors: Sequence[PlacementTensor], ops: Sequence[PlacementOp]) -> set[int]:
    """Find the tensors in DDR that no op makes, and those in place of them: views, slices."""
    unmade = {*range(len(tensors))} - {number for op in ops for number in op.makes}
    for op in ops:
        if op.move and op.move.in_place and not op.move.joins and unmade.issuperset(op.reads):
            unmade |= {*op.makes}
    return unmade


def _with_layouts(op: PlacementOp, crouton: Sequence[bool]) -> PlacementOp:
    """Keep the options of an op in which its tensors have the given layouts."""
    options = [
        tuple(
            tuple(place for place in places if is_crouton(place) is label)
            for places, label in zip(option, crouton, strict=True)
        )
        for option in op.options
    ]
    return replace(op, options=tuple(option for option in options if all(option)))


def _within_budget(
    tensors: Sequence[PlacementTensor],
    op: PlacementOp,
    budget: TcmBudget,
    wanted: Container[int],
    made_in_tcm: Container[int],
) -> PlacementOp:
    """Keep the options of an op whose free tensors fit the budget, if there are any.

    A read that has no room in TCM in one option is out of it in all of them: else nothing says that
    the result may be there instead. Options that read the most in TCM of what is made there come
    first: where one of two tensors has room, only one option can be encoded.
    """
    large = [_too_large(tensors, op, option, budget, wanted, made_in_tcm) for option in op.options]
    reads = {at for out in large for at in out if at < len(op.reads)}
    cut = (_out_of_tcm(option, out | reads) for option, out in zip(op.options, large, strict=True))
    options = sorted(
        (option for option in cut if all(option)),
        key=lambda option: _read_in_ddr(tensors, op, option, made_in_tcm),
    )
    return replace(op, options=tuple(options)) if options else op


def _read_in_ddr(
    tensors: Sequence[PlacementTensor],
    op: PlacementOp,
    option: PlacementOption,
    made_in_tcm: Container[int],
) -> int:
    """Count the bytes that an option reads in DDR of what can be made in TCM."""
    return sum(
        tensors[number].forms.get(places[0].layout, 0)
        for number, places in zip(op.reads, option, strict=False)
        if number in made_in_tcm and not any(map(in_tcm, places))
    )


def _too_large(
    tensors: Sequence[PlacementTensor],
    op: PlacementOp,
    option: PlacementOption,
    budget: TcmBudget,
    wanted: Container[int],
    made_in_tcm: Container[int],
) -> set[int]:
    """List free tensors of an option to take out of TCM until the rest fits.

    Those that are read the fewest times go first, of these what is not `made_in_tcm`, then the
    largest. The rest are the other
    tensors in TCM, and the scratch of the kernel. A slice or a join that is `wanted` in TCM in any
    case stays: a copy of it would be there too.
    """
    sizes = [
        tensors[number].forms.get(places[0].layout, 0)
        for number, places in zip(op.tensors, option, strict=True)
    ]
    results = range(len(op.reads), len(option))
    kept = {at for at in results if op.move is not None and op.tensors[at] in wanted}
    limit = budget.op if op.move is not None and op.move.joins else budget.tensor
    large = {at for at in results if sizes[at] > limit} - kept
    passes = op.all_passes
    inside = {at for at, places in enumerate(option) if any(map(in_tcm, places))}
    if op.move is not None and op.move.joins:
        # A join can read its parts in either memory.
        inside -= {*range(len(op.reads))}
    free = {at for at in inside if op.free[at]} - kept
    out, room = free & large, budget.op - op.scratch
    padded = [round_up(size, CHUNK_BYTES) for size in sizes]
    while free - out and sum(padded[at] for at in _apart(op, inside - out)) > room:
        key = {at: (-passes[at], op.tensors[at] not in made_in_tcm, sizes[at]) for at in free - out}
        out.add(max(key, key=key.__getitem__))
    return out


def _apart(op: PlacementOp, inside: set[int]) -> set[int]:
    """List which of these tensors have bytes of their own: not a result that overwrites one."""
    overwrites = any(op.tensors[at] in op.onto for at in inside)
    return inside - {len(op.reads)} if overwrites else inside


def _out_of_tcm(option: PlacementOption, out: Container[int]) -> PlacementOption:
    """Take some tensors of an option out of TCM."""
    return tuple(
        tuple(p for p in places if not in_tcm(p)) if at in out else places
        for at, places in enumerate(option)
    )


class _Forms:
    """The tensors as they are read: each in the layout it is made in, and in the other one."""

    def __init__(
        self,
        tensors: Sequence[PlacementTensor],
        ops: Sequence[PlacementOp],
        crouton: Sequence[Sequence[bool]],
        variables: Sequence[Sequence[int]],
        builder: ProblemBuilder,
        budget: TcmBudget,
    ) -> None:
        labels = [[HIGH if label else LOW for label in row] for row in crouton]
        self.budget = budget
        self._tensors = tensors
        self._layout, _ = owners(tensors, ops, labels, is_crouton)
        self._own, _ = owners(tensors, ops, variables, in_tcm)
        self._readers: dict[int, list[tuple[bool, int]]] = defaultdict(list)
        self._open: dict[tuple[int, bool], list[int]] = defaultdict(list)
        others = (op for op in ops if op.move is None or not op.move.joins)
        self._apart = {number for op in others for number in op.reads}
        for op, layouts, memories in zip(ops, crouton, variables, strict=True):
            each = zip(op.reads, layouts, memories, op.free, strict=False)
            for number, label, variable, is_open in each:
                self._readers[number].append((label, variable))
                if is_open and op.move is None:
                    self._open[number, label].append(variable)
        # A constant changes its layout at compile time, in DDR.
        self._conversions = {
            number: builder.variable() if budget.converts(tensors[number].forms) else LOW
            for number, readers in self._readers.items()
            if not tensors[number].constant
            and any(label is not bool(self._layout[number]) for label, _ in readers)
        }

    def copies(self) -> Iterator[ConversionCost]:
        """Each form with its readers, which the change of layout is one of, and the changes."""
        for number, readers in self._readers.items():
            for label in (False, True):
                same = [variable for crouton, variable in readers if crouton is label]
                if bool(self._layout[number]) is label and number in self._conversions:
                    same.append(self._conversions[number])
                if same:
                    own, size = self.own(number, label), self.size(number, label)
                    yield ConversionCost(own, tuple(same), size, size)
                    if size > self.budget.tensor and (able := self._open[number, label]):
                        # What is large costs its bytes once more where it is copied to TCM.
                        yield ConversionCost(own, tuple(able), 0, size)
        for number, variable in self._conversions.items():
            yield _in_ddr(variable, sum(self._tensors[number].forms.values()))

    def own(self, number: int, crouton: bool) -> int:
        """The variable of a tensor in this layout, which its change of layout makes in one."""
        if bool(self._layout[number]) is crouton:
            return self._own[number]
        return self._conversions.get(number, LOW)

    def is_joined(self, number: int) -> bool:
        """Tell whether only joins read a tensor, which do so in either memory."""
        return number not in self._apart

    def size(self, number: int, crouton: bool) -> int:
        """The bytes of a tensor in this layout."""
        return self._tensors[number].forms.get(_kind(crouton), 0)


def _traffic(
    forms: _Forms,
    op: PlacementOp,
    crouton: Sequence[bool],
    variables: Sequence[int],
    unmade: Container[int],
) -> Iterator[ConversionCost]:
    """The bytes that an op moves from and to DDR, and what keeps open operands out of TCM."""
    reads = len(op.reads)
    sizes = [forms.size(*tensor) for tensor in zip(op.tensors, crouton, strict=True)]
    if op.move is None:
        passes = op.all_passes
        for at in range(len(sizes)):
            if op.free[at]:
                yield _in_ddr(variables[at], sizes[at] * passes[at])
        return
    # An open operand that is taken apart costs its bytes again where it is copied to TCM.
    for at in range(reads):
        if op.free[at]:
            own = forms.own(op.tensors[at], crouton[at])
            yield ConversionCost(own, (variables[at],), 0, sizes[at])
    if _needs_no_copy(op.move, crouton[:reads], crouton[reads]):
        # Bytes go from one memory to the other; what only takes a part does so on the way.
        copied = {at for at in range(reads) if op.move.joins and op.tensors[at] in unmade}
        for at, size in enumerate(op.move.bytes):
            if at in copied:
                # What no op makes cannot be made where it is joined.
                yield _in_ddr(variables[at], size)
                yield _in_ddr(variables[reads], size)
            else:
                yield ConversionCost(variables[at], (variables[reads],), size, size)
        for at in op.move.scattered - copied:
            yield _in_ddr(forms.own(op.tensors[at], crouton[at]), op.move.bytes[at])
        if not op.move.joins and not forms.is_joined(op.tensors[reads]):
            yield _in_ddr(variables[reads], 1)
    else:
        for variable, size in zip(variables, (*op.move.bytes, sizes[reads]), strict=True):
            yield _in_ddr(variable, size)


def _needs_no_copy(move: Move, reads: Sequence[bool], result: bool) -> bool:
    """Say whether all data of an op has one layout, in which it can stay in place."""
    alike = all(label is result for label, size in zip(reads, move.bytes, strict=True) if size)
    return alike and _kind(result) in move.in_place


def _in_ddr(variable: int, size: int) -> ConversionCost:
    """Bytes that cost where a variable says DDR."""
    return ConversionCost(variable, (HIGH,), 0, size)


def _kind(crouton: bool) -> LayoutKind:
    return LayoutKind.CROUTON if crouton else LayoutKind.FLAT
