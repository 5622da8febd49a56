"""The models of `tests/models` in PyTorch, and their export to ONNX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import (
    classifiers,
    decoders,
    dense,
    diffusion,
    encoders,
    generative,
    recurrent,
    sound,
    structured,
    vision_transformers,
)
from .entry import Entry

FAMILIES: Mapping[str, Sequence[Entry]] = {
    "vision": [*classifiers.ENTRIES, *dense.ENTRIES, *vision_transformers.ENTRIES],
    "speech": [*recurrent.ENTRIES, *sound.ENTRIES],
    "language": [*encoders.ENTRIES, *decoders.ENTRIES],
    "other": [*generative.ENTRIES, *diffusion.ENTRIES, *structured.ENTRIES],
}
"""The models by folder."""
