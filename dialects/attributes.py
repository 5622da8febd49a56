"""The attributes that an op may carry besides its own: names, forms, and the ops they are for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from .diagnostics import did_you_mean
from .locations import NAME
from .place_attr import PlaceAttr
from .spec_of import require
from .value import LayoutKind

PREFIX = "htp."
TILE_PLAN = "htp.tile"
"""The tile plan of an op: cuts along dims, the outermost first."""
IN_STEP = "htp.in_step"
"""On an op whose tiles are each made when the next tile of its reader needs them."""
MADE_ANEW = "htp.made_anew"
"""The dim, and the blocks along it that an op makes one by one, which overlap; on a Concat the
blocks that its parts come from."""
DRAINED = "htp.drained"
"""On an op whose tiles are written to main memory one by one, and on their Concat."""
GATHERED = "htp.gathered"
"""On an op whose tiles are written to main memory for an op that runs there, and on their Concat:
what moves elements on reads them there, too."""
PLANNED_LAYOUT = "htp.layout"
"""The layout of the result of an op in its tile plan, where its kernels leave that open."""
DEFAULT_PLACEMENT = "htp.home"
"""On an op whose tensors stay flat in main memory."""
BY_HAND = "htp.by_hand"
"""The place that rules gave each operand, then each result; unit where they gave none, or led back
to flat main memory."""
OPERAND_PLACES = "htp.operand_places"
"""Of an op whose operands are to move: the place that each goes to, unit for one that stays."""
AUTOTHREAD = "htp.autothread"
"""The unit that an op was split for."""
SPLIT_HISTORY = "htp.split_history"
"""The numbers of the splits that an op comes from."""
TCM_BYTES = "htp.tcm_bytes"
"""The size of the TCM, in bytes, that an allocated module needs."""
LEAST_CONVERSION_BYTES = "htp.least_conversion_bytes"
"""The fewest bytes that conversions between layouts can write in a function with places."""
RESOURCES = "htp.resources"
"""Of a text whose large constants are in a file beside it: its path from there, and its sha256."""
WEIGHTS = "htp.weights"
"""On a module that has random weights, as its own were not at hand: the file it was read from."""
IN_PLACE = "in_place"
"""On a slice or join that moves no bytes."""
OVERWRITES = "overwrites"
"""On an op whose result lies on the bytes of an operand that ends there: the operand's position."""
REASON = "reason"
"""The reason for a copy that the allocator added, in words."""

_REASONED = ("htp.Spill", "htp.Fill", "htp.Fill.start", "htp.Relocate")


@dataclass(frozen=True)
class Discardable:
    """A form of values, in words and as a test, and the ops it is for; for all if none is named."""

    words: str
    fits: Callable[[Attribute], bool]
    ops: tuple[str, ...] = ()


def _is_unit(value: Attribute) -> bool:
    return isinstance(value, UnitAttr)


def _is_text(value: Attribute) -> bool:
    return isinstance(value, StringAttr)


def _is_layout(value: Attribute) -> bool:
    return isinstance(value, StringAttr) and value.data in {layout.value for layout in LayoutKind}


def _is_size(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.value.data >= 0


def _is_plan(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(
        isinstance(pair, DenseArrayBase) and len(pair) == 2 for pair in value
    )


def _are_blocks(value: Attribute) -> bool:
    return isinstance(value, DenseArrayBase) and len(value) > 2 and len(value) % 2 == 1


def _are_places(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(
        isinstance(part, PlaceAttr | UnitAttr) for part in value
    )


def _are_resources(value: Attribute) -> bool:
    return (
        isinstance(value, DictionaryAttr)
        and value.data.keys() == {"file", "sha256"}
        and all(map(_is_text, value.data.values()))
    )


ATTRIBUTES: dict[str, Discardable] = {
    NAME: Discardable("a string", _is_text),
    TILE_PLAN: Discardable("a list of pairs `array<i64: dim, chunk>`", _is_plan),
    IN_STEP: Discardable("a unit", _is_unit),
    DRAINED: Discardable("a unit", _is_unit),
    GATHERED: Discardable("a unit", _is_unit),
    MADE_ANEW: Discardable("a dim, then the ends of blocks, `array<i64: 2, 0, 33>`", _are_blocks),
    PLANNED_LAYOUT: Discardable("'flat' or 'crouton'", _is_layout),
    DEFAULT_PLACEMENT: Discardable("a unit", _is_unit),
    BY_HAND: Discardable("a list of places and units", _are_places),
    OPERAND_PLACES: Discardable("a list of places and units", _are_places),
    AUTOTHREAD: Discardable("a string", _is_text),
    SPLIT_HISTORY: Discardable("an array", lambda value: isinstance(value, DenseArrayBase)),
    TCM_BYTES: Discardable("a number of bytes", _is_size, ("builtin.module",)),
    LEAST_CONVERSION_BYTES: Discardable("a number of bytes", _is_size, ("func.func",)),
    RESOURCES: Discardable(
        "a dictionary of texts 'file' and 'sha256'", _are_resources, ("builtin.module",)
    ),
    WEIGHTS: Discardable("a string", _is_text, ("builtin.module",)),
    IN_PLACE: Discardable("a unit", _is_unit, ("htp.Slice_shape", "htp.Concat")),
    OVERWRITES: Discardable("the position of an operand", _is_size),
    REASON: Discardable("a string", _is_text, _REASONED),
}
"""Keyed by name. All that begin with `htp.` are here; others are free on ops that are not named."""


def verify_attributes(op: Operation) -> None:
    """Check the attributes of an op, or of a function and its arguments and results."""
    for name, value in _attributes(op):
        fault = _fault(op, name, value)
        require(fault is None, op, fault or "")


def _fault(op: Operation, name: str, value: Attribute) -> str | None:
    known, ours = ATTRIBUTES.get(name), name.startswith(PREFIX)
    if known is None:
        meant = did_you_mean(name, ATTRIBUTES, f"known are {', '.join(ATTRIBUTES)}")
        return f"unknown attribute '{name}'; {meant}" if ours else None
    if known.ops and op.name not in known.ops:
        return f"attribute '{name}' goes on {' or '.join(known.ops)} only" if ours else None
    if known.fits(value):
        return None
    return f"attribute '{name}' is {value}, it must be {known.words}"


def _attributes(op: Operation) -> Iterator[tuple[str, Attribute]]:
    yield from op.attributes.items()
    if isinstance(op, FuncOp):
        for each in chain(op.arg_attrs or (), op.res_attrs or ()):
            yield from each.data.items()
