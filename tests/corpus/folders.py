"""The folders of the corpus, one for each version, and the files in them."""

from collections.abc import Mapping
from pathlib import Path

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


def add(texts: Mapping[str, bytes], into: Path) -> tuple[list[str], list[str]]:
    """Write the files that a folder lacks; return their names, and those that say something else.

    What a version wrote stays as it is. Remove a file first to have it written anew.
    """
    into.mkdir(exist_ok=True)
    new = [name for name in texts if not (into / name).exists()]
    for name in new:
        (into / name).write_bytes(texts[name])
    return new, [name for name, data in texts.items() if (into / name).read_bytes() != data]
