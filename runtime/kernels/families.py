"""Sets of tensor classes by what their elements are and by place, for kernels that serve several.

An f16 tensor is worked on as f32 and rounded once; a quantised one is read as real numbers and
quantised when it is written, whatever its storage type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...dialects.dtypes import DType
from ...dialects.place import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Memory,
    Place,
)
from ..kernel import Annotation, Slot
from ..tensor_classes import CLASSES
from ..tensors import Tensor, TensorClass

Classes = tuple[type[Tensor], ...]

BYTES = (DType.QUInt8, DType.QInt8)
QUANTIZED = (*BYTES, DType.QUInt16, DType.QInt16, DType.QInt32)
REALS = (DType.Float32, DType.Float16, *QUANTIZED)
NUMBERS = (*REALS, DType.Int32)
INTEGERS = (DType.Int32, DType.Int64)
EVERY = (*REALS, *INTEGERS)

HOME = (FLAT_DDR,)
FLATS = (FLAT_DDR, FLAT_TCM)
CROUTONS = (CROUTON_DDR, CROUTON_TCM)
PLACES = (*FLATS, *CROUTONS)

KEYS: dict[Annotation, TensorClass] = {class_: key for key, class_ in CLASSES.items()}
"""What each concrete class stands for."""


@dataclass(frozen=True)
class Family:
    """Element types that one kernel serves, and those that its scalars and biases may have."""

    name: str
    dtypes: tuple[DType, ...]
    params: tuple[DType, ...]


HALVES = Family("half", (DType.Float16,), (DType.Float32,))
ENCODED = Family("quantized", QUANTIZED, (DType.Float32, DType.Int32))
WHOLES = Family("whole", (DType.Int32,), (DType.Float32,))


def classes(dtypes: Iterable[DType], *places: Place) -> Classes:
    """The classes of these element types at these places."""
    keys = [TensorClass(dtype, at.layout, at.memory) for at in places for dtype in dtypes]
    return tuple(CLASSES[key] for key in keys if key in CLASSES)


def slot(name: str, found: Iterable[Annotation]) -> Slot:
    """A parameter that takes any of these classes."""
    first, *others = found
    return Slot(name, first, tuple(others))


def place_name(at: Place) -> str:
    """A place as kernel names spell it: crouton_tcm."""
    return f"{at.layout.value}_{at.memory.value}"


def place_of(class_: Annotation) -> Place | None:
    """Where tensors of a concrete class lie; None for any other class."""
    key = KEYS.get(class_)
    return Place(key.layout, key.memory) if key else None


def in_family(class_: Annotation, family: Family) -> Classes:
    """The family's classes at the place of an f32 class; none for any other class."""
    key = KEYS.get(class_)
    if key is None or key.dtype is not DType.Float32:
        return ()
    return classes(family.dtypes, Place(key.layout, key.memory))


def is_param(found: Iterable[Annotation]) -> bool:
    """Whether a slot of an f32 kernel takes nothing but flat f32 in main memory."""
    at_home = TensorClass(DType.Float32, LayoutKind.FLAT, Memory.DDR)
    return list(found) == [CLASSES[at_home]]
