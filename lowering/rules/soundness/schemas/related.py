"""Schemas that follow from declarations: dims from the access map, the rest from the fields.

The map act[b, h*stride.1+i, ...] * weights[i, ...] makes the height of `act` that of as many
windows as the result has rows, `stride` apart, of as many taps as `weights` has in dim 0.

Other results follow by trial: what the op's own `infer` says of operands that are drawn.
Dims and dtypes of the results are functions of one row of numbers: the operands' dims, dtypes and
elements. Once the row is known, an op of it is made, asked for its results and discarded.

Cost: one op for each different row; the last one is remembered, for all dims of its results.
Example: a Concat along the depth of operands 1x2x2x3 and 1x2x2x5 answers 1x2x2x8; the depth 8 is a
derived variable of the constraint system, and so are the other dims and the dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.htp.access import RESULT, Access, Index, Number
from .....dialects.htp.base import NativeOp
from .....dialects.htp.constraints import (
    ANY,
    Constraint,
    ParamConstraint,
    ShapeConstraint,
    TensorConstraint,
)
from .....dialects.htp.ops.const import const, shape
from .....dialects.spec_of import type_of
from .....dialects.value import RANK, Kind, Quant, TensorSpec
from ..drawing.constraint_system import IntVar
from ..drawing.template import ELEMENTS, GraphTemplate, OpTemplate, Slot
from .common import (
    QUARTER,
    axes,
    axis,
    bounds,
    broadcast,
    ints,
    kind_of,
    members,
    near,
    pads,
    plane,
    product,
    reals,
    row,
    settled,
    weights_of,
    window,
)

_UNITS: Mapping[str, Fraction] = {"epsilon": Fraction(1, 1000)}
"""The step in which a real param is drawn, where that is not a quarter, by name."""


def related(template: GraphTemplate, op: OpTemplate) -> None:
    """State what the access map of an op says, and the constraints of its fields."""
    native = op.op_class
    if not issubclass(native, NativeOp) or native.ACCESS is None:
        raise TypeError(f"{native.name} states no access map")
    access = native.ACCESS
    # The map's own numbers follow with the dims; min and max go together.
    both = {"min", "max"} <= {*op.names}
    drawn = {*access.turned.values(), *_padding(access, op), *["min", "max"] * both}
    for name in (name for name in native.PARAMS if name in op.names and name not in drawn):
        along = name in (access.along, access.over)
        param(template, op.slot(name), native.CONSTRAINTS[name], along, _UNITS.get(name, QUARTER))
    if both:
        bounds(template, op)
    named = {name: op.slot(name) for name in access.operands if name in op.names}
    _dtypes(template, op, native, access, named)
    _Dims(template, op, access, native.PARAMS).relate(named)
    # The further results of an op that a package declares, each with a map of its own.
    for at, own in enumerate(native.FURTHER, 1):
        read = {name: op.slot(name) for name in own.operands if name in op.names}
        further = replace(op, results=[op.results[at]])
        _dtype_of_result(template, further, native.RESULT_KINDS[at], next(iter(read.values())))
        _Dims(template, further, own, native.PARAMS).relate(read)


def param(
    template: GraphTemplate, slot: Slot, constraint: Constraint, along: bool, unit: Fraction
) -> None:
    """Draw a param that depends on no other operand, as its field declares it."""
    match constraint:
        case ParamConstraint(count=count, usual=value) if value is not None:
            near(template, slot, value, count or 1)
        case ParamConstraint(count=1) if along:
            axis(template, slot)
        case ParamConstraint() if along:
            axes(template, slot)
        case ShapeConstraint(plane=False):
            pass
        case ShapeConstraint() | ParamConstraint(count=2):
            plane(template, slot)
        case ParamConstraint(count=count, least=int(least), most=int(most)):
            values = range(least, most + 1)
            ints(template, slot, *(template.choices.pick(values) for _ in range(count or 1)))
        case ParamConstraint(count=count, least=int(least)):
            drawn = [template.number(least, spread=2) for _ in range(count or 1)]
            ints(template, slot, *drawn)
        case ParamConstraint(count=count):
            spread = 8 if unit == QUARTER else 100
            drawn = [template.number(1, spread) for _ in range(count or 1)]
            reals(template, slot, *drawn, unit=unit)


def _dtypes(
    template: GraphTemplate,
    op: OpTemplate,
    native: type[NativeOp],
    access: Access,
    named: Mapping[str, Slot],
) -> None:
    """Draw dtypes: each operand's of its kind, or as that of another; the result's last.

    Sums of products take those that give no wider ones.
    """
    lead, *_ = named
    for name, slot in named.items():
        constraint = native.CONSTRAINTS.get(name, ANY)
        if not isinstance(constraint, TensorConstraint):
            continue
        if constraint.kin or name in access.added:
            kind_of(template, slot, op.slot(constraint.kin or lead))
        elif constraint.stored:
            weights_of(template, slot, op.slot(constraint.like))
        elif constraint.like:
            template.same_dtype(op.slot(constraint.like), slot)
        else:
            kind = Kind.FACTOR if access.factors else constraint.kind
            template.dtype_in(slot, *members(kind))
    _dtype_of_result(template, op, native.RESULT_KINDS[0], named[lead])


def _dtype_of_result(template: GraphTemplate, op: OpTemplate, kind: Kind, lead: Slot) -> None:
    """Draw the dtype of the first result: that of the leading operand, or one of a kind."""
    if kind is Kind.ANY:
        template.same_dtype(lead, op.results[0])
    else:
        template.dtype_in(op.results[0], *members(kind))


def _padding(access: Access, op: OpTemplate) -> tuple[str, ...]:
    """Return the param that pads the windows of the letters i and j, if the op has it."""
    windows = {"i", "j"} <= {*access.summed}
    return ("pad_amount",) if windows and "pad_amount" in op.names else ()


class _Dims:
    """The dims of one op's operands and result, by the letters of its access map."""

    def __init__(
        self, template: GraphTemplate, op: OpTemplate, access: Access, params: tuple[str, ...]
    ) -> None:
        self._template = template
        self._op = op
        self._access = access
        self._params = params
        settings = {name: settled(op.slot(param)) for name, param in access.turned.items()}
        self._turned = [
            name
            for name, setting in settings.items()
            if (template.choices.chance(50) if setting is None else setting)
        ]
        self._letters = dict(zip(RESULT, op.results[0].dims, strict=True))

    def relate(self, named: Mapping[str, Slot]) -> None:
        """State what the map says of every dim of every operand."""
        access, op, template = self._access, self._op, self._template
        for name, param in access.turned.items():
            ints(template, op.slot(param), int(name in self._turned))
        for chosen in op.slot(access.over).numbers.values() if access.over else ():
            dim = chosen.root.low
            op.results[0].dims[dim].narrow(1, 1)
            self._letters[RESULT[dim]] = template.number(1)
        for letter in access.summed:
            self._letters[letter] = self._number(access.extent(letter, self._turned))
        if _padding(access, op):
            pads(template, op.slot("pad_amount"), [self._letters["i"], self._letters["j"]])
        spread: dict[int, list[Slot]] = {}
        for name, slot in named.items():
            for at, index in enumerate(access.indices(name, name in self._turned)):
                if index.broadcast:
                    spread.setdefault(at, []).append(slot)
                else:
                    self._relate(slot.dims[at], index)
        if spread:
            broadcast(template, op.results[0], tuple(spread), *next(iter(spread.values())))

    def _relate(self, dim: IntVar, index: Index) -> None:
        """State what an index says of an operand's dim."""
        whole = self._letters.get(index.dim)
        if whole is None:
            dim.narrow(1, 1)
        elif index.by is None and index.sign:
            product(self._template, whole, dim, self._template.number(1, spread=2))
        elif index.by is None:
            dim.join(whole)
        elif index.tap:
            self._window(whole, dim, self._number(index.by), index)
        elif index.sign == "/":
            product(self._template, whole, dim, self._number(index.by))
        elif index.sign == "%":
            dim.join(self._number(index.by))
        elif index.dim in RESULT:
            dim.join(whole)
            product(self._template, dim, self._number(index.by), self._template.number(1, spread=3))
        else:
            product(self._template, dim, whole, self._number(index.by))

    def _window(self, out: IntVar, length: IntVar, stride: IntVar, index: Index) -> None:
        padded = index.before and index.after and (index.before, index.after)
        rounding = "rounding_mode" in self._params and self._number(Number("rounding_mode", 0))
        window(
            self._template,
            out,
            length,
            self._letters[index.tap],
            stride,
            pad=(self._number(padded[0]), self._number(padded[1])) if padded else None,
            dilation=self._number(index.spacing) if index.spacing else None,
            hangs=bool(rounding and rounding.root.low),
        )

    def _number(self, number: Number) -> IntVar:
        slot = self._op.slot(number.operand)
        is_param = number.operand in self._params and not slot.is_shape
        return slot.numbers[number.place] if is_param else slot.dims[number.place]


def normalisation(template: GraphTemplate, op: OpTemplate) -> None:
    """Add gamma and beta, of one number for each position within the axes."""
    related(template, op)
    data = op.slot("in")
    chosen = [number.root.low for number in op.slot("axes").numbers.values()]
    for name in ("gamma", "beta"):
        count = template.number(1)
        row(template, op.slot(name), count)
        kind_of(template, op.slot(name), data)
        op.slot(name).graph_dims = tuple(data.dims[dim] for dim in sorted(chosen))
        if len(chosen) == 1:
            count.join(data.dims[chosen[0]])
        else:
            product(template, count, *(data.dims[dim] for dim in chosen))


Specs = tuple[TensorSpec | None, ...]


def follow(
    template: GraphTemplate, op: OpTemplate, known: Collection[tuple[int, int]] = ()
) -> None:
    """State that dims and dtypes of the results are what the op infers, but for `known` dims."""
    native = op.op_class
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} infers nothing")
    # The row of numbers that the results are functions of.
    rows = tuple(map(OperandRow.of, op.operands))
    sources = [var for slot in op.operands for var in _sources(slot)]
    ask = lru_cache(maxsize=1)(partial(results_of, native, rows))
    # Each dtype and dim of a result is one of the answers to that row.
    for at, result in enumerate(op.results):
        template.derive(result.element, sources, partial(_element, ask, at))
        for dim in (dim for dim in range(RANK) if (at, dim) not in known):
            template.derive(result.dims[dim], sources, partial(_dim, ask, at, dim))


@dataclass(frozen=True)
class OperandRow:
    """An operand: whether it is a shape, and the places of its numbers in units."""

    is_shape: bool = False
    places: tuple[int, ...] = ()
    unit: float = 1.0

    @classmethod
    def of(cls, slot: Slot) -> OperandRow:
        """Return the row of an operand."""
        return cls(slot.is_shape, tuple(slot.numbers), float(slot.unit))

    def value(self, block: Block, numbers: Iterator[int]) -> SSAValue:
        """Make the operand of its numbers: dims, dtype, then those that it holds."""
        dims = tuple(next(numbers) for _ in range(RANK))
        if self.is_shape:
            op: Operation = shape(dims)
        else:
            dtype = ELEMENTS[next(numbers)]
            quant = Quant((1.0,), (0,)) if dtype.is_quantized else None
            spec = TensorSpec(dims, dtype, quant)
            if not self.places:
                return block.insert_arg(type_of(spec), len(block.args))
            array = np.zeros(dims, dtype.storage)
            for place in self.places:
                array.flat[place] = next(numbers) * self.unit
            op = const(array, spec)
        block.add_op(op)
        return op.results[0]


def _sources(slot: Slot) -> Iterator[IntVar]:
    yield from slot.dims
    if not slot.is_shape:
        yield slot.element
        yield from slot.numbers.values()


def results_of(native: type[NativeOp], rows: Sequence[OperandRow], *numbers: int) -> Specs:
    """Return the results that the op infers; none where the operands do not fit together."""
    block, each = Block(), iter(numbers)
    try:
        op = native.create(operands=[row.value(block, each) for row in rows])
        block.add_op(op)
        op.verify_operands()
        return op.infer()
    except (VerifyException, IndexError):
        return ()


def _dim(ask: Callable[..., Specs], at: int, dim: int, *numbers: int) -> int | None:
    """Return a dim of a result; None where nothing follows."""
    spec = _result(ask, at, numbers)
    return None if spec is None or spec.rank != RANK else spec.shape[dim]


def _element(ask: Callable[..., Specs], at: int, *numbers: int) -> int | None:
    """Return the position of a result's dtype; None where nothing follows."""
    spec = _result(ask, at, numbers)
    return None if spec is None or spec.dtype not in ELEMENTS else ELEMENTS.index(spec.dtype)


def _result(ask: Callable[..., Specs], at: int, numbers: tuple[int, ...]) -> TensorSpec | None:
    specs = ask(*numbers)
    return specs[at] if at < len(specs) else None
