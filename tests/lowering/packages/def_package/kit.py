"""Texts in a folder of the test: loaded, with what was passed over, and shown to a compiler."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from htp_mlir.lowering.packages.def_package import INCLUDES, CppPackage, Summary, header, load_cpp
from htp_mlir.lowering.rules.tree.expr import External


def load(
    folder: Path,
    text: str,
    *,
    name: str | None = "Pkg",
    externals: Sequence[External] = (),
    **headers: str,
) -> tuple[CppPackage, Summary]:
    """The package of one source file beside headers (`shorthands=...` is shorthands.h)."""
    for stem, macros in headers.items():
        (folder / f"{stem}.h").write_text(macros)
    path = folder / "package.cpp"
    path.write_text(text)
    return load_cpp(path, name=name, externals=externals)


def reasons(summary: Summary) -> list[str]:
    """What was passed over, without the folder: `package.cpp:3: why`."""
    return [f"{Path(f.where).name}: {f.problem}" for f in summary.skipped]


def complaints(folder: Path, *sources: Path) -> str:
    """What g++ says of source files, with `header()` for whatever they include; "" if nothing."""
    for name in INCLUDES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('#include "stand_in.h"\n')
    (folder / "stand_in.h").write_text(header())
    command = ["g++", "-std=c++17", "-fsyntax-only", "-I", str(folder), *map(str, sources)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr
