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
_SPELLINGS = {
    f"TensorContiguous<Tdefs::{name.removesuffix('Tensor')}>": name
    for name, (layout, _) in CLASS_LAYOUTS.items()
    if layout is LayoutKind.FLAT
}
"""The older spelling of the flat classes."""


def class_name(type_: str) -> str:
    """Return a type without its namespace, a flat class by its own name.

    Example: `class_name("hnnx::TensorContiguous<Tdefs::Int32>") == "Int32Tensor"`
    """
    head, mark, arguments = type_.partition("<")
    short = head.rpartition("::")[2] + mark + arguments
    return _SPELLINGS.get(short, short)
