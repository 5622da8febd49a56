"""The conditions of `REQUIRES`, `UNSUPPORTED` and `XFAIL`: formulas of features."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from ...dialects.diagnostics import fail

_LINE = re.compile(r"^\s*(?://|;|#)\s*(REQUIRES|UNSUPPORTED|XFAIL):(.*)$")
_TOKEN = re.compile(r"\s*(&&|\|\||!|\(|\)|[-+=._A-Za-z0-9]+|\*)|\s*(\S)")


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
        if each == keyword and _Formula(formula, line, features).value() is wanted
    )


def _formulas(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _LINE.match(line):
            for formula in match[2].split(","):
                yield number, match[1], formula.strip()


class _Formula:
    """A reader of one formula, from left to right: `||` of `&&` of names, `!` and brackets."""

    def __init__(self, text: str, line: int, features: Set[str]) -> None:
        self._text, self._line, self._features = text, line, features
        self._tokens = [name or other for name, other in _TOKEN.findall(text)]

    def value(self) -> bool:
        """The truth of the whole formula."""
        value = self._either()
        if self._tokens:
            raise self._wrong(f"'{self._tokens[0]}'")
        return value

    def _either(self) -> bool:
        value = self._both()
        while self._take("||"):
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._one()
        while self._take("&&"):
            value = self._one() and value
        return value

    def _one(self) -> bool:
        if self._take("!"):
            return not self._one()
        if self._take("("):
            value = self._either()
            if not self._take(")"):
                raise self._wrong("an open bracket")
            return value
        name = self._tokens.pop(0) if self._tokens else "its end"
        if not re.fullmatch(r"[-+=._A-Za-z0-9]+|\*", name) or name == "its end":
            raise self._wrong(name)
        return name in ("*", "true") or name in self._features

    def _take(self, token: str) -> bool:
        if self._tokens[:1] != [token]:
            return False
        self._tokens.pop(0)
        return True

    def _wrong(self, what: str) -> Exception:
        problem = f"'{self._text}' is no condition: {what} stands where it cannot"
        return fail(f"line {self._line}", problem, "join features by && || ! and brackets")
