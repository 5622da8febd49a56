"""Tensor classes of kernels as C++ text names them."""

from __future__ import annotations

from ....dialects.value.place import LayoutKind
from ...rules.language.derived import CLASS_LAYOUTS

SHAPE_CLASS = "TensorShape<4>"
"""The class of a shape, which has dims and no data."""
DECLARED_CLASSES = (
    "Tensor",
    *(f"{name}{suffix}" for name in CLASS_LAYOUTS for suffix in ("", "_TCM")),
)
"""The tensor classes that the header declares."""
KNOWN_CLASSES = (*DECLARED_CLASSES, SHAPE_CLASS)
"""The tensor classes that a parameter may have."""
SPECIAL_CLASSES = ("Graph", "Op", "OpIoPtrs", "op_slice_spec")
"""The classes of a kernel's parameters that are not tensors: they take no part in its choice."""
_SPELLINGS = {
    f"TensorContiguous<Tdefs::{name.removesuffix('Tensor')}>": name
    for name, (layout, _) in CLASS_LAYOUTS.items()
    if layout is LayoutKind.FLAT
}
"""The older spelling of the flat classes."""


def known_class(type_: str) -> str | None:
    """Return the known class that a type is, behind its namespace or its older spelling.

    Example: `known_class("hnnx::TensorContiguous<Tdefs::Int32>") == "Int32Tensor"`
    """
    head, mark, arguments = type_.partition("<")
    short = head.rpartition("::")[2] + mark + arguments
    class_ = _SPELLINGS.get(short, short)
    return class_ if class_ in KNOWN_CLASSES else None
