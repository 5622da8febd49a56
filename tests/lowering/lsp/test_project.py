"""Packages that a project names for editors."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.lsp.project import packages_of_project

from ...support.paths import ROOT
from .client import Client

T = "tensor<1x8x8x4xf32>"
TEXT = f"""func.func @main(%x: {T}) -> {T} {{
  %y = ScalePkg.Passed(%x) : ({T}) -> {T}
  func.return %y : {T}
}}
"""


def project(folder: Path, text: str) -> Path:
    """Write a project file and return a folder inside of the project."""
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    inner = folder / "ir"
    inner.mkdir()
    return inner


def test_paths_count_from_the_project_and_modules_stay(tmp_path: Path) -> None:
    inner = project(tmp_path, '[tool.htp-mlir]\npackages = ["a.py", "One=a.py", "my.package"]\n')
    (tmp_path / "a.py").touch()
    path = tmp_path / "a.py"
    assert packages_of_project(inner) == [str(path), f"One={path}", "my.package"]


@pytest.mark.parametrize("text", ["", "[tool.other]\npackages = 1\n", "tool = 1\n"])
def test_a_project_may_name_none(tmp_path: Path, text: str) -> None:
    assert packages_of_project(project(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[tool", "Expected ']' at the end of a table declaration (at end of document)"),
        ("[tool.htp-mlir]\npackages = 'a.py'\n", "packages is not a list"),
        pytest.param(f"a = {'[' * 100_000}", "maximum recursion depth exceeded", id="nested"),
    ],
)
def test_a_wrong_project_file_is_two_lines(tmp_path: Path, text: str, told: str) -> None:
    inner = project(tmp_path, text)
    with pytest.raises(HtpError) as error:
        packages_of_project(inner)
    first, _ = error.value.lines()
    assert first == f"{tmp_path / 'pyproject.toml'}: {told}"


def test_a_folder_that_is_too_long_for_a_path_is_two_lines() -> None:
    with pytest.raises(HtpError, match="File name too long") as error:
        packages_of_project(Path("/a" * 3000))
    assert len(error.value.lines()) == 2


def test_what_is_too_long_for_a_path_is_left_as_it_is(tmp_path: Path) -> None:
    inner = project(tmp_path, f"[tool.htp-mlir]\npackages = ['{'a' * 5000}']\n")
    assert packages_of_project(inner) == ["a" * 5000]


@pytest.mark.slow
@pytest.mark.needs("pygls")
def test_the_server_knows_the_ops_of_a_projects_package(tmp_path: Path) -> None:
    package = (ROOT / "tests/lowering/packages/scale_package.py").read_text(encoding="utf-8")
    (tmp_path / "scale.py").write_text(f"{package}\nprint('loaded')\n", encoding="utf-8")
    inner = project(tmp_path, '[tool.htp-mlir]\npackages = ["scale.py"]\n')
    with Client(inner / "model.mlir") as client:
        assert client.open(TEXT) == []
    project_file = tmp_path / "pyproject.toml"
    project_file.write_text("[tool.htp-mlir]\npackages = ['none.py']\n", encoding="utf-8")
    with Client(inner / "model.mlir") as client:
        (fault,) = client.open(TEXT)
        assert "Operation ScalePkg.Passed is not registered" in fault["message"]
        assert "none.py" in client.shown()
