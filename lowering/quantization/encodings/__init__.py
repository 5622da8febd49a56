"""Encodings of tensors, and their files."""

from .encoding import (
    ACTIVATIONS,
    ENCODINGS,
    Blocks,
    Encoding,
    Encodings,
    activation_dtype,
    grid,
    levels,
    reach,
    symmetric,
)
from .files import encodings_text, read_encodings, read_entries, write_encodings

__all__ = [
    "ACTIVATIONS",
    "ENCODINGS",
    "Blocks",
    "Encoding",
    "Encodings",
    "activation_dtype",
    "encodings_text",
    "grid",
    "levels",
    "reach",
    "read_encodings",
    "read_entries",
    "symmetric",
    "write_encodings",
]
