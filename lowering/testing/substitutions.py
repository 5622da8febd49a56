"""The substitutions of RUN lines: the ones that lit has for a file, and those of a project."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...dialects.diagnostics import fail
from ...dialects.suggestions import listed


@dataclass(frozen=True)
class Substitutions:
    """The values of one file: its path, a scratch path that may be written, a project's own."""

    source: Path
    scratch: Path
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, str]:
        """The words that represent something, as lit has them."""
        paths = {
            "%s": self.source,
            "%S": self.source.parent,
            "%p": self.source.parent,
            "%t": self.scratch,
        }
        slashed = {f"%/{name[1]}": path.as_posix() for name, path in paths.items()}
        return {
            **{name: str(path) for name, path in paths.items()},
            **slashed,
            "%{s:basename}": self.source.name,
            "%{s:stem}": self.source.stem,
            "%{t:stem}": self.scratch.stem,
            "%basename_t": self.scratch.stem,
            "%{pathsep}": os.pathsep,
            "%%": "%",
        }

    def in_line(self, line: str) -> str:
        """Put in the project's own: their values may be several words."""
        if not self.own:
            return line
        longest = sorted(map(re.escape, self.own), key=len, reverse=True)
        return re.sub("|".join(["%%", *longest]), lambda m: self.own.get(m[0], m[0]), line)

    def in_word(self, word: str) -> str:
        """Put in what lit has; HtpError for any other `%`."""
        values = self.values
        longest = sorted(map(re.escape, values), key=len, reverse=True)
        pattern = re.compile("|".join([*longest, r"%\{[^}]*\}?", "%.?"]))
        for mark in pattern.findall(word):
            if mark not in values:
                remedy = f"write %% for a percent sign; {listed(mark, [*values, *self.own])}"
                raise fail(word, f"unknown substitution '{mark}'", remedy)
        return pattern.sub(lambda match: values[match[0]], word)
