"""Names that upstream's IRDL takes: lower-case letters, digits and underscores."""

from __future__ import annotations

import re

from xdsl.ir import Attribute, TypeAttribute

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
