"""Schemas that follow from access relations: dims by index, params by name, dtypes as a row says.

The relation act[b, h*stride.1+i, ...] * weights[i, ...] gives the height of `act` as that of as
many windows as the result has rows, of as many taps as `weights` has in dim 0.
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
    "dilation": plane,
    "epsilon": lambda template, slot: real(
        template, slot, template.number(1, 100), Fraction(1, 1000)
    ),
    "group": lambda template, slot: ints(template, slot, template.number(1, spread=2)),
    "stride": plane,
    "window": plane,
}
"""How params are drawn that depend on nothing else."""


@dataclass(frozen=True, eq=False)
class Related:
    """A schema by access relation, and the dtypes of its tensors.

    `data` are those that operands and result share, all where empty, `result` those of a result
    that differs, `apart` those of single operands. Operands that are added, and those in `beside`,
    have numbers of the data's kind.
    """

    data: tuple[DType, ...] = NUMBERS
    result: tuple[DType, ...] = ()
    apart: Mapping[str, tuple[DType, ...]] = field(default_factory=dict[str, tuple[DType, ...]])
    beside: tuple[str, ...] = ()

    def __call__(self, template: GraphTemplate, op: OpTemplate) -> None:
        native = op.op_class
        if not issubclass(native, NativeOp) or native.ACCESS is None:
            raise TypeError(f"{native.name} states no access relation")
        for name in native.PARAMS:
            if name in _PARAMS:
                _PARAMS[name](template, op.slot(name))
        if "min" in native.PARAMS:
            bounds(template, op)
        self._dtypes(template, op, native.ACCESS)
        _Dims(template, op, native.ACCESS, native.PARAMS).relate()

    def _dtypes(self, template: GraphTemplate, op: OpTemplate, access: Access) -> None:
        named = {name: op.slot(name) for name in access.operands if name in op.names}
        others = {*access.added, *self.beside}
        shared = [slot for name, slot in named.items() if name not in {*others, *self.apart}]
        for slot in shared if self.result else (*shared, *op.results):
            template.same_dtype(shared[0], slot)
        if self.data:
            template.dtype_in(shared[0], *self.data)
        if self.result:
            template.dtype_in(op.results[0], *self.result)
        for name, slot in named.items():
            if name in self.apart:
                template.dtype_in(slot, *self.apart[name])
            elif name in others:
                kind_of(template, slot, shared[0])


class _Dims:
    """The dims of one op's operands and result, by the letters of its relation."""

    def __init__(
        self, template: GraphTemplate, op: OpTemplate, access: Access, params: tuple[str, ...]
    ) -> None:
        self._sketch = template
        self._site = op
        self._access = access
        self._params = params
        self._turned = [name for name in access.turned if template.choices.chance(50)]
        self._letters = dict(zip(RESULT, op.results[0].dims, strict=True))

    def relate(self) -> None:
        """State what the relation says of every dim of every operand."""
        access, op, template = self._access, self._site, self._sketch
        for name, param in access.turned.items():
            ints(template, op.slot(param), int(name in self._turned))
        if access.over:
            for chosen in op.slot(access.over).numbers.values():
                dim = chosen.root.low
                op.results[0].dims[dim].narrow(1, 1)
                self._letters[RESULT[dim]] = template.number(1)
        for letter in access.summed:
            self._letters[letter] = self._number(access.extent(letter, self._turned))
        if "pad_amount" in op.names:
            pads(template, op.slot("pad_amount"), [self._letters["i"], self._letters["j"]])
        spread: dict[int, list[Slot]] = {}
        for name in access.operands:
            slot = op.slot(name) if name in op.names else None
            for at, index in enumerate(access.indices(name, name in self._turned) if slot else ()):
                if slot and index.broadcast:
                    spread.setdefault(at, []).append(slot)
                elif slot:
                    self._dim(slot.dims[at], index)
        if spread:
            broadcast(template, op.results[0], tuple(spread), *next(iter(spread.values())))

    def _dim(self, dim: IntVar, index: Index) -> None:
        """State what an index says of an operand's dim."""
        template, by = self._sketch, self._number(index.by) if index.by else None
        if not index.dim:
            dim.narrow(1, 1)
            return
        if index.sign == "%" and by:
            dim.join(by)
            return
        whole = self._letters[index.dim]
        if index.tap and by:
            pad = index.before and index.after and (index.before, index.after)
            window(
                template,
                whole,
                dim,
                self._letters[index.tap],
                by,
                pad=(self._number(pad[0]), self._number(pad[1])) if pad else None,
                dilation=self._number(index.spacing) if index.spacing else None,
            )
        elif index.sign == "/":
            product(template, whole, dim, by or template.number(1, spread=2))
        elif index.sign == "@" and by and index.dim not in RESULT:
            product(template, dim, whole, by)
        else:
            dim.join(whole)
            if index.sign == "@" and by:
                product(template, dim, by, template.number(1, spread=3))

    def _number(self, number: Number) -> IntVar:
        slot = self._site.slot(number.operand)
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
