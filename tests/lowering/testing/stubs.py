"""Programs for RUN lines: each reads the arguments and the streams of the process."""

import sys
from pathlib import Path

from htp_mlir.lowering.testing.programs import Programs
from htp_mlir.lowering.testing.runner import Suite


def cat() -> None:
    """Print files, or the input, without comments."""
    names = sys.argv[1:]
    text = "".join(Path(name).read_text() for name in names) if names else sys.stdin.read()
    sys.stdout.writelines(line for line in text.splitlines(True) if "//" not in line)


def fault() -> int:
    """Print half, then fail."""
    print("half")
    print("boom", file=sys.stderr)
    return 1


def crash() -> None:
    """Raise an exception."""
    raise ValueError("out of range")


def leave() -> None:
    """End with a message, as scripts do."""
    sys.exit("no such thing")


def alternate() -> None:
    """Print to one stream and the other in turns."""
    for word in ("one", "two"):
        print(word, file=sys.stderr)
        print(word.upper())


class Driver:
    """A program as a class, like a subclass of xDSLOptMain."""

    def __init__(self) -> None:
        self.words = sys.argv

    def run(self) -> None:
        """Print the arguments."""
        print(*self.words)


NAMES = ("cat", "fault", "crash", "leave", "alternate", "Driver")
SUITE = Suite(
    Programs({name.lower(): f"{__name__}:{name}" for name in NAMES}, frozenset(["sed", "absent"])),
    frozenset(["here"]),
    {"%opt": "cat %s", "%two": "cat %s | cat"},
)
