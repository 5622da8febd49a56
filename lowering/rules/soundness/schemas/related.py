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
from ..sketch import Site, Sketch, Slot
from ..unknowns import Unknown
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

_PARAMS: Mapping[str, Callable[[Sketch, Slot], object]] = {
    "alpha": lambda sketch, slot: real(sketch, slot, sketch.number(1, 8)),
    "axes": axes,
    "axis": axis,
    "beta": lambda sketch, slot: real(sketch, slot, sketch.number(1, 8)),
    "dilation": plane,
    "epsilon": lambda sketch, slot: real(sketch, slot, sketch.number(1, 100), Fraction(1, 1000)),
    "group": lambda sketch, slot: ints(sketch, slot, sketch.number(1, spread=2)),
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

    def __call__(self, sketch: Sketch, site: Site) -> None:
        op = site.op_class
        if not issubclass(op, NativeOp) or op.ACCESS is None:
            raise TypeError(f"{op.name} states no access relation")
        for name in op.PARAMS:
            if name in _PARAMS:
                _PARAMS[name](sketch, site.slot(name))
        if "min" in op.PARAMS:
            bounds(sketch, site)
        self._dtypes(sketch, site, op.ACCESS)
        _Dims(sketch, site, op.ACCESS, op.PARAMS).relate()

    def _dtypes(self, sketch: Sketch, site: Site, access: Access) -> None:
        named = {name: site.slot(name) for name in access.operands if name in site.names}
        others = {*access.added, *self.beside}
        shared = [slot for name, slot in named.items() if name not in {*others, *self.apart}]
        for slot in shared if self.result else (*shared, *site.results):
            sketch.same_dtype(shared[0], slot)
        if self.data:
            sketch.dtype_in(shared[0], *self.data)
        if self.result:
            sketch.dtype_in(site.results[0], *self.result)
        for name, slot in named.items():
            if name in self.apart:
                sketch.dtype_in(slot, *self.apart[name])
            elif name in others:
                kind_of(sketch, slot, shared[0])


class _Dims:
    """The dims of one op's operands and result, by the letters of its relation."""

    def __init__(self, sketch: Sketch, site: Site, access: Access, params: tuple[str, ...]) -> None:
        self._sketch = sketch
        self._site = site
        self._access = access
        self._params = params
        self._turned = [name for name in access.turned if sketch.choices.chance(50)]
        self._letters = dict(zip(RESULT, site.results[0].dims, strict=True))

    def relate(self) -> None:
        """State what the relation says of every dim of every operand."""
        access, site, sketch = self._access, self._site, self._sketch
        for name, param in access.turned.items():
            ints(sketch, site.slot(param), int(name in self._turned))
        if access.over:
            for chosen in site.slot(access.over).numbers.values():
                dim = chosen.root.low
                site.results[0].dims[dim].narrow(1, 1)
                self._letters[RESULT[dim]] = sketch.number(1)
        for letter in access.summed:
            self._letters[letter] = self._number(access.extent(letter, self._turned))
        if "pad_amount" in site.names:
            pads(sketch, site.slot("pad_amount"), [self._letters["i"], self._letters["j"]])
        spread: dict[int, list[Slot]] = {}
        for name in access.operands:
            slot = site.slot(name) if name in site.names else None
            for at, index in enumerate(access.indices(name, name in self._turned) if slot else ()):
                if slot and index.broadcast:
                    spread.setdefault(at, []).append(slot)
                elif slot:
                    self._dim(slot.dims[at], index)
        if spread:
            broadcast(sketch, site.results[0], tuple(spread), *next(iter(spread.values())))

    def _dim(self, dim: Unknown, index: Index) -> None:
        """State what an index says of an operand's dim."""
        sketch, by = self._sketch, self._number(index.by) if index.by else None
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
                sketch,
                whole,
                dim,
                self._letters[index.tap],
                by,
                pad=(self._number(pad[0]), self._number(pad[1])) if pad else None,
                dilation=self._number(index.spacing) if index.spacing else None,
            )
        elif index.sign == "/":
            product(sketch, whole, dim, by or sketch.number(1, spread=2))
        elif index.sign == "@" and by and index.dim not in RESULT:
            product(sketch, dim, whole, by)
        else:
            dim.join(whole)
            if index.sign == "@" and by:
                product(sketch, dim, by, sketch.number(1, spread=3))

    def _number(self, number: Number) -> Unknown:
        slot = self._site.slot(number.operand)
        is_param = number.operand in self._params and not slot.is_shape
        return slot.numbers[number.place] if is_param else slot.dims[number.place]


def normalisation(sketch: Sketch, site: Site) -> None:
    """Add gamma and beta, of one number for each position within the axes."""
    Related()(sketch, site)
    data = site.slot("in")
    chosen = [number.root.low for number in site.slot("axes").numbers.values()]
    for name in ("gamma", "beta"):
        count = sketch.number(1)
        row(sketch, site.slot(name), count)
        kind_of(sketch, site.slot(name), data)
        if len(chosen) == 1:
            count.join(data.dims[chosen[0]])
        else:
            product(sketch, count, *(data.dims[dim] for dim in chosen))
