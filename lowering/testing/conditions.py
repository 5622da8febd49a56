"""The conditions of `REQUIRES`, `UNSUPPORTED` and `XFAIL`: formulas of features."""

import platform
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from ...dialects.diagnostics import fail

_LINE = re.compile(r"^\s*(?://|;|#)\s*(REQUIRES|UNSUPPORTED|XFAIL):(.*)$")


@dataclass(frozen=True)
class Conditions:
    """The features that a file misses or is unsupported with, and whether it is to fail."""

    missing: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    must_fail: bool = False

    @property
    def skip_reason(self) -> str:
        """The reason why the file does not run here; empty where it runs."""
        if self.missing:
            return f"requires {', '.join(self.missing)}"
        return f"unsupported with {', '.join(self.unsupported)}" if self.unsupported else ""


def platform_features() -> frozenset[str]:
    """Return the feature that names the operating system, as `system-linux`."""
    return frozenset([f"system-{platform.system().lower()}"])


def conditions(text: str, features: Set[str]) -> Conditions:
    """Read a file's conditions; a comma divides several. HtpError for a malformed one."""
    formulas = list(_formulas(text))
    return Conditions(
        _which(formulas, "REQUIRES", features, wanted=False),
        _which(formulas, "UNSUPPORTED", features, wanted=True),
        bool(_which(formulas, "XFAIL", features, wanted=True)),
    )


def _which(
    formulas: Iterable[tuple[int, str, str]], keyword: str, features: Set[str], wanted: bool
) -> tuple[str, ...]:
    return tuple(
        formula
        for line, each, formula in formulas
        if each == keyword and _holds(formula, line, features) is wanted
    )


def _formulas(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _LINE.match(line):
            for formula in match[2].split(","):
                yield number, match[1], formula.strip()


def _holds(formula: str, line: int, features: Set[str]) -> bool:
    """Work a formula out, as lit does; HtpError for a malformed one."""
    from lit.BooleanExpression import BooleanExpression

    if formula == "*":
        return True
    try:
        return bool(BooleanExpression.evaluate(formula, features))
    except ValueError as error:
        reason = ", ".join(str(error).splitlines()[:-1])
        problem = f"'{formula}' is no condition: {reason}"
        raise fail(f"line {line}", problem, "join features by && || ! and brackets") from error
