"""Quantisation of graphs before they are lowered: calibration, encodings, their files."""

from .calibrate import calibrate
from .encodings import Encoding, Encodings
from .files import read_encodings, write_encodings
from .quantize import quantize

__all__ = [
    "Encoding",
    "Encodings",
    "calibrate",
    "quantize",
    "read_encodings",
    "write_encodings",
]
