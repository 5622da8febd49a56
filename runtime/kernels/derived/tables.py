"""Functions of one 8-bit quantised tensor as tables: 256 results, looked up in storage order.

A table is made by the reference kernel from every number that can be stored, so it agrees with the
reference to the last bit, whatever the encodings of the input and the result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ....dialects.htp import NATIVE_OPS
from ....dialects.value.place import FLAT_DDR
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import new_tensor
from ...tensors.tensors import Bytes, Tensor
from ..semantics.reference import REFERENCE
from ..support import pointwise
from ..support.families import BYTES, ENCODED, PLACES, classes, place_name
from ..support.hoisting import bound_once
from ..support.reals import has_one_encoding

_ENTRIES = (1, 1, 1, 256)
_OPS = (*pointwise.UNARY, "Elu", "LeakyRelu", "Swish", "Clamp", "ReluMinMax")


def tables(otherwise: Callable[[str], Callable[..., BoundCall]]) -> KernelSet:
    """Declare the kernels; an encoding along an axis has no one table and goes to `otherwise`."""
    kernels = KernelSet()
    scalars = classes((*ENCODED.params, *ENCODED.dtypes), FLAT_DDR)
    for name in _OPS:
        op = NATIVE_OPS[name]
        function = partial(_looked_up, op.name, otherwise(op.name))
        for place in PLACES:
            data = classes(BYTES, place)
            kernels.add(
                name,
                function,
                {"out": data},
                {"inp": data, **dict.fromkeys(op.PARAMS, scalars)},
                name=f"table.{place_name(place)}",
                cost=Cost.FAST,
            )
    return kernels


def _looked_up(
    op: str, otherwise: Callable[..., BoundCall], out: Tensor, inp: Tensor, *params: Tensor
) -> BoundCall:
    if not (has_one_encoding(out) and has_one_encoding(inp)):
        return otherwise(out, inp, *params)

    def bind() -> BoundCall:
        entries = _entries(op, out, inp, params)
        index, result = inp.array.view(np.uint8), out.array.view(np.uint8)
        return partial(np.take, entries, index, out=result, mode="clip")

    return bound_once(params, bind)


def _entries(op: str, out: Tensor, inp: Tensor, params: tuple[Tensor, ...]) -> Bytes:
    every = new_tensor(inp.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    result = new_tensor(out.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    every.bytes[:] = np.arange(every.bytes.size, dtype=np.uint8)
    with np.errstate(all="ignore"):
        REFERENCE[op].bind([result], [every, *params])()
    return result.bytes
