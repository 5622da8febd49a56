"""The text of one definition in IRDL: names, constraints as values, and clauses that name them.

IRDL knows the attributes and types of our own as a list of parameters each.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, TypeAttribute

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


@dataclass(frozen=True)
class Member:
    """A parameter, operand, result or attribute: its name, its constraint, how often it stands.

    `often` is empty, `optional` or `variadic`; `about` is a comment.
    """

    name: str
    constraint: Constraint
    often: str = ""
    about: str = ""


class DefinitionBody:
    """The lines between the braces of a definition.

    Each member has a value of its own: two uses of one value would have to be equal.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def clause(self, word: str, members: Iterable[Member]) -> None:
        """Add a clause such as `irdl.operands(x: %x)`; empty, it says that there are none."""
        parts = [
            f"{member.name}: {member.often} {value}".replace(":  ", ": ")
            for member, value in self._values(word, members)
        ]
        self.lines.append(f"irdl.{word}({', '.join(parts)})")

    def attributes(self, members: Iterable[Member]) -> None:
        """Add the clause of the attributes that must be there; none where there are none."""
        parts = [f'"{member.name}" = {value}' for member, value in self._values("attr", members)]
        if parts:
            self.lines.append(f"irdl.attributes {{ {', '.join(parts)} }}")

    def _values(self, word: str, members: Iterable[Member]) -> Iterator[tuple[Member, str]]:
        for member in members:
            value = f"%{word[0]}_{member.name}"
            parts = [value]
            if len(member.constraint) > 1:
                parts = [f"{value}_{number}" for number in range(len(member.constraint))]
            comment = f"  // {member.about}" if member.about else ""
            for part, text in zip(parts, member.constraint, strict=True):
                self.lines.append(f"{part} = {text}{comment}")
            if len(parts) > 1:
                self.lines.append(f"{value} = irdl.any_of({', '.join(parts)})")
            yield member, value


_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def lower_name(name: str) -> str:
    """Return the name of a dialect, op or operand with its words in lower case.

    Example: `ConvLayer_valid.clamp` gives `conv_layer_valid_clamp`.
    """
    return _WORDS.sub("_", name).replace(".", "_").strip("_").lower()


def op_name(name: str) -> str:
    """Return the name of an op, its dialect in front: `htp.Relu` gives `htp.relu`."""
    dialect, _, mnemonic = name.partition(".")
    return f"{lower_name(dialect)}.{lower_name(mnemonic)}"


def attribute_name(kind: type[Attribute]) -> str:
    """Return the name of an attribute or a type of our own; one of a type ends in `_type`.

    A dialect of IRDL has one name for one thing, and `htp.Shape` is an op as well.
    """
    return f"{op_name(kind.name)}{'_type' * issubclass(kind, TypeAttribute)}"
