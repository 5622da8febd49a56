"""Places that a pass notes on an op for a later one: `[#htp.place<crouton, tcm>, unit]`."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.ir import Operation

from ....dialects.faults.op_faults import fail_at
from ....dialects.place_attr import PlaceAttr
from ....dialects.value import Place


def note_places(op: Operation, name: str, places: Sequence[Place | None]) -> None:
    """Write an attribute with one place per tensor, unit for None; nothing where all are None."""
    if any(places):
        op.attributes[name] = ArrayAttr([PlaceAttr(p) if p else UnitAttr() for p in places])


def noted_places(op: Operation, name: str, count: int) -> tuple[Place | None, ...]:
    """Read such an attribute; all are None without it. HtpError for one of another form."""
    noted = op.attributes.get(name, ArrayAttr([UnitAttr()] * count))
    parts = noted.data if isinstance(noted, ArrayAttr) else ()
    if len(parts) != count or not all(isinstance(part, PlaceAttr | UnitAttr) for part in parts):
        raise fail_at(
            op,
            f"'{name}' is {noted}",
            f"give a list of {count} entries, each #htp.place<layout, memory> or unit",
        )
    return tuple(part.place if isinstance(part, PlaceAttr) else None for part in parts)
