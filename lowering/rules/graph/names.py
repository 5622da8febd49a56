"""Op names of rules, resolved to op names of the IR."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from .graph import CONST, INPUT, OUTPUT, SHAPE

DEFAULT_PACKAGE = "htp"
DEFAULT_PREFIX = "q"
_SPECIAL = {"$Const": CONST, "$Shape": SHAPE, INPUT: INPUT, OUTPUT: OUTPUT}


def resolve(name: str, package: str) -> str:
    """Resolve `Add` to `htp.Add`, `Pkg::Add` to `Pkg.Add`, `q::Add` to `htp.Add`; `$Const` too."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    owner, mark, op = name.partition("::")
    if not mark:
        return f"{package}.{name}"
    return f"{DEFAULT_PACKAGE if owner == DEFAULT_PREFIX else owner}.{op}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `did you mean A or B?` with the known names that are close; empty without any."""
    near = get_close_matches(name, list(known), n=3)
    return f"did you mean {' or '.join(near)}?" if near else ""


def FROM_DEFAULT_PACKAGE(name: str) -> str:
    """Return the name of a native op, for rules of other packages.

    Example: `Op(FROM_DEFAULT_PACKAGE("Relu"), "X")`
    """
    return f"{DEFAULT_PREFIX}::{name}"
