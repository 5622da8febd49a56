"""Ops that a comment of the C++ text declares: read, used, and written back equal."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import tensor_def
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.lowering.packages.def_package.declared import op_comment, read_op
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import Tensor

from ..def_package.kit import load, reasons

SHRINK = """
GraphStatus shrink(Tensor &out, const Tensor &in, const Tensor &amount);
// @op Shrink(in: float, amount: param[1]=0.5) -> in
DEF_PACKAGE_OP(shrink, "Shrink")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Shrink", "X", "A"), EQ(CONSTVAL_FLOAT("A", 0), 0.0f), "X")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Shrink", "X", "A"), GT(DIM_DEPTH("*"), 4),
    AUTOSPLIT(3, "I", 4, Op("Shrink", "X", "A")))
"""
LINES = [
    "// @op Mix(a, b: like a, [bias: f32], share: param=0.5) -> a",
    '// @op Split(in, rest..., sizes: param[3]={1, 2, 3}, mode: param="a, b") -> in; in as f32',
    "// @op Slide(act, weights: real, stride: plane, size: shape, last: param=true)"
    " -> act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d] as htp_float",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_written_as_it_was_read(line: str) -> None:
    assert op_comment(read_op(line.removeprefix("// @op "))) == line


def test_a_comment_in_a_block_is_one_declaration(tmp_path: Path) -> None:
    text = """/** @op Mix(a,
 *      [b]) -> a */
// @op Mix( a, [ b ] ) -> a
/* @op Gain(a)
 * -> a
 */
/* no @op here */ // @opera Mix
"""
    read, summary = load(tmp_path, text)
    assert summary.skipped == ()
    lines = ["// @op Mix(a, [b]) -> a", "// @op Gain(a) -> a"]
    assert [op_comment(each) for each in read.declarations] == lines
    assert read.ops == ("Mix", "Gain")


def test_the_check_uses_it(tmp_path: Path) -> None:
    """The split, which slices nothing, breaks the shape that is declared."""
    bodies = Bodies()

    @bodies.body("Shrink")
    def shrink(out: Tensor, act: Tensor, amount: Tensor) -> None:
        x = act.load()
        out.store(np.sign(x) * np.maximum(np.abs(x) - amount.load(), 0))

    read, _ = load(tmp_path, SHRINK)
    packages = Packages().extended(from_cpp(read, bodies))
    good, bad = (
        check_rule(rule, cases=10, rule_set=packages.rules, library=packages.library)
        for rule in packages.members[-1].rules
    )
    assert good.passed
    assert not good.guessed
    assert bad.counterexample is not None


def test_it_is_written_back_equal(tmp_path: Path) -> None:
    read, _ = load(tmp_path, "\n".join([SHRINK, *LINES]))
    path = tmp_path / "again.cpp"
    path.write_text(write_cpp(read))
    again, summary = load_cpp(path, name="Pkg")
    assert (again, summary.skipped) == (read, ())
    assert len(again.declarations) == 4


@pytest.mark.parametrize(
    ("text", "why"),
    {
        "Mix a, b -> a": "@op: 'Mix a, b -> a' declares no op",
        "Mix(a, b)": "@op: 'Mix(a, b)' declares no op",
        "Mix(a-b) -> a": "op Mix: 'a-b' is no operand",
        "Mix(a, a) -> a": "op Mix: has two operands 'a'",
        "Mix(a: flat) -> a": "op Mix: 'flat' is no kind of operand or result",
        "Mix(a) -> a as big": "op Mix: 'big' is no kind of operand or result",
        "Mix(a: param=x) -> a": "op Mix: 'x' is no value of a param",
        "Mix(a: like c) -> a": "op Mix: has no operand 'c' for 'a' to be like",
        "Mix(a: like a) -> a": "op Mix: has 'a' like itself",
        "Mix(c: like a, a: like b, b: like a) -> a": "op Mix: has 'a' like itself",
        "Mix(a: like s, s: shape) -> a": "op Mix: has 'a' like 's', and a shape has no dtype",
        "Mix(a) -> c": "op Mix: has no operand 'c' for a result",
        "Mix(a) -> a[b, h, w]": "op Mix: reads 'a' by 3 indices",
        "Mix(a) -> a[b, h, w+i, d]": "op Mix: does not say how far 'i' runs",
        "Mix(a) -> a[b, h*s.1, w, d]": "op Mix: has no operand 's' for a number",
        "Mix(a, s: shape) -> a[b, h*s.4, w, d]": "op Mix: has no s.4 for a result",
        "Mix(a, k: param) -> a[b, h/k.0, w, d]": "op Mix: has no k.0 for a result",
        "Mix(a, k: param) -> a[b, h, w, d] * k[0, 0, 0, q]": "op Mix: has no k.3 for a result",
        "Mix(a: param=NaN) -> a": "op Mix: 'NaN' is no value of a param",
        "Mix(a) -> a[b, h,": "result 'a[b, h,': access map: 'a[b, h,' begins no operand",
    }.items(),
)
def test_a_line_that_declares_nothing_is_passed_over(text: str, why: str, tmp_path: Path) -> None:
    read, summary = load(tmp_path, f"\n// @op {text}")
    assert reasons(summary) == [f"package.cpp:2: {why}"]
    assert read.declarations == ()


def test_two_declarations_of_one_op_are_an_error(tmp_path: Path) -> None:
    _, summary = load(tmp_path, "// @op Mix(a) -> a\n// @op Mix(a, b) -> a\n")
    assert reasons(summary) == ["package.cpp:2: op Mix is declared twice"]
    bodies = Bodies()
    bodies.op("Shrink", "in", in_=tensor_def())
    with pytest.raises(HtpError, match="is declared in its C\\+\\+ text and in Python"):
        from_cpp(load(tmp_path, SHRINK)[0], bodies)


def test_an_op_of_several_outputs_in_a_rule_alone(tmp_path: Path) -> None:
    """Only OpMultiOut tells of it; its body makes it an op that can be run."""
    text = """
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Add"), "X", "X"), IS_FLOAT32("X"),
    Op(FROM_DEFAULT_PACKAGE("Add"), OpMultiOut(2, 0, "Twins", "X"), OpMultiOut(2, 1, "Twins", "X")))
"""
    bodies = Bodies()

    @bodies.body("Twins")
    def twins(first: Tensor, second: Tensor, act: Tensor) -> None:
        first.store(act.load())
        second.store(act.load())

    package = from_cpp(load(tmp_path, text)[0], bodies)
    assert package.ops[0].RESULTS == 2
    packages = Packages().extended(package)
    assert packages.unknown_ops(package) == []
    (rule,) = package.rules
    assert check_rule(rule, cases=5, rule_set=packages.rules, library=packages.library).passed
