"""Writes the corpus of this version: `python -m tests.corpus`.

Files that are there stay; see `add`.
"""

from __future__ import annotations

import sys

from htp_mlir.dialects.diagnostics import HtpError

from .folders import add, folder
from .making import corpus

if __name__ == "__main__":
    try:
        new = add(corpus(), folder())
    except HtpError as error:
        sys.exit(str(error))
    print(f"{folder().name}: {len(new)} new files")
