"""Comparison of a kernel's tensor classes with those that tensor properties lead to."""

from __future__ import annotations

from ....dialects.value.place import LayoutKind, Memory
from ....runtime.tensors.tensor_classes import CLASSES
from ...rules.graph.tables import TensorProperties
from ..def_package.package import KernelSignature, Role

_PLACES = {class_.__name__: (key.layout, key.memory) for key, class_ in CLASSES.items()}
DEFAULT = (LayoutKind.FLAT, Memory.DDR)
"""The default placement: of tensors without a declaration, and of a generic output."""


def takes(kernel: KernelSignature, row: TensorProperties) -> bool:
    """Tell whether the kernel takes the op's tensors where the properties put them.

    A generic tensor takes anything as an input, and as an output what is flat in main memory.
    """
    outputs = zip(row.outputs, kernel.classes(Role.OUTPUT), strict=False)
    inputs = zip(row.inputs, kernel.classes(Role.INPUT), strict=False)
    wanted = [
        *((tag, _PLACES.get(class_, DEFAULT)) for tag, class_ in outputs),
        *((tag, _PLACES[class_]) for tag, class_ in inputs if class_ in _PLACES),
    ]
    return all(
        row.layout(tag) in (None, layout) and row.memory(tag) in (None, memory)
        for tag, (layout, memory) in wanted
    )
