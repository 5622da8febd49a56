"""Op names of rules, resolved to op names of the IR."""

from collections.abc import Iterable
from functools import lru_cache

from ....dialects.suggestions import closest
from .graph import CONST, INPUT, OUTPUT, SHAPE

DEFAULT_PACKAGE = "htp"
DEFAULT_PREFIX = "q"
GRAPH = "qti_aisw"
"""The package whose bare op names are graph ops."""
_SPECIAL = {"$Const": CONST, "$Shape": SHAPE, INPUT: INPUT, OUTPUT: OUTPUT}


@lru_cache(maxsize=1 << 14)
def resolve(name: str, package: str) -> str:
    """Resolve `Add` to `htp.Add`, `Pkg::Add` to `Pkg.Add`, `q::Add` to `htp.Add`; `$Const` too."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    owner, mark, op = name.partition("::")
    if not mark:
        return f"{package}.{name}"
    return f"{DEFAULT_PACKAGE if owner == DEFAULT_PREFIX else owner}.{op}"


def spelling(full: str, package: str) -> str:
    """Return an op of the IR as a rule of a package names it."""
    owner, _, op = full.partition(".")
    if owner == package:
        return f'"{op}"'
    return f'FROM_DEFAULT_PACKAGE("{op}")' if owner == DEFAULT_PACKAGE else f'"{owner}::{op}"'


def remedy(name: str, package: str, known: Iterable[str], cpp: bool = False) -> str:
    """Return what to write instead of a name in a rule that no op has, or beside it.

    `cpp` says that it would be an op of a package that is written in C++.
    """
    spelt: dict[str, list[str]] = {}
    names = dict.fromkeys(known)
    for full in names:
        level, _, mnemonic = full.partition(".")
        # Of an op of both levels the native one is meant.
        if level != GRAPH or f"{DEFAULT_PACKAGE}.{mnemonic}" not in names:
            spelt.setdefault(mnemonic, []).append(spelling(full, package))
    owner, _, op = resolve(name, package).partition(".")
    if op in spelt:
        why = "" if "::" in name else f": a bare name is an op of {package}"
        return f"write {' or '.join(spelt[op])}{why}"
    near = [text for close in closest(op, spelt) for text in spelt[close]]
    if near:
        return f"did you mean {' or '.join(near)}?"
    if owner == DEFAULT_PACKAGE:
        kernel = f'KernelSet("{DEFAULT_PACKAGE}") with @KERNELS.kernel("{op}")'
        return f"if the processor has it, bring a kernel in Python: {kernel}"
    if cpp:
        return f'declare it: DEF_PACKAGE_OP(function, "{op}")'
    return f"declare it in package {owner}{', or load that one' if owner != package else ''}"


def FROM_DEFAULT_PACKAGE(name: str) -> str:
    """Return the name of a native op, for rules of other packages.

    Example: `Op(FROM_DEFAULT_PACKAGE("Relu"), "X")`
    """
    return f"{DEFAULT_PREFIX}::{name}"
