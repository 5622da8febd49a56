"""The spelling of paths in messages."""

from __future__ import annotations

import os
from pathlib import Path


def shown_path(path: Path | str) -> str:
    """Return a path as messages show it: relative below the current folder, else unchanged.

    It is asked when the message is made, since a program may go to another folder.
    """
    return str(path).removeprefix(os.path.join(os.getcwd(), ""))
