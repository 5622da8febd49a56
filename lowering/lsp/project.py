"""The op packages that a project names for editors, in its `pyproject.toml`."""

import tomllib
from contextlib import suppress
from pathlib import Path

from ...dialects.diagnostics import fail, one_line


def packages_of_project(folder: Path) -> list[str]:
    """Return what `packages` of `[tool.htp-mlir]` lists in the nearest `pyproject.toml`.

    Each is written as for `--package`, and a path counts from the project's folder. HtpError where
    the file cannot be read.
    """
    above = (each / "pyproject.toml" for each in (folder, *folder.parents))
    path = folder
    try:
        path = next((each for each in above if each.is_file()), Path())
        read = tomllib.loads(path.read_text(encoding="utf-8")) if path.name else {}
    except (OSError, ValueError, RecursionError) as error:
        raise fail(str(path), one_line(str(error)), "correct the file") from error
    match read:
        case {"tool": {"htp-mlir": {"packages": [*packages]}}}:
            return [_in_full(path.parent, str(each)) for each in packages]
        case {"tool": {"htp-mlir": {"packages": _}}}:
            raise fail(str(path), "packages is not a list", 'write packages = ["kernels.py"]')
    return []


def _in_full(folder: Path, source: str) -> str:
    """Write the path of a package in full; what is not one is the name of a module."""
    name, equals, place = source.rpartition("=")
    with suppress(OSError):  # no path may be that long
        if (folder / place).exists():
            return f"{name}{equals}{folder / place}"
    return source
