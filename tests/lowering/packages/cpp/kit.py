"""Loading texts from a folder of the test, and comparing what comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from htp_mlir.lowering.packages.cpp import CppPackage, Summary, load_cpp
from htp_mlir.lowering.rules.expr import External


def load(
    folder: Path,
    text: str,
    *,
    name: str | None = "Pkg",
    externals: Sequence[External] = (),
    **headers: str,
) -> tuple[CppPackage, Summary]:
    """The package of one source file beside headers (`shorthands=...` is shorthands.h)."""
    for stem, held in headers.items():
        (folder / f"{stem}.h").write_text(held)
    path = folder / "package.cpp"
    path.write_text(text)
    return load_cpp(path, name=name, externals=externals)


def reasons(summary: Summary) -> list[str]:
    """What was passed over, without the folder: `package.cpp:3: why`."""
    return [f"{Path(f.where).name}: {f.found}" for f in summary.skipped]
