"""Value objects that the attributes wrap: dtypes, layouts, places, tensor specs."""

from .dtypes import HTP_DTYPES, INSTEAD, DType, Kind, Quant, integer_bounds
from .spec import (
    CHUNK_BYTES,
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LAYOUTS,
    RANK,
    Layout,
    LayoutKind,
    Memory,
    Place,
    Shape,
    TensorSpec,
    byte_offset,
    round_up,
)

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
