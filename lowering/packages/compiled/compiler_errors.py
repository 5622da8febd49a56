"""Errors of compilers and linkers, as faults at the lines of a package."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from ....dialects.diagnostics import Fault, HtpError, Position, fail
from ....dialects.locations import shown_path

DEVICE = Path(__file__).with_name("device")
"""The folder of headers that stand in for the device's."""
INTRINSIC = "Q6_"
"""The beginning of an intrinsic's name."""
_TWICE = re.compile(
    r"^(.+):(\d+): multiple definition of `(.+?)'|duplicate symbol: (.+)\n>>> .*\((.+):(\d+)\)$",
    re.MULTILINE,
)
_ERROR = re.compile(r"^(.+?):(\d+):(?:(\d+):)? (?:fatal )?error: (.*)$", re.MULTILINE)
_NOTE = re.compile(r"^(.+?):(\d+):(?:(\d+):)? (?:note: | *required from here$)", re.MULTILINE)
_NO_HEADER = re.compile(r"'?([\w./-]+)'?(?:: No such file| file not found)")
_UNDECLARED = re.compile(
    r"^(?:use of undeclared identifier '(\w+)'|there are no arguments to '(\w+)'"
    r"|'(\w+)' was not declared)"
)
_CUT = re.compile(r"; (\w+) ends there$")
_UNKNOWN = (
    *("not declared", "not been declared", "undeclared", "no member"),
    *("does not name", "unknown type name"),
)
"""Parts of what g++ and clang++ say of an unknown name."""


def faults_in(source: Path, own: Container[Path], said: str) -> Iterator[Fault]:
    """Yield the errors of a compiler at the package's own lines, each name that is missing once.

    What else is wrong on the line of such a name follows from it. An error in another's header is
    at the line that the notes around it trace it to: g++ writes where a template is required from
    above the error, both compilers write macros below.
    """
    seen, unknown = set[str](), set[tuple[str, str]]()
    pieces = _ERROR.split(said)
    for at in range(0, len(pieces) - 1, 5):
        above, *error, message, below = pieces[at : at + 6]
        notes = _NOTE.findall(above.strip().rpartition("\n")[2]) + _NOTE.findall(below)
        places = [error, *notes]
        file, line, column = next((p for p in places if Path(p[0]).resolve() in own), error)
        is_name = is_unknown(message)
        if message not in seen and (is_name or (file, line) not in unknown):
            seen.add(message)
            unknown |= {(file, line)} if is_name else set()
            place = Position(shown_path(file), int(line), int(column or 1))
            yield Fault(f"{place.file}:{line}", message, _remedy(message), place=place)
    if said and not seen:
        last = said.strip().splitlines()[-1]
        yield Fault(shown_path(source), last, "see htp package build --show-flags")


def is_unknown(message: str) -> bool:
    """Tell whether an error is one of an unknown name."""
    return any(each in message for each in _UNKNOWN)


def absent_in(faults: Iterable[Fault]) -> set[str]:
    """Return the names that are missing, by errors: intrinsics, others, and bodies cut out."""
    said = [fault.problem for fault in faults]
    matches = (_CUT.search(problem) or _UNDECLARED.match(problem) for problem in said)
    return {match[match.lastindex or 0] for match in matches if match}


def is_said(fault: Fault, faults: Iterable[Fault]) -> bool:
    """Tell whether others say what a fault does: that a function is not whole."""
    cut = _CUT.search(fault.problem)
    return cut is not None and cut[1] in absent_in(faults)


def _remedy(message: str) -> str:
    match = _UNDECLARED.match(message)
    if match and match[match.lastindex or 0].startswith(INTRINSIC):
        return f"add its row to {DEVICE / 'hvx.h'}"
    if _NO_HEADER.search(message):
        return "give the folder of the header with -I"
    if is_unknown(message):
        return f"include what declares it; what the device alone has is added to {DEVICE}"
    return "fix the source"


def link_error(said: str) -> HtpError:
    """Return what a linker says as an error: the functions that two sources define, by name."""
    faults = [
        Fault(
            f"{shown_path(file or other)}:{line or its}",
            f"{name or same} is defined by another source, too",
            "make it static, or inline",
        )
        for file, line, name, same, other, its in _TWICE.findall(said)
    ]
    if faults:
        return HtpError(*faults)
    return fail("linking the package", said.strip().splitlines()[-1], "see --show-flags")
