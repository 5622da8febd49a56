"""Functions of one 8-bit quantised tensor as tables: 256 results, looked up as elements lie.

A table is made by the reference kernel from every number that can be stored, so it agrees with the
reference to the last bit, whatever the encodings of the input and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ....dialects.value.place import FLAT_DDR
from ...kernel.kernel import BoundCall, Cost, Flag, Kernel
from ...tensors.tensor_classes import new_tensor
from ...tensors.tensors import Bytes, Tensor
from ..semantics.reference import REFERENCE
from ..support import pointwise
from ..support.families import BYTES, ENCODED, HOME, PLACES, classes, place_name, slot
from ..support.hoisting import bound_once
from ..support.reals import ungraded

_ENTRIES = (1, 1, 1, 256)
_OPS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(pointwise.UNARY, ()),
    "Elu": ("alpha",),
    "LeakyRelu": ("alpha",),
    "Clamp": ("min", "max"),
    "ReluMinMax": ("min", "max"),
}
"""The ops, with the params that they take besides."""


def tables(otherwise: Callable[[str], Callable[..., BoundCall]]) -> Iterator[Kernel]:
    """The kernels; an encoding along an axis has no one table and goes to `otherwise`."""
    for name, params in _OPS.items():
        for at in PLACES:
            held = classes(BYTES, at)
            scalars = classes((*ENCODED.params, *ENCODED.dtypes), *HOME)
            yield Kernel(
                op=f"htp.{name}",
                name=f"table.{place_name(at)}",
                function=_looked_up(name, otherwise(name)),
                outputs=(slot("out", held),),
                inputs=(slot("inp", held), *(slot(param, scalars) for param in params)),
                variadic=False,
                binding=True,
                cost=Cost.FAST,
                flags=Flag.RESOURCE_HVX,
            )


def _looked_up(name: str, otherwise: Callable[..., BoundCall]) -> Callable[..., BoundCall]:
    def table(out: Tensor, inp: Tensor, *params: Tensor) -> BoundCall:
        if not (ungraded(out) and ungraded(inp)):
            return otherwise(out, inp, *params)

        def bind() -> BoundCall:
            entries = _entries(name, out, inp, params)
            index, found = inp.array.view(np.uint8), out.array.view(np.uint8)
            return partial(np.take, entries, index, out=found, mode="clip")

        return bound_once(params, bind)

    return table


def _entries(name: str, out: Tensor, inp: Tensor, params: tuple[Tensor, ...]) -> Bytes:
    every = new_tensor(inp.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    made = new_tensor(out.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    every.bytes[:] = np.arange(every.bytes.size, dtype=np.uint8)
    with np.errstate(all="ignore"):
        REFERENCE[f"htp.{name}"].bind([made], [every, *params])()
    return made.bytes
