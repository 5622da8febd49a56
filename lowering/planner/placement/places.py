"""Where the tensors of an op may lie: its demands, and what they leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....dialects.value.place import FLAT_DDR, LayoutKind, Memory, Place


@dataclass(frozen=True)
class Demand:
    """The layout and the memory that an op wants of one tensor; None leaves it open."""

    layout: LayoutKind | None = None
    memory: Memory | None = None

    def met_by(self, place: Place) -> bool:
        """Whether a tensor in this place meets the demand."""
        right_layout = self.layout in (None, place.layout)
        return right_layout and self.memory in (None, place.memory)

    def text(self) -> str:
        """The demand as messages name it: `crouton in tcm`."""
        layout = self.layout.value if self.layout else "any layout"
        return f"{layout} in {self.memory.value if self.memory else 'any memory'}"


OPEN = Demand()
HOME = Demand(LayoutKind.FLAT, Memory.DDR)


@dataclass(frozen=True)
class Port:
    """One tensor of an op: the demand on it and its bytes in every layout that it can take.

    A param is no data: left open, it stays flat in main memory.
    """

    demand: Demand
    forms: Mapping[LayoutKind, int]
    param: bool = False

    def places(self, tcm_bytes: int) -> tuple[Place, ...]:
        """The places that meet the demand; undemanded TCM only for what fits `tcm_bytes`."""
        open_ = HOME if self.param else OPEN
        wanted = Demand(
            self.demand.layout or open_.layout,
            self.demand.memory or open_.memory,
        )
        found = (Place(layout, memory) for layout in self.forms for memory in Memory)
        return tuple(
            place
            for place in found
            if wanted.met_by(place) and (wanted.memory or self._fits(place, tcm_bytes))
        )

    def _fits(self, place: Place, tcm_bytes: int) -> bool:
        return place.memory is Memory.DDR or self.forms[place.layout] <= tcm_bytes


@dataclass(frozen=True)
class Ports:
    """The tensors of one op; an operand that is a shape is None."""

    operands: tuple[Port | None, ...]
    results: tuple[Port, ...]


Places = tuple[Place | None, ...]


@dataclass(frozen=True)
class Arrangement:
    """A place for every operand (None for a shape) and every result of one op."""

    operands: Places
    results: tuple[Place, ...]


@dataclass(frozen=True)
class Room:
    """What of the TCM goes to tensors that nobody demands to be there, in bytes.

    `tensor` bounds a result among them, `op` bounds all tensors that an op with such a one has in
    TCM.
    """

    tensor: int
    op: int


def at_home(here: Places, results: int) -> Arrangement:
    """What is left for an op that no kernel takes where its demands want it: main memory."""
    return Arrangement(tuple(place and FLAT_DDR for place in here), (FLAT_DDR,) * results)


def unmet(demands: Sequence[Demand], places: Sequence[Place]) -> int | None:
    """The position of the first demand that is not met, if any."""
    pairs = enumerate(zip(demands, places, strict=True))
    return next((index for index, (demand, place) in pairs if not demand.met_by(place)), None)
