"""Conversions that packages bring, ops of packages in a graph, and what is said without them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.htp.ops.const import constant_array
from htp_mlir.dialects.qti_aisw.base import GraphOp, build
from htp_mlir.dialects.qti_aisw.ops.custom import CustomOp
from htp_mlir.dialects.qti_aisw.ops.elementwise import Unary
from htp_mlir.dialects.spec_of import require, spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.conversion.builder import Builder, rank4
from htp_mlir.lowering.packages import ConversionSet, ImporterSet, Packages, op_package
from htp_mlir.lowering.packages.packages import registered
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import KernelSet, Session, parse_module
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernels import standard_library
from htp_mlir.runtime.tensors.tensors import Tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.irdl import irdl_op_definition

from tests.support.faults import told

from .registry_package import PACKAGE

FILE = str(Path(__file__).with_name("registry_package.py"))
PACKAGES = Packages().extended(PACKAGE)
LEVELS = ["graph", "native", "placed", "allocated"]


def graph(op: str, dims: str, params: str, package: str = "Mine") -> str:
    type_ = f"tensor<{dims}xf32>"
    return f"""
func.func @main(%x: {type_} {{htp.name = "x"}}) -> ({type_} {{htp.name = "y"}}) {{
  %y = qti_aisw.Custom(%x) {{package = "{package}", op_type = "{op}", params = {{{params}}}}} :
    ({type_}) -> {type_}
  func.return %y : {type_}
}}"""


def run(text: str, x: Array, level: str) -> Array:
    module = parse_module(text)
    if level != "graph":
        module = lower(module, packages=PACKAGES, level=level)
    result = Session(module, library=PACKAGES.library, check=True).run({"x": x})["y"]
    assert result is not None
    return result


def numbers(*shape: int) -> Array:
    return np.random.default_rng(list(shape)).normal(size=shape).astype(np.float32)


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("axis", "count"), [(0, 3), (1, 5), (2, 33), (-1, 33), (-3, 3)])
def test_params_become_operands_and_axes_move_along(level: str, axis: int, count: int) -> None:
    offsets = np.arange(count, dtype=np.float32) / 2
    listed = ", ".join(map(str, offsets))
    text = graph(
        "Affine", "3x5x33", f"factor = 2.0 : f32, offsets = array<f32: {listed}>, axis = {axis}"
    )
    x = numbers(3, 5, 33)
    shape = [1, 1, 1]
    shape[axis] = count
    np.testing.assert_allclose(run(text, x, level), 2 * x + offsets.reshape(shape), rtol=1e-6)


@pytest.mark.parametrize(
    ("params", "sign"),
    [
        ("", 1),
        ('mode = "negated"', -1),
        ("flip = true", -1),
        ("flip = 1", -1),
        ('flip = true, mode = "negated"', 1),
    ],
)
def test_defaults_text_and_truth_values(params: str, sign: int) -> None:
    settings = ", ".join(filter(None, ["factor = 3, offsets = array<f32: 1.0>", params]))
    x = numbers(7, 1)
    for level in LEVELS:
        result = run(graph("Affine", "7x1", settings), x, level)
        np.testing.assert_allclose(result, sign * (3 * x + 1), rtol=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_a_conversion_by_decorator(level: str) -> None:
    x = numbers(5, 7)
    result = run(graph("Swish", "5x7", ""), x, level)
    np.testing.assert_allclose(result, x / (1 + np.exp(-x)), rtol=1e-5)


FACTOR = "factor = 1.0 : f32, offsets = array<f32: 1.0>"


@pytest.mark.parametrize(
    ("op", "params", "problem", "remedy"),
    [
        ("Affine", "factor = 1.0 : f32", "param 'offsets' is mandatory and not given", "no defau"),
        ("Affine", FACTOR + ", bend = 1", "unknown param 'bend'", "those of Mine.Affine: factor,"),
        ("Affine", FACTOR + ", axis = 2", "param 'axis', axis 2: the tensor has 2 dims", "take"),
        ("Affine", FACTOR + ', axis = "h"', "param 'axis' is text: 'h'", "must be an integer"),
        ("Affine", FACTOR + ", flip = 2", "param 'flip' is an integer: 2", "must be a bool"),
        ("Affine", "factor = 3000000000, offsets = 1", "'factor' holds 3000000000", "fit 32 bits"),
        ("Afine", "", "package Mine has no op Mine.Afine", "did you mean 'Mine.Affine'?"),
        ("Halves", "", "has 1 result, Mine.Halves has 2", "state as many"),
    ],
)
def test_what_a_package_does_not_take(op: str, params: str, problem: str, remedy: str) -> None:
    with pytest.raises(HtpError) as error:
        lower(parse_module(graph(op, "3x1", params)), packages=PACKAGES)
    first, second = told(str(error.value))
    assert first.startswith("<text>:3:3: %y = qti_aisw.Custom: ")
    assert problem in first
    assert remedy in second


def test_a_result_that_the_op_does_not_give() -> None:
    text = graph("Affine", "3x1", FACTOR).replace("-> tensor<3x1xf32>", "-> tensor<4x1xf32>")
    text = text.replace("-> (tensor<3x1", "-> (tensor<4x1").replace(
        "%y : tensor<3", "%y : tensor<4"
    )
    with pytest.raises(HtpError, match="result 0 has shape 1x1x4x1, its inputs give 1x1x3x1"):
        lower(parse_module(text), packages=PACKAGES)


def test_a_wrong_number_of_inputs() -> None:
    text = graph("Affine", "3x1", FACTOR).replace("Custom(%x)", "Custom(%x, %x)")
    text = text.replace("(tensor<3x1xf32>) ->", "(tensor<3x1xf32>, tensor<3x1xf32>) ->")
    with pytest.raises(HtpError, match=r"has 2 inputs, Mine.Affine takes 1 \(in\)"):
        lower(parse_module(text), packages=PACKAGES)


def test_a_package_that_is_not_loaded() -> None:
    with pytest.raises(HtpError, match="no package Other is loaded\n  load it: --package FILE"):
        lower(parse_module(graph("Op", "3x1", "", package="Other")), packages=PACKAGES)


def test_an_op_without_a_conversion_is_told_the_three_lines() -> None:
    with pytest.raises(HtpError) as error:
        lower(parse_module(graph("Zigzag", "3x1", "")), packages=PACKAGES)
    assert error.value.lines()[:5] == [
        "<text>:3:3: %y = qti_aisw.Custom: package Mine has no op Mine.Zigzag",
        "  give it one in an op package",
        '    @CONVERSIONS.conversion("Mine.Zigzag")  # CONVERSIONS = ConversionSet()',
        "    def convert(op: GraphOp, builder: Builder) -> None: builder.set(op.results[0], ...)",
        '    PACKAGE = op_package("Name", conversions=[CONVERSIONS])',
    ]


def converted_by(convert: Callable[[GraphOp, Builder], None], op: str = "Relu") -> Packages:
    conversions = ConversionSet()
    conversions.conversion(op)(convert)
    return Packages().extended(op_package("Other", conversions=[conversions]))


RELU = """
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}"""


def test_a_packages_conversion_comes_before_the_uniform_one() -> None:
    def absolute(op: GraphOp, builder: Builder) -> None:
        spec = rank4(spec_of(op.results[0]))
        builder.set(op.results[0], builder.op("Abs", [builder.get(op.operands[0])], spec))

    packages = converted_by(absolute)
    lowered = lower(parse_module(RELU), packages=packages)
    assert {op.name for op in lowered.walk()} & {"htp.Abs", "htp.Relu"} == {"htp.Abs"}
    sources = registered(packages, "qti_aisw.Relu").conversions
    assert [source.package for source in sources] == ["Other", "htp"]
    assert "test_registries" in str(sources[0])
    assert any(op.name == "htp.Relu" for op in lower(parse_module(RELU)).walk())


@irdl_op_definition
class OwnOp(Unary):
    """A graph op of a user's dialect."""

    name = "own.Zigzag"


def own_module() -> ModuleOp:
    block = Block(arg_types=[type_of(TensorSpec((2, 3), DType.Float32))])
    op = build(OwnOp, [block.args[0]])
    block.add_ops([op, ReturnOp(op.results[0])])
    types = [value.type for value in (block.args[0], op.results[0])]
    return ModuleOp([FuncOp("main", (types[:1], types[1:]), Region(block))])


def test_a_graph_op_of_another_dialect_needs_a_conversion() -> None:
    with pytest.raises(HtpError) as error:
        lower(own_module())
    assert error.value.lines()[:3] == [
        "%1 = own.Zigzag: no package in use converts it",
        "  give it one in an op package",
        '    @CONVERSIONS.conversion("own.Zigzag")  # CONVERSIONS = ConversionSet()',
    ]

    def absolute(op: GraphOp, builder: Builder) -> None:
        spec = rank4(spec_of(op.results[0]))
        builder.set(op.results[0], builder.op("Abs", [builder.get(op.operands[0])], spec))

    lowered = lower(own_module(), packages=converted_by(absolute, "own.Zigzag"))
    result = Session(lowered).run({"arg0": -numbers(2, 3)})["result0"]
    np.testing.assert_array_equal(result, np.abs(numbers(2, 3)))


def nothing(op: GraphOp, builder: Builder) -> None: ...


def fails(op: GraphOp, builder: Builder) -> None:
    raise RuntimeError("no\nidea")


def unknown(op: GraphOp, builder: Builder) -> None:
    builder.op("Zap", [], spec_of(op.results[0]))


@pytest.mark.parametrize(
    ("convert", "problem"),
    [
        (nothing, "its conversion test_registries.nothing does not say what result 0 becomes"),
        (fails, "its conversion test_registries.fails fails: RuntimeError: no idea, at "),
        (unknown, "becomes Zap, which no package in use has"),
    ],
)
def test_a_conversion_that_does_not_do_its_work(convert: Callable, problem: str) -> None:
    with pytest.raises(HtpError) as error:
        lower(parse_module(RELU), packages=converted_by(convert))
    assert problem in told(str(error.value))[0]


@pytest.mark.parametrize(
    ("op", "problem"),
    [
        ("Rellu", "is for the unknown graph op qti_aisw.Rellu; did you mean"),
        ("htp.Relu", "is for htp.Relu, a native op; name a graph op"),
    ],
)
def test_a_conversion_for_what_is_no_graph_op(op: str, problem: str) -> None:
    with pytest.raises(HtpError) as error:
        converted_by(nothing, op)
    (fault,) = error.value.faults
    assert problem in fault.line()


def test_two_conversions_of_one_op_are_an_error_at_load() -> None:
    first, second = ConversionSet(), ConversionSet()
    first.conversion("Relu")(nothing)
    second.conversion("qti_aisw.Relu")(fails)
    one = op_package("One", conversions=[first])
    with pytest.raises(HtpError, match=r"conversion .*fails: qti_aisw.Relu has 2 conversions"):
        Packages().extended(one).extended(op_package("Two", conversions=[second]))
    with pytest.raises(HtpError, match="has 2 conversions"):
        Packages().extended(op_package("Both", conversions=[first, second]))


def test_two_importers_of_one_op_are_an_error_at_load() -> None:
    importers = ImporterSet()
    importers.importer("Gemm")(lambda ctx: [])
    importers.importer("Gemm", domain="ai.onnx")(lambda ctx: [])
    with pytest.raises(HtpError, match=r"onnx\.Gemm has 2 importers"):
        Packages().extended(op_package("Both", importers=[importers]))


def test_the_tool_gives_the_same_two_lines() -> None:
    text = graph("Affine", "3x1", "factor = 1.0 : f32")
    status, out, err = htp_opt.run(["--package", FILE, "-p", "htp-lower"], text)
    assert (status, out) == (1, "")
    assert told(err) == [
        "<stdin>:3:3: %y = qti_aisw.Custom: param 'offsets' is mandatory and not given",
        "  Mine.Affine has no default for it",
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_a_constant_input_is_constant_at_every_level(level: str) -> None:
    kernels = KernelSet("Table")

    class Times(NativeOp):
        name = "Table.Times"

        x = tensor_def()
        by = tensor_def()

        def infer(self) -> tuple[TensorSpec | None, ...]:
            require(constant_array(self.operand("by")) is not None, self, "'by' is not constant")
            return (self.like("x"),)

    @kernels.kernel("Times")
    def times(out: Tensor, x: Tensor, by: Tensor) -> None:
        out.store(x.load() * by.load())

    packages = Packages().extended(op_package("Table", ops=[Times], kernels=[kernels]))
    module = parse_module("""
func.func @main(%x: tensor<2xf32> {htp.name = "x"}) -> (tensor<2xf32> {htp.name = "y"}) {
  %by = qti_aisw.Const dense<[3.0, 5.0]> : tensor<2xf32> -> tensor<2xf32>
  %y = qti_aisw.Custom(%x, %by) {package = "Table", op_type = "Times", params = {}} :
    (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}""")
    if level != "graph":
        module = lower(module, packages=packages, level=level)
    result = Session(module, library=packages.library).run({"x": np.ones(2, np.float32)})["y"]
    np.testing.assert_array_equal(result, [3, 5])


def test_check_backend_knows_the_packages() -> None:
    text = graph("Affine", "3x1", FACTOR)
    passes = ["-p", "qti-check-backend{backend=htp}"]
    assert htp_opt.run(["--package", FILE, *passes], text).status == 0
    status, _, err = htp_opt.run(passes, text)
    assert status == 1
    assert "no package Mine is loaded" in err


def test_a_session_without_the_package_says_so() -> None:
    module = parse_module(graph("Affine", "3x1", FACTOR))
    assert any(isinstance(op, CustomOp) for op in module.walk())
    with pytest.raises(HtpError, match="no package Mine is loaded"):
        Session(module, library=Packages().library).run({"x": numbers(3, 1)})
    with pytest.raises(HtpError) as error:
        Session(module, library=standard_library())
    assert told(str(error.value)) == [
        "<text>:3:3: qti_aisw.Custom %y (op 0): "
        "is Mine.Affine of an op package that the session does not know",
        "  give it Session(module, library=packages.library), or --package FILE",
    ]
