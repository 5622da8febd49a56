"""Schemas that follow from access maps: dims by index, params by name, dtypes as a row says.

The map act[b, h*stride.1+i, ...] * weights[i, ...] makes the height of `act` that of as many
windows as the result has rows, `stride` apart, of as many taps as `weights` has in dim 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .....dialects.htp.access import RESULT, Access, Index, Number
from .....dialects.htp.base import NativeOp
from .....dialects.value.dtypes import DType
from ..constraint_system import IntVar
from ..template import GraphTemplate, OpTemplate, Slot
from .common import (
    FACTORS,
    NUMBERS,
    axes,
    axis,
    bounds,
    broadcast,
    ints,
    kind_of,
    pads,
    plane,
    product,
    real,
    row,
    window,
)

_PARAMS: Mapping[str, Callable[[GraphTemplate, Slot], object]] = {
    "alpha": lambda template, slot: real(template, slot, template.number(1, 8)),
    "axes": axes,
    "axis": axis,
    "beta": lambda template, slot: real(template, slot, template.number(1, 8)),
    "count_pad_for_edges": lambda template, slot: ints(template, slot, template.number(0, 1)),
    "dilation": plane,
    "epsilon": lambda template, slot: real(
        template, slot, template.number(1, 100), Fraction(1, 1000)
    ),
    "filter_size": plane,
    "group": lambda template, slot: ints(template, slot, template.number(1, spread=2)),
    "rounding_mode": lambda template, slot: ints(template, slot, int(template.choices.chance(50))),
    "stride": plane,
    "window": plane,
}
"""Draws a param that depends on no other operand, by name."""


@dataclass(frozen=True, eq=False)
class Related:
    """A schema of ops that state an access map.

    `data` are the dtypes that operands and result share, all where empty; of sums of products those
    that give no wider ones. `result` are those of a result that differs, `apart` those of single
    operands. What is added, and what `beside` names, has numbers of the data's kind.
    """

    data: tuple[DType, ...] = NUMBERS
    result: tuple[DType, ...] = ()
    apart: Mapping[str, tuple[DType, ...]] = field(default_factory=dict[str, tuple[DType, ...]])
    beside: tuple[str, ...] = ()

    def __call__(self, template: GraphTemplate, op: OpTemplate) -> None:
        native = op.op_class
        if not issubclass(native, NativeOp) or native.ACCESS is None:
            raise TypeError(f"{native.name} states no access map")
        for name in native.PARAMS:
            if name in _PARAMS:
                _PARAMS[name](template, op.slot(name))
        if "min" in native.PARAMS:
            bounds(template, op)
        named = {name: op.slot(name) for name in native.ACCESS.operands if name in op.names}
        self._dtypes(template, op.results, named, native.ACCESS)
        _Dims(template, op, native.ACCESS, native.PARAMS).relate(named)

    def _dtypes(
        self,
        template: GraphTemplate,
        results: list[Slot],
        named: Mapping[str, Slot],
        access: Access,
    ) -> None:
        others = {*access.added, *self.beside}
        shared = [slot for name, slot in named.items() if name not in {*others, *self.apart}]
        for slot in shared if self.result else (*shared, *results):
            template.same_dtype(shared[0], slot)
        if self.data:
            template.dtype_in(shared[0], *(FACTORS if access.factors else self.data))
        if self.result:
            template.dtype_in(results[0], *self.result)
        for name, slot in named.items():
            if name in self.apart:
                template.dtype_in(slot, *self.apart[name])
            elif name in others:
                kind_of(template, slot, shared[0])


class _Dims:
    """The dims of one op's operands and result, by the letters of its access map."""

    def __init__(
        self, template: GraphTemplate, op: OpTemplate, access: Access, params: tuple[str, ...]
    ) -> None:
        self._template = template
        self._op = op
        self._access = access
        self._params = params
        self._turned = [name for name in access.turned if template.choices.chance(50)]
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
        if "pad_amount" in op.names:
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
    Related()(template, op)
    data = op.slot("in")
    chosen = [number.root.low for number in op.slot("axes").numbers.values()]
    for name in ("gamma", "beta"):
        count = template.number(1)
        row(template, op.slot(name), count)
        kind_of(template, op.slot(name), data)
        if len(chosen) == 1:
            count.join(data.dims[chosen[0]])
        else:
            product(template, count, *(data.dims[dim] for dim in chosen))
