"""Where the tensors of an op may lie: its demands, and proposals for what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...dialects.place import FLAT_DDR, LayoutKind, Memory, Place


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
class _Taste:
    """What open layouts and memories become; no memory for operands means: stay where you are."""

    layout: LayoutKind
    operands: Memory | None
    results: Memory


def proposals(ports: Ports, here: Places, largest: int) -> Iterator[Arrangement]:
    """Arrangements that meet the demands, best first, given where the operands lie now.

    An open layout follows the first data operand. Open results of at most `largest` bytes go to
    TCM, and open operands stay where they are; or they follow, where the kernels do not take
    that. Where the results stay in main memory so do the operands, for together they may be more
    than TCM holds. The other layout comes last.
    """
    seen: set[Arrangement] = set()
    for taste in _tastes(_lead(ports, here)):
        found = _arrange(ports, here, taste, largest)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def at_home(here: Places, results: int) -> Arrangement:
    """What is left for an op that no kernel takes where its demands want it: main memory."""
    return Arrangement(tuple(place and FLAT_DDR for place in here), (FLAT_DDR,) * results)


def _tastes(lead: LayoutKind) -> Iterator[_Taste]:
    other = LayoutKind.CROUTON if lead is LayoutKind.FLAT else LayoutKind.FLAT
    for layout in (lead, other):
        yield _Taste(layout, None, Memory.TCM)
        yield _Taste(layout, Memory.TCM, Memory.TCM)
        yield _Taste(layout, Memory.DDR, Memory.DDR)


def _lead(ports: Ports, here: Places) -> LayoutKind:
    """The layout of the first operand that is data."""
    pairs = zip(ports.operands, here, strict=True)
    data = (place.layout for port, place in pairs if port and place and not port.param)
    return next(data, LayoutKind.FLAT)


def _arrange(ports: Ports, here: Places, taste: _Taste, largest: int) -> Arrangement | None:
    operands = tuple(
        _operand(port, place, taste) if port and place else None
        for port, place in zip(ports.operands, here, strict=True)
    )
    results = tuple(_place(port, taste.layout, taste.results) for port in ports.results)
    stays = [new == old for new, old in zip(operands, here, strict=True)]
    moved = [*zip(ports.operands, operands, stays, strict=True)]
    moved += [(port, place, False) for port, place in zip(ports.results, results, strict=True)]
    legal = all(_legal(port, new, stay, largest) for port, new, stay in moved if port and new)
    return Arrangement(operands, results) if legal else None


def _legal(port: Port, place: Place, stays: bool, largest: int) -> bool:
    """Whether the tensor has the layout, and is small enough for a TCM that nobody demanded."""
    if place.layout not in port.forms:
        return False
    chosen = place.memory is Memory.TCM and port.demand.memory is None and not stays
    return not chosen or port.forms[place.layout] <= largest


def _operand(port: Port, here: Place, taste: _Taste) -> Place:
    if port.param:
        return _place(port, LayoutKind.FLAT, Memory.DDR)
    return _place(port, taste.layout, taste.operands or here.memory)


def _place(port: Port, layout: LayoutKind, memory: Memory) -> Place:
    follows = layout if layout in port.forms else LayoutKind.FLAT
    return Place(port.demand.layout or follows, port.demand.memory or memory)


def unmet(demands: Sequence[Demand], places: Sequence[Place]) -> int | None:
    """The position of the first demand that is not met, if any."""
    pairs = enumerate(zip(demands, places, strict=True))
    return next((index for index, (demand, place) in pairs if not demand.met_by(place)), None)
