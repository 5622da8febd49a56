"""A page whose commands are processes of this environment, pip's included.

Its pip asks no index: it builds with what is installed here.

`python -m tests.docs.installed_page PAGE FOLDER` runs the page's blocks in the folder.
"""

import os
import sys
from pathlib import Path

from htp_mlir.lowering.testing.programs import Programs

from .code_blocks import run_page

PROGRAMS = ("filecheck", "htp", "htp-opt", "htp-run", "pip", "pytest", "xdsl-opt")

OFFLINE = {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1"}
"""Settings of pip; 0 is what it takes for no isolation."""

if __name__ == "__main__":
    os.environ.update(OFFLINE)
    page, folder = map(Path, sys.argv[1:])
    run_page(page, folder, Programs(targets={}, external=frozenset(PROGRAMS)))
