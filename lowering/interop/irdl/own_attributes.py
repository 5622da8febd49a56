"""The attributes and types of our own, as IRDL knows them: a list of parameters each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute

from ....dialects.htp.types import ShapeType
from ....dialects.place_attr import PlaceAttr
from ....dialects.qti_aisw.choices import (
    BufferMode,
    BufferModeAttr,
    Direction,
    DirectionAttr,
    MaskMode,
    MaskModeAttr,
)
from ....dialects.value import LayoutKind, Memory

Constraint = tuple[str, ...]
"""The alternatives of a constraint in IRDL's text; one of them holds."""

INTEGER: Constraint = ('irdl.base "#builtin.integer"',)


@dataclass(frozen=True)
class OwnAttribute:
    """An attribute or a type: the constraint of each parameter, and the parameters of a value."""

    parameters: Mapping[str, Constraint]
    values: Callable[[Attribute], Iterable[str]]


def _words(words: Iterable[Enum]) -> Constraint:
    return tuple(f'irdl.is "{word.value}"' for word in words)


def _place(attribute: Attribute) -> Iterable[str]:
    if isinstance(attribute, PlaceAttr):
        yield f'"{attribute.layout.data}"'
        yield f'"{attribute.memory.data}"'
        yield str(attribute.offset.data) if isinstance(attribute.offset, IntAttr) else "unit"


def _shape(attribute: Attribute) -> Iterable[str]:
    return map(str, attribute.get_shape()) if isinstance(attribute, ShapeType) else ()


def _choice(attribute: Attribute) -> Iterable[str]:
    return (f'"{attribute.data}"',) if isinstance(attribute, EnumAttribute) else ()


def _choice_of(words: Iterable[Enum]) -> OwnAttribute:
    return OwnAttribute({"value": _words(words)}, _choice)


OWN_ATTRIBUTES: Mapping[type[Attribute], OwnAttribute] = {
    PlaceAttr: OwnAttribute(
        {
            "layout": _words(LayoutKind),
            "memory": _words(Memory),
            "offset": ("irdl.is unit", *INTEGER),
        },
        _place,
    ),
    ShapeType: OwnAttribute(dict.fromkeys("bhwd", INTEGER), _shape),
    BufferModeAttr: _choice_of(BufferMode),
    MaskModeAttr: _choice_of(MaskMode),
    DirectionAttr: _choice_of(Direction),
}
"""Keyed by class; the name of the class says where in a dialect its definition goes."""


def parameters_of(attribute: Attribute) -> str | None:
    """Return an attribute of our own by its parameters, `"flat", "tcm", 0`; None for others."""
    own = OWN_ATTRIBUTES.get(type(attribute))
    return None if own is None else ", ".join(own.values(attribute))
