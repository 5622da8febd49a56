"""Schemas drawn from the example of an op's docstring: its dims become letters that are scaled.

Params are drawn within their constraints, dtypes as the fields say. Results that do not follow from
that follow from the op's own `infer`.

The dims that belong together are found by trial. One dim of the example is made one more, alone,
then together with equal dims of the same place and dtype, of the same place, of any, and with
multiples; the first set that the op's own `infer` accepts is a letter. A dim that may be 1 instead,
with the same results, broadcasts. Dims of results that are the same multiple of a letter, or are a
number of a param, in all trials follow it.

Cost: at most 15 trials for each dim of the operands, once for an op; each makes one op.

Example: of a Gru with X [5, 2, 3], W [12, 3] and R [12, 4] graphs have X [s, b, n], W [3 * h, n]
and R [3 * h, h], with any s, b, n and h. The letter 3 is in X and W. The 4 of R alone is refused; 4
and its multiple 12 are accepted as 5 and 15.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from random import Random

from .....dialects.htp.base import NativeOp
from .....dialects.htp.constraints import ANY, ParamConstraint, TensorConstraint
from .....dialects.value import RANK, DType, Kind
from ..drawing.constraint_system import IntVar, Sum
from ..drawing.template import ELEMENTS, GraphTemplate, OpTemplate, Slot
from .common import ints, kind_of, members, near, reals, weights_of
from .related import OperandRow, Specs, follow, results_of

_EXAMPLE = re.compile(r"Example:\s*`[^`]*:\s*\(([^`]*?)\)\s*->")
_TYPE = re.compile(r"(?:tensor|!htp\.shape)<([\dx]*\d)(?:x([a-z]+\d+))?")
_DTYPES = {"f32": DType.Float32, "f16": DType.Float16, "i32": DType.Int32, "ui8": DType.UInt8}
_STEPS = 1, 2, 4
"""The steps in which a dim may grow."""
_TRIES, _PARAMS = 400, 4
"""The rows of params that are drawn for an example, and those with which it is tried."""
Numbers = Sequence[Sequence[int]]
"""The numbers of the params, by operand."""
Place = tuple[int, int]
"""An operand or a result, and a dim of it or a number that it holds."""


@dataclass(frozen=True)
class Shown:
    """An operand of an example: its dims, and its dtype; none for a shape."""

    dims: tuple[int, ...]
    dtype: DType | None


@dataclass(frozen=True)
class Letter:
    """Dims that change together: a least extent, and the places with their factors."""

    least: int
    most: int | None
    operands: Mapping[Place, int]
    results: Mapping[Place, int]


@lru_cache(maxsize=1024)
def shown(native: type[NativeOp]) -> tuple[Shown, ...]:
    """Return the operands of the example in an op's docstring; none where a dtype is not known."""
    match = _EXAMPLE.search(" ".join((native.__doc__ or "").split()))
    types = _TYPE.findall(match[1]) if match else []
    if any(dtype and dtype not in _DTYPES for _, dtype in types):
        return ()
    return tuple(
        Shown(tuple(map(int, dims.split("x"))), _DTYPES.get(dtype)) for dims, dtype in types
    )


@dataclass(frozen=True)
class Relations:
    """The letters of an example, and the places of operands whose dim may be 1 instead.

    Numbers of params are `stated` dims of results, or `fixed`.
    """

    letters: Sequence[Letter]
    free: AbstractSet[Place]
    stated: Mapping[Place, Place]
    fixed: Mapping[Place, int]

    @cached_property
    def places(self) -> AbstractSet[Place]:
        """The dims of results that letters or params say."""
        return {*self.stated.values(), *(p for letter in self.letters for p in letter.results)}


@lru_cache(maxsize=1024)
def relations(
    native: type[NativeOp],
    rows: tuple[OperandRow, ...],
    usual: tuple[tuple[tuple[int, int], ...], ...],
) -> Relations:
    """Return how the dims of an op depend on each other, by trial."""
    trial = _Trial(native, rows, usual)
    data = trial.data
    fixed = {place: Letter(extent, extent, {place: 1}, {}) for place, extent in data.items()}
    if not trial.drawn:
        return Relations([*fixed.values()], frozenset(), {}, {})
    letters, taken = list[Letter](), set[Place]()
    for place in sorted(data, key=lambda place: data[place]):
        if place not in taken:
            tried = (trial.letter(s, step) for step in _STEPS for s in trial.sets(place, taken))
            letters.append(next(filter(None, tried), fixed[place]))
            taken |= letters[-1].operands.keys()
    free = {place for place, extent in data.items() if extent > 1 and trial.broadcasts(place)}
    return Relations(letters, free, *trial.params(letters))


class _Trial:
    """An example whose dims are changed.

    `data` are those of operands without numbers, `drawn` are rows of params that it takes.
    """

    def __init__(
        self,
        native: type[NativeOp],
        rows: Sequence[OperandRow],
        usual: Sequence[Sequence[tuple[int, int]]],
    ) -> None:
        self._native, self._rows, self._reach = native, rows, usual
        self._example = example = shown(native)
        self.data = {
            (operand, dim): extent
            for operand, (own, numbers) in enumerate(zip(example, usual, strict=True))
            for dim, extent in enumerate(own.dims)
            if not numbers
        }
        random, drawn = Random(0), list[Numbers]()
        for _ in range(_TRIES):
            numbers = [[random.randrange(*reach) for reach in each] for each in usual]
            if numbers not in drawn and self.results({}, numbers):
                drawn.append(numbers)
            if len(drawn) == _PARAMS:
                break
        self.drawn = drawn

    def accepted(self, changed: Mapping[Place, int]) -> Specs:
        """Return the results with other dims; none where the op refuses them."""
        return self.results(changed, self.drawn[0])

    def results(self, changed: Mapping[Place, int], params: Numbers) -> Specs:
        """Return the results with other dims and params; none where the op refuses them."""
        row: list[int] = []
        for operand, (own, numbers) in enumerate(zip(self._example, params, strict=True)):
            row += (changed.get((operand, dim), n) for dim, n in enumerate(own.dims))
            if own.dtype is not None:
                row.append(ELEMENTS.index(own.dtype))
            row += numbers
        return results_of(self._native, self._rows, *row)

    def sets(self, place: Place, taken: set[Place]) -> Iterator[list[Place]]:
        """Yield the sets of dims that may be one letter with a dim, the least first."""
        (operand, dim), extent = place, self.data[place]
        dtype = self._example[operand].dtype
        others = [each for each in self.data if each not in taken]
        equal = [each for each in others if self.data[each] == extent]
        aligned = [each for each in equal if each[1] == dim]
        yield [place]
        yield [each for each in aligned if self._example[each[0]].dtype is dtype]
        yield aligned
        if extent > 1:
            yield equal
            if dtype is not None:
                tensors = [each for each in others if self._example[each[0]].dtype is not None]
                yield [each for each in tensors if self.data[each] % extent == 0]

    def letter(self, places: Sequence[Place], step: int) -> Letter | None:
        """Return the letter of some dims in steps; None where they do not change together."""
        extent, rest = divmod(min(self.data[place] for place in places), step)
        factors = {place: self.data[place] // extent for place in places} if extent else {}
        if rest or not all(self._with(factors, extent + more) for more in (1, 2) if factors):
            return None
        least = next(n for n in range(1, extent + 1) if self._with(factors, n))
        return Letter(least, None, factors, self._tracked(factors, extent))

    def _with(self, factors: Mapping[Place, int], extent: int) -> Specs:
        return self.accepted({place: factor * extent for place, factor in factors.items()})

    def _tracked(self, factors: Mapping[Place, int], extent: int) -> Mapping[Place, int]:
        """Return the dims of results that are multiples of an extent, whatever the params are."""
        rows = [(params, extent + more) for params in self.drawn for more in (0, 1, 2)]
        seen = [
            (specs, n)
            for params, n in rows
            if (specs := self.results({place: by * n for place, by in factors.items()}, params))
        ]
        return _multiples(seen)

    def params(
        self, letters: Sequence[Letter]
    ) -> tuple[Mapping[Place, Place], Mapping[Place, int]]:
        """Return the numbers of params that are dims of results, and those that cannot change."""
        grown = {
            place: self.data[place] + factor
            for letter in letters
            for place, factor in letter.operands.items()
            if letter.most is None
        }
        stated, fixed = dict[Place, Place](), dict[Place, int]()
        numbers = ((at, n) for at, each in enumerate(self._reach) for n in range(len(each)))
        for place in numbers:
            seen = [
                (specs, number)
                for params in self.drawn
                for number in range(*self._reach[place[0]][place[1]])
                for changed in ({}, grown)
                if (specs := self.results(changed, _with(params, place, number)))
            ]
            tried = {number for _, number in seen}
            same = (dim for dim, factor in _multiples(seen).items() if factor == 1)
            if len(tried) == 1:
                fixed[place] = tried.pop()
            elif dim := next(same, None):
                stated[place] = dim
        return stated, fixed

    def broadcasts(self, place: Place) -> bool:
        """Test that a dim may be 1 with the same results."""
        return self.accepted({place: 1}) == self.accepted({})


def _with(params: Numbers, place: Place, number: int) -> Numbers:
    changed = [list(each) for each in params]
    changed[place[0]][place[1]] = number
    return changed


def _multiples(seen: Sequence[tuple[Specs, int]]) -> Mapping[Place, int]:
    """Return the dims that are the same multiple of a number in all results, and the factor."""
    multiples: dict[Place, int] = {}
    for at, dim in product(range(len(seen[0][0])), range(RANK)):
        ratios = {divmod(spec.shape[dim], n) for specs, n in seen if (spec := specs[at]) and n}
        factor, rest = ratios.pop() if len(ratios) == 1 else (0, 0)
        if factor and not rest:
            multiples[at, dim] = factor
    return multiples


_SAME_ENCODING, _BROADCAST, _LEAST = 60, 25, 30
"""Chances in percent: tensors of one dtype have one encoding, a dim that may be 1 is, and the
numbers of a param are the least."""
_FARTHEST, _REACH = 6, 4
"""The largest number of a param that has no bounds, and the numbers that are tried of one."""


def exemplary(template: GraphTemplate, op: OpTemplate) -> None:
    """State what the example of an op and its own `infer` say.

    An operand that a graph op does without takes part in the trials alone.
    """
    native = op.op_class
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} has no example to draw from")
    named, example = dict(zip(op.names, op.operands, strict=True)), shown(native)
    slots = [named.get(name) for name in native.OPERANDS]
    for name, slot, own in zip(native.OPERANDS, slots, example, strict=True):
        if name in native.PARAMS and slot is not None:
            _param(template, slot, native.CONSTRAINTS[name], own)
    _encodings(template, op, native, dict(zip(native.OPERANDS, example, strict=True)))
    rows = tuple(OperandRow.of(slot) if slot else OperandRow() for slot in slots)
    usual = tuple(tuple(map(_reach, slot.numbers.values())) if slot else () for slot in slots)
    known = relations(native, rows, usual)
    for letter in known.letters:
        _scale(template, op, slots, letter, known.free)
    for (operand, number), value in known.fixed.items():
        if slot := slots[operand]:
            slot.numbers[number].narrow(value, value)
    for (operand, number), (result, dim) in known.stated.items():
        if slot := slots[operand]:
            op.results[result].dims[dim].join(slot.numbers[number])
    if None in slots:
        template.same_dtype(op.operands[0], op.results[0])
    else:
        follow(template, op, known.places)


def _param(template: GraphTemplate, slot: Slot, constraint: object, own: Shown) -> None:
    """Draw a param near its usual value, else within its bounds, as many as the example has."""
    count = own.dims[-1] * own.dims[-2]
    if isinstance(constraint, ParamConstraint) and constraint.usual is not None:
        near(template, slot, constraint.usual, count)
    elif own.dtype is DType.Float32:
        reals(template, slot, *(template.number(0, 8) for _ in range(count)))
    elif isinstance(constraint, ParamConstraint):
        least, most = constraint.least, constraint.most
        low = max(int(count > 1) if least is None else least, -_FARTHEST)
        spread = 3 if most is None else min(most - low, 2 * _FARTHEST) + 1
        spread = 1 if template.choices.chance(_LEAST) else spread
        drawn = [template.number(low, most, spread) for _ in range(count)]
        if constraint.once and most is not None:
            values = permutations(range(low, most + 1), count)
            ints(template, slot, *template.choices.pick([*values]), dims=own.dims)
            return
        ints(template, slot, *drawn, dims=own.dims)


def _encodings(
    template: GraphTemplate, op: OpTemplate, native: type[NativeOp], example: Mapping[str, Shown]
) -> None:
    """Draw dtypes as the fields say, else the one of the first tensor, or that of the example."""
    tensors = {
        name: slot
        for name, slot in zip(op.names, op.operands, strict=True)
        if name not in native.PARAMS and not slot.is_shape
    }
    first, lead = next(iter(tensors.items()))
    for name, slot in tensors.items():
        field, dtype = native.CONSTRAINTS.get(name, ANY), example[name].dtype
        tensor = field if isinstance(field, TensorConstraint) else ANY
        free = tensor.kind is Kind.ANY and slot is not lead
        if tensor.kin:
            kind_of(template, slot, op.slot(tensor.kin))
        elif tensor.stored:
            weights_of(template, slot, op.slot(tensor.like))
        elif tensor.like or (free and dtype is example[first].dtype):
            _alike(template, op.slot(tensor.like) if tensor.like else lead, slot)
        else:
            allowed = [dtype] if free and dtype else members(tensor.kind)
            template.dtype_in(slot, *allowed)
        if tensor.kind in (Kind.LENGTH, Kind.INDEX):
            slot.bounds = (0, template.number(2, 2))
    for result in op.results:
        if template.choices.chance(_SAME_ENCODING):
            result.zero.join(lead.zero)
            result.step.join(lead.step)


def _alike(template: GraphTemplate, lead: Slot, slot: Slot) -> None:
    template.same_dtype(lead, slot)
    if template.choices.chance(_SAME_ENCODING):
        template.same_encoding(lead, slot)


def _reach(number: IntVar) -> tuple[int, int]:
    """Return the numbers that a param is tried with: the first, and one behind the last."""
    top = number.root
    first = top.base if top.holds(top.base) else top.low
    last = first + _REACH if top.high is None else min(first + _REACH, top.high + 1)
    return first, max(last, first + 1)


def _scale(
    template: GraphTemplate,
    op: OpTemplate,
    slots: Sequence[Slot | None],
    letter: Letter,
    free: AbstractSet[Place],
) -> None:
    """Make the dims of a letter multiples of one variable."""
    extent = template.number(letter.least, letter.most)
    for place, factor in letter.operands.items():
        slot = slots[place[0]]
        if slot and place in free and template.choices.chance(_BROADCAST):
            slot.dims[place[1]].narrow(1, 1)
        elif slot:
            _times(template, slot.dims[place[1]], extent, factor)
    for (result, dim), factor in letter.results.items():
        _times(template, op.results[result].dims[dim], extent, factor)


def _times(template: GraphTemplate, dim: IntVar, extent: IntVar, factor: int) -> None:
    if factor == 1:
        dim.join(extent)
    else:
        template.system.add(Sum([(dim, -1), (extent, factor)]))
