"""The constraints that fields of native ops declare: dtypes of data, numbers of params, planes.

A constraint knows no IR: it reads the operands of an op through `NamedDims`, and tells a fault in
words.
"""

from dataclasses import dataclass
from math import prod
from typing import Protocol

from ..spec_of import text
from ..value import DType, Kind

Usual = int | float | bool | str | tuple[int, ...]
"""A value of a param: a number, a text or a list of integers."""


class NamedDims(Protocol):
    """The operands of an op, by name."""

    def dims(self, name: str) -> tuple[int, ...]:
        """The dims of a tensor or shape operand."""
        ...

    def dtype(self, name: str) -> DType:
        """The dtype of a tensor operand."""
        ...

    def ints(self, name: str) -> tuple[int, ...] | None:
        """The numbers of an integer param; None where they are not known."""
        ...


@dataclass(frozen=True)
class TensorConstraint:
    """The dtypes of an operand that is data.

    It has the dtype of operand `like`, or both are quantised. Where `like` is a sum to which it is
    added, `kin` names it instead: both are numbers, and float, or neither. One that is `stored`
    may be quantised beside floats.
    """

    kind: Kind = Kind.ANY
    like: str = ""
    kin: str = ""
    stored: bool = False

    def fault(self, op: NamedDims, name: str) -> str | None:
        """Say what is wrong with the operand of this name; None where nothing is."""
        own, other = op.dtype(name), self.like or self.kin
        wrong = (Kind.NUMBER if self.kin else self.kind).fault(f"operand '{name}'", own)
        if wrong or not other:
            return wrong
        lead = op.dtype(other)
        coded = own.is_quantized and (lead.is_quantized or (self.stored and lead.is_float))
        if self.like and not (own is lead or coded):
            must = "they must be equal"
        elif self.kin and own.is_float != lead.is_float:
            must = "both must be float, or neither"
        else:
            return None
        return f"operand '{name}' is {own.name}, operand '{other}' is {lead.name}; {must}"


@dataclass(frozen=True)
class ParamConstraint:
    """The numbers of a param: how many, the least and the largest; `once` where none repeats.

    `usual` is a value that it often has: graphs that are made for a check have one near it.
    """

    count: int | None = None
    least: int | None = None
    most: int | None = None
    once: bool = False
    usual: Usual | None = None

    def fault(self, op: NamedDims, name: str) -> str | None:
        """Say what is wrong with the param of this name; None where nothing is, or is known."""
        elements = prod(op.dims(name))
        if self.count not in (None, elements):
            return f"param '{name}' has {elements} numbers, it takes {self.count}"
        numbers = None if self.least is None else op.ints(name)
        return None if numbers is None else self._wrong(name, numbers)

    def _wrong(self, name: str, numbers: tuple[int, ...]) -> str | None:
        shown = f"param '{name}' is {numbers[0] if len(numbers) == 1 else numbers}"
        least, most = self.least or 0, max(numbers, default=0) if self.most is None else self.most
        if any(not least <= number <= most for number in numbers):
            subject = "it" if len(numbers) == 1 else "each"
            bounds = f">= {least}" if self.most is None else f"from {least} to {most}"
            return f"{shown}, {subject} must be {bounds}"
        if self.once and len(set(numbers)) < len(numbers):
            return f"{shown}, each may occur once"
        return None


@dataclass(frozen=True)
class ShapeConstraint:
    """The dims of a shape; those of a plane, such as a stride, are 1xHxWx1, all >= 1."""

    plane: bool = False

    def fault(self, op: NamedDims, name: str) -> str | None:
        """Say what is wrong with the shape of this name; None where nothing is."""
        dims = op.dims(name)
        if not self.plane or (dims[0] == dims[3] == 1 and min(dims) >= 1):
            return None
        return f"operand '{name}' is {text(dims)}, it must be 1xHxWx1, all >= 1"


Constraint = TensorConstraint | ParamConstraint | ShapeConstraint
ANY = TensorConstraint()
