"""Quantisation of graphs before they are lowered: calibration, encodings, their files."""

from .calibrate import calibrate
from .encodings import Encoding, Encodings, read_encodings, write_encodings
from .fitting import without_encodings
from .layers import correct_bias, equalize
from .measure import noise_ratio, outputs_of, sensitivities, with_f16
from .quantize import quantize

__all__ = [
    "Encoding",
    "Encodings",
    "calibrate",
    "correct_bias",
    "equalize",
    "noise_ratio",
    "outputs_of",
    "quantize",
    "read_encodings",
    "sensitivities",
    "with_f16",
    "without_encodings",
    "write_encodings",
]
