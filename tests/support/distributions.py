"""Distributions with entry points, in a folder on the path, as if pip had installed them."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.lowering import soc
from htp_mlir.lowering.packages import loading
from htp_mlir.runtime.installed import environment, plugins, universe

CACHES: tuple[Callable[[], None], ...] = (
    universe.universe.cache_clear,
    environment.installed.cache_clear,
    loading.installed.cache_clear,
    soc.installed_socs.cache_clear,
    plugins.LEFT_OUT.clear,
)
"""What is remembered of the installed distributions."""


@dataclass(frozen=True)
class Distributions:
    """The folder that the distributions are written to."""

    folder: Path
    patch: pytest.MonkeyPatch

    def add(
        self,
        name: str,
        groups: Mapping[str, Mapping[str, str]],
        modules: Mapping[str, str] | None = None,
    ) -> None:
        """Install a distribution: entry points by group and name, and the text of modules."""
        info = self.folder / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [
            "\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in rows.items())])
            for group, rows in groups.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        for module, text in (modules or {}).items():
            (self.folder / f"{module}.py").write_text(text)
        self.forget()

    def forget(self) -> None:
        """Forget what was installed, and what was imported from there."""
        for clear in CACHES:
            clear()
        for path in self.folder.glob("*.py"):
            sys.modules.pop(path.stem, None)
