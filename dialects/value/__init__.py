"""Value objects that the attributes wrap: dtypes, layouts, places, tensor specs."""

from .dtypes import HTP_DTYPES, INSTEAD, DType, Kind, Quant, integer_bounds
from .layout import CHUNK_BYTES, RANK, Layout, round_up
from .place import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LAYOUTS,
    LayoutKind,
    Memory,
    Place,
)
from .spec import Shape, TensorSpec, byte_offset

__all__ = [
    "CHUNK_BYTES",
    "CROUTON_DDR",
    "CROUTON_TCM",
    "FLAT_DDR",
    "FLAT_TCM",
    "HTP_DTYPES",
    "INSTEAD",
    "LAYOUTS",
    "RANK",
    "DType",
    "Kind",
    "Layout",
    "LayoutKind",
    "Memory",
    "Place",
    "Quant",
    "Shape",
    "TensorSpec",
    "byte_offset",
    "integer_bounds",
    "round_up",
]
