"""The models of `tests/models` in PyTorch, and their export to ONNX."""

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
    steps,
    structured,
    vision_transformers,
)
from .entry import Entry

FAMILIES: Mapping[str, Sequence[Entry]] = {
    "vision": [*classifiers.ENTRIES, *dense.ENTRIES, *vision_transformers.ENTRIES],
    "speech": [*recurrent.ENTRIES, *sound.ENTRIES, *steps.SPEECH],
    "language": [*encoders.ENTRIES, *decoders.ENTRIES, *steps.LANGUAGE],
    "other": [*generative.ENTRIES, *diffusion.ENTRIES, *structured.ENTRIES, *steps.OTHER],
}
"""The models by folder."""
