"""The folders of the corpus, one for each version, and the files in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from htp_mlir.dialects.diagnostics import fail
from htp_mlir.dialects.version import VERSION

HERE = Path(__file__).parent
SEPARATOR = "// -----\n"
"""The line between the pretty and the generic form of a file."""


def folder(version: str = VERSION) -> Path:
    """Return the folder of a version, by its first two numbers."""
    return HERE / f"v{'.'.join(version.split('.')[:2])}"


def folders() -> list[Path]:
    """List the folders of all versions."""
    return sorted(HERE.glob("v*.*"))


def add(texts: Mapping[str, bytes], into: Path) -> list[str]:
    """Write the files that a folder lacks; return their names.

    HtpError, and nothing written, where a file is there and says something else: what a version
    wrote stays as it is.
    """
    for name, data in texts.items():
        path = into / name
        if path.exists() and path.read_bytes() != data:
            problem = "is there already and says something else"
            remedy = "of a version that is released it stays; before that, remove it first"
            raise fail(str(path), problem, remedy)
    new = [name for name in texts if not (into / name).exists()]
    into.mkdir(exist_ok=True)
    for name in new:
        (into / name).write_bytes(texts[name])
    return new
