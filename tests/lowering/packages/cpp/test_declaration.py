"""An op of a C++ package: declared once, or inferred from kernels, param orders and rules."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import (
    NativeOp,
    param_def,
    shape_def,
    tensor_def,
)
from htp_mlir.dialects.value.dtypes import Kind
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import import_model, lower
from htp_mlir.lowering.packages import (
    Bodies,
    Packages,
    from_cpp,
    optional,
    result,
)
from htp_mlir.lowering.rules.lint import lint
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import Session, Tensor
from onnx.parser import parse_model

from ..def_package.kit import load

KERNELS = """
GraphStatus mix(Tensor &out, const Tensor &a, const Tensor &b, const Tensor &share);
GraphStatus mixAll(Tensor &out, const Tensor &a, const Tensor &b, const Tensor &bias,
                   const Tensor &share);
DEF_PACKAGE_OP(mix, "Mix")
DEF_PACKAGE_OP(mixAll, "Mix")
static Qnn_Scalar_t sg_half = {.dataType = QNN_DATATYPE_FLOAT_32, .floatValue = 0.25f};
static Qnn_Param_t sg_share = {.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_half};
DEF_PACKAGE_PARAM_ORDER("Mix", "share", false, &sg_share)
"""
SHAPED = """
template <typename T> GraphStatus cut(T &out, const T &in, const TensorShape<4> &size);
DEF_PACKAGE_OP(cut<PlainFloatTensor>, "Cut")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Chain", "X"), OK,
                         Op("Chain.step", "X", gen_ConstScalar_i32(3), gen_Shape(1, 1, 1, 1)))
"""


def op_of(folder: Path, text: str, name: str, bodies: Bodies | None = None) -> type[NativeOp]:
    read, summary = load(folder, text)
    assert summary.skipped == ()
    return Packages().extended(from_cpp(read, bodies)).ops[f"Pkg.{name}"]


def test_kernels_and_the_param_order_tell_of_an_op(tmp_path: Path) -> None:
    op = op_of(tmp_path, KERNELS, "Mix")
    assert op.OPERANDS == ("a", "b", "bias", "share")
    assert (op.PARAMS, op.OPTIONAL, op.takes()) == (("share",), ("bias",), "3 to 4")
    assert op.names_of(3) == ("a", "b", "share")
    assert (op.names_of(2), op.names_of(5)) == (None, None)
    assert op.TO_DECLARE == "// @op Mix(a, b, [bias], share: param=0.25) -> a"
    assert op_of(tmp_path, KERNELS, "Mix", Bodies()).TO_DECLARE == (
        "from htp_mlir.dialects.htp import param_def, tensor_def\n"
        "from htp_mlir.lowering.packages import optional\n"
        '@bodies.op("Mix", "a", a=tensor_def(), b=tensor_def(), bias=optional(tensor_def()), '
        "share=param_def(usual=0.25))"
    )


def test_kernels_and_rules_tell_shapes_and_params(tmp_path: Path) -> None:
    assert op_of(tmp_path, SHAPED, "Cut").SHAPES == ("size",)
    step = op_of(tmp_path, SHAPED, "Chain.step")
    assert (step.OPERANDS[-1], step.takes()) == ("operands...", "3 or more")
    assert (step.PARAMS, step.SHAPES) == (("operand1", "operand2"), ("operand2",))


def declared() -> Bodies:
    bodies = Bodies()

    @bodies.op(
        "Mix",
        "a[b, h, w, d], bias[0, 0, 0, d]",
        a=tensor_def(Kind.FLOAT),
        b=tensor_def(like="a"),
        bias=optional(tensor_def()),
        share=param_def(1),
    )
    def mix(out: Tensor, a: Tensor, b: Tensor, *rest: Tensor) -> None:
        *bias, share = rest
        out.store(a.load() + share.load() * b.load() + sum(each.load() for each in bias))

    return bodies


def test_a_declared_op_is_imported_lowered_and_run(tmp_path: Path) -> None:
    read, _ = load(tmp_path, KERNELS)
    packages = Packages().extended(from_cpp(read, declared()))
    model = parse_model("""
<ir_version: 8, opset_import: ["" : 21, "Pkg" : 1]>
g (float[1,2,2,4] x, float[1,1,1,4] c) => (float[1,2,2,4] y) {
  a = Pkg.Mix(x, x, c)
  b = Pkg.Mix<share = 0.5>(a, x)
  y = Relu(b)
}""")
    lowered = lower(import_model(model, packages=packages), packages=packages)
    x = np.arange(16, dtype=np.float32).reshape(1, 2, 2, 4)
    c = np.ones((1, 1, 1, 4), np.float32)
    result = Session(lowered, library=packages.library).run({"x": x, "c": c})["y"]
    np.testing.assert_array_equal(result, 1.75 * x + 1)


@pytest.mark.parametrize(
    ("node", "why"),
    [
        ("Pkg.Mix(x)", r"has 1 inputs, Pkg.Mix takes 2 to 3 \(a, b, bias\)"),
        ("Pkg.Mix(x, x, x)", "operand 'a' gives 4|operand 'bias' has extent 2 in dim 1"),
    ],
)
def test_inputs_that_it_does_not_take_are_refused(node: str, why: str, tmp_path: Path) -> None:
    read, _ = load(tmp_path, KERNELS)
    packages = Packages().extended(from_cpp(read, declared()))
    text = f"""<ir_version: 8, opset_import: ["" : 21, "Pkg" : 1]>
g (float[1,2,2,4] x) => (float[1,2,2,4] y) {{ y = {node} }}"""
    with pytest.raises(HtpError, match=why):
        import_model(parse_model(text), packages=packages)


def test_an_undeclared_op_without_a_shape_names_the_line_to_add(tmp_path: Path) -> None:
    read, _ = load(tmp_path, KERNELS)
    packages = Packages().extended(from_cpp(read, Bodies()))
    text = """<ir_version: 8, opset_import: ["" : 21, "Pkg" : 1]>
g (float[1,2,2,4] x) => (float[1,2,2,4] y) { a = Pkg.Mix(x, x) y = Relu(a) }"""
    with pytest.raises(HtpError, match=r'declare it:\n(.*\n){2}  @bodies.op\("Mix", "a"'):
        import_model(parse_model(text), packages=packages)


@pytest.mark.parametrize(
    ("results", "why"),
    [
        (("nobody",), "op Mix: has no operand 'nobody' for a result"),
        (("a[b, h,",), "access map: .* begins no operand"),
        ((), "is declared without a result"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused(results: tuple[str, ...], why: str) -> None:
    with pytest.raises(HtpError, match=why) as error:
        Bodies().op("Mix", *results, a=tensor_def())
    assert len(error.value.lines()) == 2


def test_a_declaration_that_no_kernel_fits_is_refused(tmp_path: Path) -> None:
    bodies = Bodies()
    bodies.op("Mix", "a", a=tensor_def(), stride=shape_def())
    with pytest.raises(HtpError, match=r"takes 1 outputs and 3 operands, op Pkg\.Mix has 1 and 2"):
        op_of(tmp_path, KERNELS, "Mix", bodies)
    bodies = Bodies()
    bodies.op("Other", "a", a=tensor_def())
    with pytest.raises(HtpError, match="has no op 'Other' for a declaration"):
        op_of(tmp_path, KERNELS, "Mix", bodies)


@pytest.mark.slow
def test_a_function_of_the_op_may_give_the_result(tmp_path: Path) -> None:
    text = """
GraphStatus fold(Tensor &out, const Tensor &in);
DEF_PACKAGE_OP(fold, "Fold")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Fold", "X"), GT(DIM_HEIGHT("*"), 2),
                         AUTOSPLIT(1, "I", 2, Op("Fold", TYPICAL_SLICE("X", "I"))))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Fold", "X"), GT(DIM_HEIGHT("*"), 2),
                         AUTOSPLIT(1, "I", 2, Op("Fold", "X")))
"""
    bodies = Bodies()

    def halved(op: NativeOp) -> TensorSpec:
        batch, height, width, depth = op.dims("in")
        return op.like("in").with_shape((batch, height, width // 2, depth))

    @bodies.op("Fold", result(halved, Kind.ANY), in_=tensor_def(Kind.FLOAT))
    def fold(out: Tensor, act: Tensor) -> None:
        out.store(act.load()[:, :, : out.shape[2]])

    read, _ = load(tmp_path, text)
    packages = Packages().extended(from_cpp(read, bodies))
    rules = packages.members[-1].rules.rules
    good, bad = (
        check_rule(rule, cases=10, rule_set=packages.rules, library=packages.library)
        for rule in rules
    )
    assert good.passed
    assert bad.counterexample is not None
    assert {finding.rule for finding in lint(packages.rules, rules)} == {rules[1]}


@pytest.mark.parametrize("usual", [1, 1.0])
def test_a_param_of_several_numbers_is_drawn_as_declared(usual: float, tmp_path: Path) -> None:
    text = """
GraphStatus stretch(Tensor &out, const Tensor &in, const Tensor &by);
DEF_PACKAGE_OP(stretch, "Stretch")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Stretch", "X", "By"),
                         AND(EQ(CONSTVAL_FLOAT("By", 2), 1.0f), SAME_ENCODING("*", "X")), "X")
"""
    bodies = Bodies()

    @bodies.op("Stretch", "in", in_=tensor_def(Kind.FLOAT), by=param_def(3, usual=usual))
    def stretch(out: Tensor, act: Tensor, by: Tensor) -> None:
        out.store(act.load() * by.load().reshape(-1)[2])

    read, _ = load(tmp_path, text)
    packages = Packages().extended(from_cpp(read, bodies))
    (own,) = packages.members[-1].rules.rules
    assert check_rule(own, cases=5, rule_set=packages.rules, library=packages.library).passed
