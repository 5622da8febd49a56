"""A process that runs cases: a text of JSON on each line of its input, an outcome on each line.

Whatever the cases print goes to standard error. The process ends with its input. Its argument is
the time limit of a case in seconds: it ends itself at that, with the stack on standard error,
whatever the case is doing and whether its parent still lives.
"""

import faulthandler
import os
import sys


def serve(time_limit: float) -> None:
    """Answer every line of standard input on what standard output was; `time_limit` in seconds."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from .run import run_text

    for line in sys.stdin:
        faulthandler.dump_traceback_later(time_limit, exit=True)
        answer = run_text(line)
        faulthandler.cancel_dump_traceback_later()
        answers.write(f"{answer}\n")
        answers.flush()


if __name__ == "__main__":
    serve(float(sys.argv[1]))
