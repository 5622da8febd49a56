"""A page whose commands are processes of this environment, pip's included.

`python -m tests.docs.installed_page PAGE FOLDER` runs the page's blocks in the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

from htp_mlir.lowering.testing.programs import Programs

from .code_blocks import run_page

PROGRAMS = ("filecheck", "htp-opt", "htp-package", "htp-run", "pip", "pytest", "xdsl-opt")

if __name__ == "__main__":
    page, folder = map(Path, sys.argv[1:])
    run_page(page, folder, Programs(targets={}, external=frozenset(PROGRAMS)))
