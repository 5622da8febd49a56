"""The device's kit among the folders of included files, of whose headers only the macros count.

The words of the rule language are known without it, so its many classes need not be read.

Sources may name ops and params without the header that has them. A macro is the name of an op in
capitals, with underscores between its words: QNN_OP_CONV_2D is "Conv2d", and
QNN_OP_CONV_2D_PARAM_PAD_AMOUNT "pad_amount".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ....dialects.diagnostics import HtpError
from .text import read_text

_MARKS = ("QnnOpPackage.h", "HTP/core")
"""The files and folders of which a folder of the kit has one."""
_PREFIXES = ("HTP/", "QNN/", "Qnn", "HAP_", "hexagon_", "hvx_", "qurt", "AEE", "remote.", "qh")
_C_HEADERS = frozenset(
    f"{stem}.h"
    for stem in (
        *("assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "limits", "math"),
        *("setjmp", "signal", "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string"),
        *("time", "wchar"),
        *("dlfcn", "fcntl", "malloc", "pthread", "sched", "semaphore", "strings", "unistd"),
    )
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.|\\\n)*", re.MULTILINE)


def is_kit_header(name: str, *, language: bool = True) -> bool:
    """Tell by its name whether a header is of the kit or, if asked, of the standard library."""
    return name.startswith(_PREFIXES) or (language and ("." not in name or name in _C_HEADERS))


@dataclass(frozen=True)
class Kit:
    """The folders of the kit, and the directives of those of its files that were read."""

    folders: tuple[Path, ...] = ()
    texts: dict[Path, str] = field(default_factory=dict[Path, str])

    @classmethod
    def among(cls, folders: Iterable[Path], own: Iterable[Path]) -> Kit:
        """Return the kit among folders; those that hold sources of the package are not the kit's.

        Both are resolved paths.
        """
        sources = tuple(own)
        return cls(
            tuple(
                folder
                for folder in folders
                if any((folder / mark).exists() for mark in _MARKS)
                and not any(source.is_relative_to(folder) for source in sources)
            )
        )

    def holds(self, path: Path) -> bool:
        """Tell whether a resolved path is of the kit."""
        return any(path.is_relative_to(folder) for folder in self.folders)

    def directives(self, path: Path) -> str:
        """Return the preprocessor's lines of a file; none where it cannot be read."""
        if path not in self.texts:
            try:
                text = read_text(path).text
            except HtpError:
                text = ""
            self.texts[path] = "".join(f"{line[0]}\n" for line in _DIRECTIVE.finditer(text))
        return self.texts[path]


_MACRO = re.compile(r"\bQNN_OP_(\w+?)(?:_PARAM_(\w+))?\b")


def qnn_names(text: str) -> dict[str, str]:
    """Return the names that macros in a text mean; one of an op that is not known is left out."""
    known = _ops()
    named: dict[str, str] = {}
    for match in _MACRO.finditer(text):
        op = known.get(match[1].replace("_", "").lower())
        if name := (match[2].lower() if match[2] else op):
            named[match[0]] = name
    return named


@cache
def _ops() -> dict[str, str]:
    from ....dialects.htp.named import QNN_NAMES
    from ....dialects.qti_aisw import GRAPH_OPS

    return {name.lower(): name for name in (*QNN_NAMES, *GRAPH_OPS)}
