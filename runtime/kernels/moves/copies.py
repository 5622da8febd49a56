"""Copies between memories and conversions between layouts, for every tensor class.

A copy moves bytes, padding included; of a block of a larger tensor line by line. A conversion
leaves the padding of a crouton as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from ....dialects.value.place import LayoutKind, Memory
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import CLASSES
from ...tensors.tensors import Tensor, TensorClass

_LAYOUTS = {LayoutKind.FLAT: "flat", LayoutKind.CROUTON: "crouton"}


def _copy(out: Tensor, inp: Tensor) -> BoundCall:
    if out.bytes.ndim == inp.bytes.ndim:
        return partial(np.copyto, out.bytes, inp.bytes)
    return partial(np.copyto, out.array, inp.array)


KERNELS = KernelSet()


def _declare(op: str, kind: str, key: TensorClass, out: TensorClass, inp: TensorClass) -> None:
    """Declare a kernel between two classes, named after the class that it is about."""
    functions: dict[str, Callable[[Tensor, Tensor], BoundCall]] = {
        "ForceFormat_Flat": lambda out, inp: inp.unpacker(out.array),
        "ForceFormat_Crouton": lambda out, inp: out.packer(inp.array),
    }
    function, name = functions.get(op, _copy), f"{kind}.{CLASSES[key].__name__}"
    KERNELS.add(
        op, function, {"out": CLASSES[out]}, {"inp": CLASSES[inp]}, name=name, cost=Cost.FAST
    )


for _key in CLASSES:
    if _key.layout is LayoutKind.FLAT:
        # A session runs a Reshape only where it is not a view.
        _declare("Reshape", "view", _key, _key, _key)
    if _key.memory is Memory.DDR:
        _tcm, _layout = replace(_key, memory=Memory.TCM), _LAYOUTS[_key.layout]
        for _op in (f"{_layout}_to_vtcm", f"{_layout}_to_vtcm.start", "Fill", "Fill.start"):
            _declare(_op, "copy", _key, _tcm, _key)
        for _op in (f"{_layout}_from_vtcm", "Spill"):
            _declare(_op, "copy", _key, _key, _tcm)
        _declare("Relocate", "copy", _key, _tcm, _tcm)
    if _key.layout is LayoutKind.CROUTON:
        _flat = replace(_key, layout=LayoutKind.FLAT)
        _declare("ForceFormat_Flat", "convert", _key, _flat, _key)
        _declare("ForceFormat_Crouton", "convert", _key, _key, _flat)
