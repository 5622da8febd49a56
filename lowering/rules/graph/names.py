"""How the op names of rules become the op names of the IR."""

from __future__ import annotations

from .graph import CONST, INPUT, OUTPUT, SHAPE

DEFAULT_PACKAGE = "htp"
DEFAULT_PREFIX = "q"
_SPECIAL = {"$Const": CONST, "$Shape": SHAPE, INPUT: INPUT, OUTPUT: OUTPUT}


def resolve(name: str, package: str) -> str:
    """`Add` -> `htp.Add`, `Pkg::Add` -> `Pkg.Add`, `q::Add` -> `htp.Add`, `$Const` too."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    owner, mark, op = name.partition("::")
    if not mark:
        return f"{package}.{name}"
    return f"{DEFAULT_PACKAGE if owner == DEFAULT_PREFIX else owner}.{op}"


def FROM_DEFAULT_PACKAGE(name: str) -> str:
    """The name of a native op, for rules of other packages.

    Example: `Op(FROM_DEFAULT_PACKAGE("Relu"), "X")`
    """
    return f"{DEFAULT_PREFIX}::{name}"
