"""A parser that refuses types too large to work with before it makes anything of their size."""

from __future__ import annotations

from math import prod
from struct import error as StructError

from xdsl.dialects.builtin import (
    AnyFloat,
    IntegerType,
    MemRefType,
    ModuleOp,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser

from .value.limits import MAX_BITS, MAX_TENSOR_BYTES

_UNFIT = (ValueError, ArithmeticError, NotImplementedError, AssertionError, StructError)
"""Exceptions that xDSL's parser raises on numbers that their types do not take."""


class BoundedParser(Parser):
    """Bounds the bits of integer types and the bytes of tensors.

    A number that its type does not take is an error with a place, as all others are.
    """

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text; ParseError where it is wrong."""
        try:
            return super().parse_module(allow_implicit_module)
        except _UNFIT as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            self.raise_error(f"a value that does not fit its type: {reason}")

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type if there is one; ParseError where it is too large."""
        begin = self.pos
        type_ = super().parse_optional_type()
        if problem := excess(type_):
            self.raise_error(problem, begin, self.pos)
        return type_


def excess(type_: Attribute | None) -> str:
    """Tell what of a type is too large to be taken, or nothing."""
    match type_:
        case IntegerType():
            return f"{type_} has more than {MAX_BITS} bits" if type_.size > MAX_BITS // 8 else ""
        case TensorType() | VectorType() | MemRefType():
            element = type_.get_element_type()
            size = element.size if isinstance(element, IntegerType | AnyFloat) else 1
            count = size * prod(dim for dim in type_.get_shape() if dim >= 0)
            fits = count <= MAX_TENSOR_BYTES
            return (
                "" if fits else f"{type_} takes {count} bytes, at most {MAX_TENSOR_BYTES} are taken"
            )
        case _:
            return ""
