"""`htp package new`: what it writes loads, lowers, runs, and is taken by a compiler."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError, fail
from htp_mlir.lowering.packages import load_package
from htp_mlir.lowering.packages.compiled.build import BuildOptions
from htp_mlir.lowering.packages.compiled.kernels import built
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.packages.skeleton import skeleton, write_skeleton
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run

OPS = ["--op", "Scale", "--op", "My.Op_two", "--op", "Not", "--op", "In"]


@pytest.mark.parametrize("kind", [[], ["--cpp"]], ids=["python", "cpp"])
def test_what_is_written_lowers_and_runs(kind: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "made"
    outcome = htp.run(["package", "new", "Mine", *OPS, *kind, "-o", str(folder)])
    assert (outcome.status, outcome.err) == (0, "")
    assert sorted(outcome.out.split()) == sorted(str(path) for path in folder.iterdir())
    package = f"--package={folder / 'package.py'}"
    lowered = tmp_path / "lowered.mlir"
    model = str(folder / "model.mlir")
    status, _, err = htp_opt.run([package, model, "-p", "htp-lower", "-o", str(lowered)])
    assert (status, err) == (0, "")
    assert lowered.read_text().count("Mine.Scale(") == 2
    again = htp_opt.run([package, str(lowered)])
    assert again.out == lowered.read_text()
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 64)).astype(np.float32)
    np.savez(tmp_path / "x.npz", x=x)
    files = ["-i", str(tmp_path / "x.npz"), "-o", str(tmp_path / "y.npz")]
    assert htp_run.run([package, str(lowered), "--check", *files]).status == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["y"], x)


def test_both_declare_the_same(tmp_path: Path) -> None:
    for name, text in skeleton("Mine", ["Scale"], in_cpp=False).items():
        (tmp_path / name).write_text(text)
    python = load_package(tmp_path / "package.py")
    for name, text in skeleton("Mine", ["Scale"], in_cpp=True).items():
        (tmp_path / name).write_text(text)
    package, summary = load_cpp(tmp_path / "package.cpp")
    assert summary.skipped == ()
    assert package.properties == python.properties
    (tiles,) = package.rules
    (same,) = python.rules
    assert (tiles.match, tiles.replacement) == (same.match, same.replacement)


@pytest.mark.needs("g++")
def test_a_compiler_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    ops = ["Scale", "My.Op_two", "Xor", "In"]
    path.write_text(skeleton("Mine", ops, in_cpp=True)["package.cpp"])
    package = built([path], BuildOptions())
    assert package.faults == ()
    assert {kernel.op for kernel in package.kernels.values() if kernel.has_body} == {*ops}


def test_a_full_disk_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise fail("package.py", "No space left on device", "make room")

    monkeypatch.setattr("htp_mlir.lowering.packages.skeleton.write_files", full)
    with pytest.raises(HtpError, match="No space left"):
        write_skeleton(tmp_path / "Mine", skeleton("Mine", ["Op"], in_cpp=False))
    assert not [*tmp_path.iterdir()]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text("mine")
    status, out, err = htp.run(["package", "new", "Mine", "--op", "Scale", "-o", str(tmp_path)])
    assert (status, out) == (1, "")
    assert err == f"{tmp_path / 'model.mlir'}: exists already\n  name another folder with -o\n"
    assert [path.name for path in tmp_path.iterdir()] == ["model.mlir"]
    status, _, err = htp.run(
        ["package", "new", "M", "--op", "A", "-o", str(tmp_path / "model.mlir")]
    )
    assert (status, err.count("\n")) == (1, 2)


@pytest.mark.parametrize(
    ("name", "ops", "message"),
    [
        ("my-package", ["A"], "package 'my-package': this is no name for it"),
        ("htp", ["A"], "package 'htp': this is no name for it"),
        ("q", ["A"], "package q: rules call the package htp by this name"),
        ("func", ["A"], "package func: a dialect has this name"),
        ("P", ["_1"], "op '_1': this is no name"),
        ("P", ["A b"], "op 'A b': this is no name"),
        ("P", ["A."], "op 'A.': this is no name"),
        ("P", ["A.b", "A_B"], "op 'A.b': is given twice, or another is spelled alike"),
    ],
)
def test_names_that_are_none(name: str, ops: list[str], message: str) -> None:
    with pytest.raises(HtpError, match=message):
        skeleton(name, ops, in_cpp=False)
