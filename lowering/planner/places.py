"""Where the tensors of an op may lie: its demands, and proposals for what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...dialects.layout import CHUNK_BYTES, round_up
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
class Room:
    """What of the TCM goes to tensors that nobody demands to be there, in bytes.

    `tensor` bounds one of them, `op` bounds all tensors that an op with such a one has in TCM.
    """

    tensor: int
    op: int


@dataclass(frozen=True)
class _Taste:
    """What open layouts and memories become; no memory for operands means: stay where you are."""

    layout: LayoutKind
    operands: Memory | None
    results: Memory


def proposals(
    ports: Ports, here: Places, room: Room, readers: Demand | None = None
) -> Iterator[Arrangement]:
    """Arrangements that meet the demands, best first, given where the operands lie now.

    Where all `readers` of an open result demand one layout, that comes first: the operands stay as
    they are and the op converts on its way.
    An open layout follows the first data operand. Open results for which there is room go to TCM,
    and open operands stay where they are; or they follow, where the kernels do not take that.
    Where the results stay in main memory so do the operands. The other layout comes last.
    """
    seen: set[Arrangement] = set()
    for found in (
        _for_readers(ports, here, room, readers or OPEN),
        *(_arrange(ports, here, taste, room) for taste in _tastes(_lead(ports, here))),
    ):
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


def _for_readers(ports: Ports, here: Places, room: Room, readers: Demand) -> Arrangement | None:
    """Operands where they are, the open result as its readers demand it."""
    if readers.layout is None or any(port.demand != OPEN for port in ports.results):
        return None
    if not all(
        port is None or place is None or port.demand.met_by(place)
        for port, place in zip(ports.operands, here, strict=True)
    ):
        return None
    wanted = Place(readers.layout, readers.memory or Memory.TCM)
    return _checked(ports, here, here, (wanted,) * len(ports.results), room)


def _arrange(ports: Ports, here: Places, taste: _Taste, room: Room) -> Arrangement | None:
    operands = tuple(
        _operand(port, place, taste) if port and place else None
        for port, place in zip(ports.operands, here, strict=True)
    )
    results = tuple(_place(port, taste.layout, taste.results) for port in ports.results)
    return _checked(ports, here, operands, results, room)


def _checked(
    ports: Ports, here: Places, operands: Places, results: tuple[Place, ...], room: Room
) -> Arrangement | None:
    """The arrangement, where every tensor has its layout and there is room in TCM."""
    stays = [new == old for new, old in zip(operands, here, strict=True)]
    moved = [*zip(ports.operands, operands, stays, strict=True)]
    moved += [(port, place, False) for port, place in zip(ports.results, results, strict=True)]
    placed = [(port, place, stay) for port, place, stay in moved if port and place]
    if any(place.layout not in port.forms for port, place, _ in placed):
        return None
    return Arrangement(operands, results) if _fits(placed, room) else None


def _fits(placed: Sequence[tuple[Port, Place, bool]], room: Room) -> bool:
    """Whether there is room for the tensors in TCM that nobody demands to be there."""
    held = [
        (port, stay, port.forms[p.layout]) for port, p, stay in placed if p.memory is Memory.TCM
    ]
    chosen = [(stay, size) for port, stay, size in held if port.demand.memory is None]
    together = sum(round_up(size, CHUNK_BYTES) for _, _, size in held)
    small = all(stay or size <= room.tensor for stay, size in chosen)
    return small and (not chosen or together <= room.op)


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
