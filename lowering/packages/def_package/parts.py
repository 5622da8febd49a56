"""Names that the reader, the writer and the header share."""

from __future__ import annotations

from ...rules.language.derived import CLASS_LAYOUTS

KNOWN_CLASSES = (
    "Tensor",
    *(f"{name}{suffix}" for name in CLASS_LAYOUTS for suffix in ("", "_TCM")),
)
"""The tensor classes that the header declares."""
