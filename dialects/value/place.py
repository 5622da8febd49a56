"""The place of a tensor: its layout family, its memory and, once allocated, its byte offset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from .layout import (
    R4CROUTON,
    R4CROUTON2,
    R4CROUTON2X2,
    R4CROUTON4X1,
    R4CROUTON32,
    R4DEPTH32,
    R4FLAT,
    R4NCHW,
    R4WEIGHTS,
    Layout,
)


class LayoutKind(Enum):
    """A layout as the IR spells it; which variant it means follows from the element size."""

    FLAT = "flat"
    CROUTON = "crouton"
    CROUTON4X1 = "crouton4x1"
    CROUTON2X2 = "crouton2x2"
    DEPTH32 = "depth32"
    NCHW = "nchw"
    WEIGHTS = "weights"


class Memory(Enum):
    """Main memory or the tightly coupled memory."""

    DDR = "ddr"
    TCM = "tcm"


LAYOUTS: dict[tuple[LayoutKind, int], Layout] = {
    **{(LayoutKind.FLAT, size): R4FLAT for size in (1, 2, 4, 8)},
    **{(LayoutKind.NCHW, size): R4NCHW for size in (1, 2, 4, 8)},
    (LayoutKind.CROUTON, 1): R4CROUTON,
    (LayoutKind.CROUTON, 2): R4CROUTON2,
    (LayoutKind.CROUTON, 4): R4CROUTON32,
    (LayoutKind.CROUTON4X1, 1): R4CROUTON4X1,
    (LayoutKind.CROUTON2X2, 1): R4CROUTON2X2,
    (LayoutKind.DEPTH32, 4): R4DEPTH32,
    (LayoutKind.WEIGHTS, 1): R4WEIGHTS,
}
"""The layout for a kind and an element size in bytes; a pair that is absent is not legal."""


@dataclass(frozen=True)
class Place:
    """A tensor's layout, memory and byte offset (None until allocated; DDR has none)."""

    layout: LayoutKind
    memory: Memory
    offset: int | None = None

    def at(self, offset: int) -> Place:
        """The same place at a byte offset."""
        return replace(self, offset=offset)

    def unplaced(self) -> Place:
        """The same layout and memory without an offset."""
        return replace(self, offset=None)


FLAT_DDR = Place(LayoutKind.FLAT, Memory.DDR)
"""The default placement of a tensor: flat, in main memory, without an offset."""
FLAT_TCM = Place(LayoutKind.FLAT, Memory.TCM)
CROUTON_DDR = Place(LayoutKind.CROUTON, Memory.DDR)
CROUTON_TCM = Place(LayoutKind.CROUTON, Memory.TCM)
