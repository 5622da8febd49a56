"""Copies between memories and conversions between layouts, for every tensor class.

A copy moves bytes, padding included. A conversion leaves the padding of a crouton as it was.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ....dialects.value.place import LayoutKind, Memory
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Cost
from ...tensors.tensor_classes import CLASSES
from ...tensors.tensors import Tensor, TensorClass
from ..support.signatures import converter

_LAYOUTS = {LayoutKind.FLAT: "flat", LayoutKind.CROUTON: "crouton"}


def _copy(out: Tensor, inp: Tensor) -> BoundCall:
    return partial(np.copyto, out.bytes, inp.bytes)


def _flatten(out: Tensor, inp: Tensor) -> BoundCall:
    return inp.unpacker(out.array)


def _form_croutons(out: Tensor, inp: Tensor) -> BoundCall:
    return out.packer(inp.array)


def _declare_copies(kernels: KernelSet, held: TensorClass) -> None:
    """To TCM and back, for the class of a tensor in main memory."""
    in_ddr = CLASSES[held]
    in_tcm = CLASSES[TensorClass(held.dtype, held.layout, Memory.TCM)]
    layout = _LAYOUTS[held.layout]
    name = f"copy.{in_ddr.__name__}"
    for op, out, inp in (
        (f"{layout}_to_vtcm", in_tcm, in_ddr),
        (f"{layout}_to_vtcm.start", in_tcm, in_ddr),
        (f"{layout}_from_vtcm", in_ddr, in_tcm),
        ("Fill", in_tcm, in_ddr),
        ("Fill.start", in_tcm, in_ddr),
        ("Spill", in_ddr, in_tcm),
    ):
        kernels.kernel(op, cost=Cost.FAST, name=name)(converter(out, inp, _copy))


def _declare_conversions(kernels: KernelSet, held: TensorClass) -> None:
    """Between croutons and flat, for the class of a crouton tensor, within its memory."""
    blocks = CLASSES[held]
    flat = CLASSES[TensorClass(held.dtype, LayoutKind.FLAT, held.memory)]
    name = f"convert.{blocks.__name__}"
    declare = kernels.kernel("ForceFormat_Flat", cost=Cost.FAST, name=name)
    declare(converter(flat, blocks, _flatten))
    declare = kernels.kernel("ForceFormat_Crouton", cost=Cost.FAST, name=name)
    declare(converter(blocks, flat, _form_croutons))


def _declare_views(kernels: KernelSet, held: TensorClass) -> None:
    """A Reshape within one memory, for a flat class; a session runs it only where it is no view."""
    same = CLASSES[held]
    declare = kernels.kernel("Reshape", cost=Cost.FAST, name=f"view.{same.__name__}")
    declare(converter(same, same, _copy))


def _declared() -> KernelSet:
    kernels = KernelSet()
    for held in CLASSES:
        if held.layout is LayoutKind.FLAT:
            _declare_views(kernels, held)
        if held.memory is Memory.DDR:
            _declare_copies(kernels, held)
        if held.layout is LayoutKind.CROUTON:
            _declare_conversions(kernels, held)
    return kernels


KERNELS = _declared()
