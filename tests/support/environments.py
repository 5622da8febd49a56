"""Virtual environments for tests: with the programs of this one, or with a wheel of ours alone."""

import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

_SCRIPT = """#!{python}
import sys
from {module} import {function}
sys.exit({function}())
"""


def beside(folder: Path, programs: Sequence[str]) -> Path:
    """Make an environment that has all that this one has; return its folder of programs.

    What is installed into it later is its own.
    """
    sites = [path for path in sys.path if Path(path).name == "site-packages"]
    binaries = _environment(folder, (f"import site; site.addsitedir({path!r})" for path in sites))
    for script in entry_points(group="console_scripts"):
        if script.name in programs:
            _write_script(binaries, script)
    return binaries


def clean(folder: Path, modules: Sequence[str]) -> Path:
    """Make an environment that has the distributions of these modules; return its programs.

    What this one has as editable is not there: files that add to the path are not read.
    """
    files = [import_module(name).__file__ or "" for name in modules]
    return _environment(folder, dict.fromkeys(str(Path(file).parents[1]) for file in files))


def _environment(folder: Path, lines: Iterable[str]) -> Path:
    """Make a virtual environment whose path is extended by the lines of a .pth file."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "others.pth").write_text("".join(f"{line}\n" for line in lines))
    return folder / "bin"


def _write_script(binaries: Path, script: EntryPoint) -> None:
    text = _SCRIPT.format(python=binaries / "python", module=script.module, function=script.attr)
    (binaries / script.name).write_text(text)
    (binaries / script.name).chmod(0o755)


def run(*words: str | Path, folder: Path, stdin: str = "") -> str:
    """Run a program in a folder; return what it prints. AssertionError where it fails."""
    done = subprocess.run(
        [*map(str, words)], cwd=folder, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}"
    return done.stdout
