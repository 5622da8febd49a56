"""Writes the imports by which `dialects/htp/__init__.py` exports the class of every native op.

Run it where an op is new: `python docs/generate_exports.py`. A test compares the module with what
it would write. Imports of other names, such as base classes, stay as they are.
"""

import re
from pathlib import Path

from htp_mlir.dialects.htp import HTP

MODULE = Path(__file__).parents[1] / "dialects" / "htp" / "__init__.py"
_EXPORT = re.compile(r"from \.ops\.\w+ import (\w+) as \1\n")


def with_exports(text: str) -> str:
    """Return the module's text with an import of each op, in the order that ruff wants."""
    exports = list(_EXPORT.finditer(text))
    ops = {
        f"from .ops.{op.__module__.rpartition('.')[2]} import {op.__name__} as {op.__name__}\n"
        for op in HTP.operations
    }
    lines = sorted({export[0] for export in exports} | ops, key=_order)
    return text[: exports[0].start()] + "".join(lines) + text[exports[-1].end() :]


def _order(line: str) -> tuple[str, bool, str]:
    """By module; classes first."""
    _, module, _, name, *_ = line.split()
    return module, name[0].islower(), name.lower()


if __name__ == "__main__":
    MODULE.write_text(with_exports(MODULE.read_text(encoding="utf-8")), encoding="utf-8")
