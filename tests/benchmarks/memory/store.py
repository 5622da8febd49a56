"""Results as lines of JSON, so that a run can be interrupted and gone on with."""

import json
from dataclasses import asdict
from pathlib import Path

from .figures import Figures


class Store:
    """Figures by key, in a file or for this run alone."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.figures = {line["key"]: Figures(**line) for line in map(json.loads, lines)}

    def add(self, figures: Figures) -> None:
        """Keep figures, in the file at once."""
        self.figures[figures.key] = figures
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(figures)) + "\n")
