"""The text of one definition in IRDL: names, constraints as values, and clauses that name them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.ir import Attribute, TypeAttribute

from .own_attributes import Constraint


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
