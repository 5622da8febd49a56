"""RUN lines in an editor: the programs that a project names in its ini file are there."""

from pathlib import Path

import pytest
from htp_mlir.lowering.lsp.answers import hover
from htp_mlir.lowering.lsp.run_lines import run_line_faults
from htp_mlir.lowering.testing.syntax import run_lines
from htp_mlir.runtime.installed.environment import environment

from .client import WholeText

TEXT = "// RUN: my-opt %s | other-tool\n"


def faults(folder: Path) -> list[str]:
    return [f"{each.problem}; {each.remedy}" for each in run_line_faults(TEXT, f"{folder}/a.mlir")]


@pytest.mark.parametrize("ini", ["", "[pytest]\nhtp_mlir_tools = my-opt\n"])
def test_a_program_that_nothing_names_is_a_fault(tmp_path: Path, ini: str) -> None:
    (tmp_path / "pytest.ini").write_text(ini, encoding="utf-8")
    first, second = faults(tmp_path)
    assert first.startswith("'my-opt' cannot be run in process; ")
    assert second.startswith("'other-tool' cannot be run in process; ")


def test_programs_of_the_ini_file_are_known(tmp_path: Path) -> None:
    lines = ("[pytest]", "htp_mlir_tools = my-opt = a.b:main", "htp_mlir_external = other-tool")
    (tmp_path / "pytest.ini").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "ir").mkdir()
    assert faults(tmp_path / "ir") == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pytest.ini", b"[pytest]\n\xff = 1\n"),
        ("pytest.ini", b"[pytest]\nminversion = x.y\n"),
        ("pytest.ini", b"[pytest]\naddopts = -p no_such_plugin\n"),
        ("pyproject.toml", b"tool = 1\n"),
        pytest.param("pyproject.toml", b"a = " + b"[" * 100_000, id="nested"),
    ],
)
def test_settings_that_pytest_cannot_read_are_as_none(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    first, second = faults(tmp_path)
    assert first.startswith("'my-opt' cannot be run in process; ")
    assert second.startswith("'other-tool' cannot be run in process; ")


def test_a_plugin_that_settings_name_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = -p stranger\n")
    (tmp_path / "stranger.py").write_text("import pathlib\npathlib.Path(__file__).unlink()\n")
    faults(tmp_path)
    assert (tmp_path / "stranger.py").exists()


def test_substitutions_of_the_ini_file_are_put_in(tmp_path: Path) -> None:
    lines = ("[pytest]", "htp_mlir_substitutions = %opt = htp-opt --allow-unregistered-dialect")
    (tmp_path / "pytest.ini").write_text("\n".join(lines), encoding="utf-8")
    path = f"{tmp_path}/a.mlir"
    assert run_line_faults("// RUN: %opt %s -p htp-lower\n", path) == []
    (fault,) = run_line_faults("// RUN: %opt %s -p htp-lowr\n", path)
    assert fault.problem == "unknown pass 'htp-lowr'"


def test_check_lines_have_several_faults_at_once(tmp_path: Path) -> None:
    text = "// RUN: htp-opt %s | filecheck %s\n// CHECK: [[A]]\n// CHECK: [[B]]\n// CHECK: {{(\n"
    first, second, third = run_line_faults(text, f"{tmp_path}/a.mlir")
    assert first.problem == "Variable A referenced before assignment"
    assert second.problem == "Variable B referenced before assignment"
    assert [each.place and each.place.line for each in (first, second, third)] == [2, 3, 4]


def test_a_rule_of_several_words_is_described_where_it_is_quoted() -> None:
    text = WholeText("a.mlir", environment([]).context())
    line = "// RUN: htp rules check --rule 'product with stored weights' --seed 1"
    text.update(line)
    (told,) = hover(text, 0, line.index("stored"))
    assert "product with stored weights (" in told
    assert hover(text, 0, line.index(" --seed")) == []


@pytest.mark.parametrize("end", ["\u2028", "\x0b", "\x85"])
@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("// RUN: htp-opt %s -p htp-lowr", 2),
        ("// RUN: htp-opt %s | filecheck %s\n// CHECK: a\n// CHEKC: a", 4),
        ("// RUN: htp-opt %s | filecheck %s\n// CHECK: a\n// OTHER-NEXT: a", 4),
    ],
)
def test_lines_end_where_the_parser_ends_them(end: str, line: str, at: int) -> None:
    (fault,) = run_line_faults(f"// a{end}// b\n{line}\n", "a.mlir")
    assert fault.where.startswith(f"a.mlir:{at}:")
    every = run_lines(f"// a{end}// b\n{line}\n")
    assert [each.line for each in every] == [2]
