"""`--package [NAME=]FILE|DIR|MODULE` and `-I`: which package a source gives, and its name."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages import load_package, load_packages
from htp_mlir.lowering.packages.loading import MAX_NOTES
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run

MODEL = """
func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Neg(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %2 : tensor<1x1x1x4xf32>
}
"""
DROP = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Neg"), "X"), OK, {})\n'
TWO = """
from htp_mlir.lowering.packages import op_package

FIRST = op_package("First")
PACKAGE = SECOND = op_package("Second")
"""


def names(*sources: str, include: tuple[str, ...] = ()) -> list[str]:
    return [package.name for package in load_packages(*sources, include=include)][1:]


def test_a_name_renames_cpp_and_selects_among_python(tmp_path: Path) -> None:
    cpp, python = tmp_path / "mine.cpp", tmp_path / "two.py"
    cpp.write_text(DROP.format('"X"'))
    python.write_text(TWO)
    assert names(str(cpp), f"Ours={cpp}") == ["mine", "Ours"]
    assert names(str(python), f"First={python}") == ["Second", "First"]
    with pytest.raises(HtpError, match="holds no package named Third\n  it holds First, Second"):
        load_package(f"Third={python}")


@pytest.mark.parametrize("source", ["", "Name="])
def test_an_empty_source_is_refused(source: str) -> None:
    with pytest.raises(HtpError, match=f"package '{source}': names no source"):
        load_packages(source)


def test_no_source_is_written_over(tmp_path: Path) -> None:
    source, folder = tmp_path / "a.cpp", tmp_path / "b"
    folder.mkdir()
    (folder / "b.cpp").write_text(DROP.format('"X"'))
    source.write_text(DROP.format('"X"'))
    before = source.read_text()
    for package, output in [(source, source), (f"P={source}", source), (folder, folder / "b.cpp")]:
        wanted = ["--package", str(package), "-t", "cpp-package", "-o", str(output)]
        migrated = ["package", "migrate", str(package), "-o", str(output)]
        for outcome in (htp_opt.run(wanted), htp.run(migrated)):
            assert (outcome.status, outcome.err.count("\n")) == (1, 2)
            assert "kernels would lose their bodies" in outcome.err
    assert source.read_text() == (folder / "b.cpp").read_text() == before


def test_sources_of_one_name_are_one_package(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.cpp").write_text(DROP.format('"X"'))
    loaded = load_packages(f"P={tmp_path / 'b.cpp'}", f"P={tmp_path / 'a.cpp'}")
    (_, package) = loaded
    assert [Path(rule.where).name for rule in package.rules] == ["b.cpp:1", "a.cpp:1"]
    assert len(load_package(tmp_path).rules) == 2
    (tmp_path / "P.cpp").write_text(DROP.format('"X"'))
    with pytest.raises(HtpError, match="two packages have this name"):
        load_packages(f"P={tmp_path / 'b.cpp'}", tmp_path / "P.cpp")


@pytest.mark.parametrize("tool", [htp_opt.run, htp_run.run], ids=["htp-opt", "htp-run"])
def test_both_tools_take_include_folders(tool: object, tmp_path: Path) -> None:
    assert callable(tool)
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "drop.h").write_text('#define BYPASS "X"\n')
    (tmp_path / "mine.cpp").write_text('#include "drop.h"\n' + DROP.format("BYPASS"))
    flags = ["--package", f"Mine={tmp_path / 'mine.cpp'}"]
    without = tool([*flags, "-p", "htp-rules"], MODEL)
    assert "'BYPASS' is not known" in without.err
    assert without.err.endswith("note: not found: drop.h\n")
    status, _, err = tool([*flags, "-I", str(tmp_path / "headers"), "-p", "htp-rules"], MODEL)
    assert (status, err) == (0, "")
    status, out, err = tool([*flags, "-I", str(tmp_path / "gone")], MODEL)
    assert (status, out, err.count("\n")) == (1, "", 2)
    assert "gone: is no folder for included files" in err


def test_notes_are_few(tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(DROP.format("GONE") * 20)
    status, _, err = htp_opt.run(["--package", str(tmp_path / "mine.cpp")], MODEL)
    assert status == 0
    assert len(err.splitlines()) == MAX_NOTES + 1
    assert err.endswith("note: passed over: 12 more; htp package show lists them\n")


BAD = {
    "bytes": (bytes(range(256)) * 40_000, "is larger than"),
    "control": (b"int a;\x01", "holds the control character"),
    "missing": (None, "cannot be read"),
    "long": (b"(" * 300_000, "is a line of more than"),
}
LISTED = {
    "truncated": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("A',
    "unbalanced": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"',
    "unknown function": 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), IS_ODD("X"), "X")',
    "macro of itself": "#define LOOP DEF_OPT(LOOP, LOOP)\nLOOP",
    "missing include": '#include "gone.h"\nDEF_OPT(GONE)',
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD.keys())
def test_what_is_no_source_is_two_lines(data: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.cpp"
    if data is not None:
        path.write_bytes(data)
    status, out, err = htp_opt.run(["--package", str(path)], MODEL)
    assert (status, out, err.count("\n")) == (1, "", 2)
    assert message in err


@pytest.mark.parametrize("text", LISTED.values(), ids=LISTED.keys())
def test_what_is_not_understood_is_listed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.cpp"
    path.write_text(text)
    status, out, err = htp_opt.run(["--package", str(path)], MODEL)
    assert status == 0
    assert "htp.Neg" in out
    assert err.startswith(f"note: passed over: {path}:")
    assert len(err.splitlines()) <= 2
