"""`htp package show` and `migrate`, and their errors in two lines."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import load_package
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.tools import htp

from ..packages.migrate.by_hand import FAST

SCALE = Path(__file__).parents[1] / "packages" / "scale_package.py"
PYTHON = """
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, FROM_DEFAULT_PACKAGE, OK, Op, rule


class HeldOp(NativeOp):
    name = "Own.Held"

    x = tensor_def()


PLACE = rule(EARLY, Op("Held", "x"), OK, Op("Held", Op(FROM_DEFAULT_PACKAGE("flat_to_vtcm"), "x")))
PACKAGE = op_package("Own", ops=[HeldOp], rules=[PLACE])
"""


def test_show_lists_what_was_read_and_what_was_not(tmp_path: Path) -> None:
    path = tmp_path / "mixed.cpp"
    path.write_text(FAST + 'DEF_OPT(LATE, Op("X"), GONE("X"), "X")\n')
    status, out, err = htp.run(["package", "show", str(path)])
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == ["package ByHand", "ops                    2", "rules                  2"]
    assert "passed over            1" in lines
    assert any(line.startswith("passed over: ") and "mixed.cpp:" in line for line in lines)
    assert "ByHand.Twice.fast(in)" in lines
    assert any("twice<FloatCroutonTensor_TCM>" in line and "cost FAST" in line for line in lines)


def test_show_takes_folders_names_and_python(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text('#include "kernels.h"\nDEF_PACKAGE_OP(f, "One")\n')
    (tmp_path / "b.cpp").write_text('DEF_PACKAGE_OP(g, "Two")\n')
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "kernels.h").write_text("int f(Tensor &out, const Tensor &in);\n")
    package = [f"Both={tmp_path}", "-I", str(tmp_path / "include")]
    out = htp.run(["package", "show", *package]).out
    assert out.startswith("package Both\nops                    2\n")
    assert "f(out: Tensor, in: Tensor)" in out
    files = [str(tmp_path / "a.cpp"), str(tmp_path / "b.cpp")]
    assert "ops                    2" in htp.run(["package", "show", *files]).out
    assert htp.run(["package", "show", str(SCALE)]).out.startswith("package ScalePkg\nops ")


def test_migrate_prints_and_writes(tmp_path: Path) -> None:
    path, after = tmp_path / "by_hand.cpp", tmp_path / "after.cpp"
    path.write_text(FAST)
    status, out, err = htp.run(["package", "migrate", str(path), "-o", str(after)])
    assert (status, err) == (0, "")
    assert (
        'DEF_TENSOR_PROPERTIES(Op("Twice.fast", "in"), Crouton("*", "in"), Tcm("*", "in"))' in out
    )
    package, summary = load_cpp(after)
    assert (len(package.properties), len(package.rules), summary.skipped) == (2, 1, ())
    assert "no rule places" in htp.run(["package", "migrate", str(after)]).out


def test_migrate_tells_what_the_written_package_lacks(tmp_path: Path) -> None:
    path = tmp_path / "by_hand.cpp"
    path.write_text(FAST + 'DEF_OPT(LATE, Op("X"), GONE("X"), "X")\n')
    status, _, err = htp.run(["package", "migrate", str(path)])
    assert status == 0
    assert err.startswith("note: passed over: ")
    path.write_text(FAST + 'DEF_OPT(LATE, Op("X", "A"), LT(010, DIM_WIDTH("A")), "A")\n')
    status, _, err = htp.run(["package", "migrate", str(path)])
    assert status == 0
    assert err.startswith("note: ")
    assert "010 is octal and means 8" in err


def test_migrate_speaks_python_of_a_python_package(tmp_path: Path) -> None:
    path, after = tmp_path / "own.py", tmp_path / "after.cpp"
    path.write_text(PYTHON)
    status, out, _ = htp.run(["package", "migrate", str(path), "-o", str(after)])
    assert status == 0
    assert 'tensor_properties(Op("Held", "x"), Flat("*", "x"), Tcm("x"))' in out
    migrated = load_package(f"Own={after}")
    assert (migrated.name, len(migrated.properties), len(migrated.rules)) == ("Own", 1, 0)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "htp package: the following arguments are required: COMMAND"),
        (["show"], "htp package show: the following arguments are required"),
        (["show", "gone.cpp"], "gone.cpp: cannot be read"),
        (["show", "gone.py"], "gone.py: no such file"),
        (["show", "a.py", "b.py"], "htp package: 2 sources are no single package"),
        (["show", "A=a.cpp", "B=b.cpp"], "htp package: two names are given: A, B"),
        (["migrate", "gone.cpp", "-o", "x"], "gone.cpp: cannot be read"),
        (["new", "Mine"], "htp package new: names no op, pass or rule"),
        (["new", "Mine", "--pass", "a", "--cpp"], "--cpp: a pass is written in Python"),
        (["new", "Mine", "--rule", "A"], "rule 'A': this is no name"),
        (["new", "Mine", "--pass", "A"], "pass 'A': this is no name"),
        (["new", "Mine", "--pass", "a", "--pass", "a"], "pass 'a': is given twice"),
        (["new", "my passes", "--pass", "a"], "plugin 'my passes': this is no name"),
        (["new", "class", "--pass", "a"], "plugin 'class': this is no name"),
        (["draw", "x"], "htp package: argument COMMAND: invalid choice"),
    ],
)
def test_errors_are_two_lines(argv: list[str], message: str) -> None:
    status, out, err = htp.run(["package", *argv])
    assert (status, out, err.count("\n")) == (1, "", 2)
    assert err.startswith(message)
