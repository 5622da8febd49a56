"""Copies between memories and conversions between layouts, for every tensor class.

A copy moves bytes, padding included. A conversion leaves the padding of a crouton as it was.
"""

from __future__ import annotations

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
    return partial(np.copyto, out.bytes, inp.bytes)


def _flatten(out: Tensor, inp: Tensor) -> BoundCall:
    return inp.unpacker(out.array)


def _form_croutons(out: Tensor, inp: Tensor) -> BoundCall:
    return out.packer(inp.array)


KERNELS = KernelSet()


def _declare(op: str, kind: str, key: TensorClass, out: TensorClass, inp: TensorClass) -> None:
    """Declare a kernel between two classes, named after the class that it is about."""
    functions = {"copy": _copy, "view": _copy, "convert": _flatten}
    function = _form_croutons if op == "ForceFormat_Crouton" else functions[kind]
    classes = {"out": CLASSES[out]}, {"inp": CLASSES[inp]}
    KERNELS.add(op, function, *classes, name=f"{kind}.{CLASSES[key].__name__}", cost=Cost.FAST)


for _key in CLASSES:
    if _key.layout is LayoutKind.FLAT:
        # A session runs a Reshape only where it is no view.
        _declare("Reshape", "view", _key, _key, _key)
    if _key.memory is Memory.DDR:
        _tcm, _layout = replace(_key, memory=Memory.TCM), _LAYOUTS[_key.layout]
        for _op in (f"{_layout}_to_vtcm", f"{_layout}_to_vtcm.start", "Fill", "Fill.start"):
            _declare(_op, "copy", _key, _tcm, _key)
        for _op in (f"{_layout}_from_vtcm", "Spill"):
            _declare(_op, "copy", _key, _key, _tcm)
    if _key.layout is LayoutKind.CROUTON:
        _flat = replace(_key, layout=LayoutKind.FLAT)
        _declare("ForceFormat_Flat", "convert", _key, _flat, _key)
        _declare("ForceFormat_Crouton", "convert", _key, _key, _flat)
