"""Files as editors write them, and as people do: marks, line ends, directives by hand."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.testing.checks import filecheck
from htp_mlir.lowering.testing.runner import Suite, run_file, update_file
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import load_module

MARK, CHECKED = "\N{ZERO WIDTH NO-BREAK SPACE}", "// RUN: htp-opt %s -p cse | filecheck %s\n"
MODULE = (
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  func.return %x : tensor<2xf32>\n}\n"
)
SUITE = Suite()


def written(folder: Path, text: str) -> Path:
    path = folder / "test.mlir"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("begin", ["", MARK])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_and_line_ends_are_kept(begin: str, end: str, tmp_path: Path) -> None:
    text = f"{begin}{CHECKED}// CHECK: nosuch\n{MODULE}".replace("\n", end)
    path = written(tmp_path, text)
    assert update_file(path, SUITE, tmp_path)
    run_file(path, SUITE)
    new = path.read_bytes().decode()
    assert new.startswith(f"{begin}// RUN: htp-opt")
    assert new.count(end) == new.count("\n") > text.count("\n")


def test_the_tools_read_a_marked_file(tmp_path: Path) -> None:
    path = written(tmp_path, MARK + MODULE)
    assert htp_opt.run([str(path)]).out == htp_opt.run([], MODULE).out
    load_module(path).verify()


@pytest.mark.parametrize(
    "kind", ["-DAG", "-NOT", "-EMPTY", "-COUNT-2", "{LITERAL}", "-NEXT{LITERAL}"]
)
def test_what_is_written_by_hand_is_not_dropped(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{CHECKED}// CHECK: nosuch\n// CHECK{kind}: other\n{MODULE}")
    before = path.read_text()
    with pytest.raises(HtpError, match=r"^line 3: 'CHECK.*' is written by hand"):
        update_file(path, SUITE, tmp_path)
    assert path.read_text() == before


@pytest.mark.parametrize(("name", "remedy"), [("N", True), ("NUM", False)])
def test_a_number_wants_a_name_of_two_letters(name: str, remedy: bool, tmp_path: Path) -> None:
    path = written(tmp_path, f"// CHECK: size [[#{name}:]]\n// CHECK: again [[#{name}]]\n")
    done = filecheck([str(path)], "size 12\nagain 12\n")
    assert ("give it a longer name, as [[#NN:]]" in done.err) is remedy
    assert bool(done.status) is remedy
