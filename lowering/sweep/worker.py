"""A process that runs cases: a text of JSON on each line of its input, an outcome on each line.

Whatever the cases print goes to standard error. The process ends with its input.
"""

from __future__ import annotations

import os
import sys


def serve() -> None:
    """Answer every line of standard input on what standard output was."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from .run import run_text

    for line in sys.stdin:
        answers.write(f"{run_text(line)}\n")
        answers.flush()


if __name__ == "__main__":
    serve()
