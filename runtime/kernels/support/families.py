"""Sets of tensor classes by what their elements are and by place, for kernels that serve several.

An f16 tensor is worked on as f32 and rounded once; a quantised one is read as real numbers and
quantised when it is written, whatever its storage type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ....dialects.value.dtypes import DType
from ....dialects.value.place import CROUTON_DDR, CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place
from ...kernel.kernel import Annotation, Slot
from ...tensors.tensor_classes import CLASSES, PlainFloatTensor
from ...tensors.tensors import Tensor, TensorClass

Classes = tuple[type[Tensor], ...]

BYTES = (DType.QUInt8, DType.QInt8)
QUANTIZED = (*BYTES, DType.QUInt16, DType.QInt16, DType.QInt32)
REALS = (DType.Float32, DType.Float16, *QUANTIZED)
NUMBERS = (*REALS, DType.Int32)
INTEGERS = (DType.Int32, DType.Int64)

HOME = (FLAT_DDR,)
FLATS = (FLAT_DDR, FLAT_TCM)
CROUTONS = (CROUTON_DDR, CROUTON_TCM)
PLACES = (*FLATS, *CROUTONS)

KEYS: dict[Annotation, TensorClass] = {class_: key for key, class_ in CLASSES.items()}
"""What each concrete class stands for."""


PLACE_OF: dict[Annotation, Place] = {
    class_: Place(key.layout, key.memory) for class_, key in KEYS.items()
}
"""Where tensors of a concrete class lie."""


@dataclass(frozen=True, eq=False)
class Family:
    """Element types that one kernel serves, and those that its scalars and biases may have."""

    name: str
    dtypes: tuple[DType, ...]
    params: tuple[DType, ...]

    @cached_property
    def twins(self) -> dict[Annotation, Classes]:
        """For every f32 class the family's classes at its place."""
        return {
            class_: classes(self.dtypes, PLACE_OF[class_])
            for class_, key in KEYS.items()
            if key.dtype is DType.Float32
        }

    @cached_property
    def more(self) -> Classes:
        """What scalars and biases may be besides the family's own dtypes."""
        return classes(self.params, *HOME)


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


def is_param(found: Iterable[Annotation]) -> bool:
    """Whether a slot of an f32 kernel takes nothing but flat f32 in main memory."""
    return list(found) == [PlainFloatTensor]
