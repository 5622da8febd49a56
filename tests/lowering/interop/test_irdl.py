"""IRDL: upstream's mlir-opt loads the definitions, takes our modules and refuses broken ones."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import NATIVE_OPS, Kind, NativeOp, shape_def, tensor_def
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp, CustomOp
from htp_mlir.dialects.text.parser import ModuleParser
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.interop.irdl.body import op_name
from htp_mlir.lowering.interop.irdl.definitions import MOST_RUNS, irdl_text, op_classes
from htp_mlir.lowering.interop.irdl.module import irdl_module_text
from htp_mlir.lowering.packages import Packages, op_package
from htp_mlir.lowering.packages.ops.declared_op import declaration, op_class, optional
from htp_mlir.lowering.tools.htp_opt import run
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.irdl import IRDL, OperationOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from ...support.examples import example_of, module_of
from ...support.paths import EXAMPLES, SPOTTER_MODEL
from ...support.roundtrip import parse, run_mlir_opt

PACKAGES = ("attention_package", "max_pool_package", "swish_package")
STATES = f"""
{example_of(StateOp)}
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {{
  {example_of(StateReadOp)}
  {example_of(StateWriteOp)}
  func.return
}}
"""


@pytest.fixture(scope="session", name="definitions")
def _definitions(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The flag that loads the definitions of both dialects."""
    path = tmp_path_factory.mktemp("irdl") / "htp.irdl.mlir"
    path.write_text(irdl_text(Packages()), encoding="utf-8")
    return f"--irdl-file={path}"


def assert_upstream_takes(texts: list[str], definitions: str) -> None:
    """Check that mlir-opt verifies and round-trips modules, and knows every op in them."""
    module = f"builtin.module {{\n{''.join(texts)}}}"
    done = run_mlir_opt(module, "--verify-roundtrip", definitions)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("func.func") == module.count("func.func") > 0


def test_xdsl_reads_the_definitions_and_they_name_every_op() -> None:
    context = Context()
    for dialect in (Builtin, IRDL):
        context.load_dialect(dialect)
    module = Parser(context, irdl_text(Packages())).parse_module()
    module.verify()
    names = [op.qualified_name for op in module.walk() if isinstance(op, OperationOp)]
    assert sorted(names) == sorted(map(op_name, op_classes(Packages())))


def test_no_declaration_is_left_out() -> None:
    assert "irdl.any\n" not in irdl_text(Packages())


@pytest.mark.needs("mlir-opt")
def test_upstream_takes_every_op(definitions: str) -> None:
    ops = [*NATIVE_OPS.values(), ConstOp, CustomOp, *GRAPH_OPS.values()]
    texts = [module_of(example_of(op)) for op in ops] + [STATES]
    assert_upstream_takes([irdl_module_text(parse(text)) for text in texts], definitions)


@pytest.mark.needs("mlir-opt")
@pytest.mark.one_per
@pytest.mark.parametrize("level", ["graph", "native", "placed", "allocated"])
def test_upstream_takes_a_model_at_every_level(level: str, definitions: str) -> None:
    model = load_module(SPOTTER_MODEL)
    lowered = model if level == "graph" else lower(model, level=level, tcm_bytes=65536)
    before = str(lowered)
    assert_upstream_takes([irdl_module_text(lowered)], definitions)
    assert str(lowered) == before


@pytest.mark.needs("mlir-opt")
@pytest.mark.one_per("language")
@pytest.mark.parametrize("language", ["package.py", "package.cpp"])
@pytest.mark.parametrize("name", PACKAGES)
def test_upstream_takes_ops_of_packages(name: str, language: str, tmp_path: Path) -> None:
    folder, path = EXAMPLES / name, tmp_path / "package.irdl.mlir"
    package = ["--package", str(folder / language)]
    assert run([*package, "-t", "irdl", "-o", str(path)]).status == 0
    passes = ["-p", "htp-lower{level=native}", "-t", "irdl-module"]
    outcome = run([*package, str(folder / "model.mlir"), *passes])
    assert outcome.status == 0, outcome.err
    assert f'"{name}.' in outcome.out
    assert_upstream_takes([outcome.out], f"--irdl-file={path}")


@dataclass(frozen=True)
class Broken:
    """A statement that mlir-opt takes, what is changed in it, and what mlir-opt says then."""

    statement: str
    old: str
    new: str
    message: str


TENSOR = "tensor<1x1x2x2xf32>"
CHOSEN = '{kernel = "unary", scratch}'
RELU = f'%r = "htp.relu"(%x) {CHOSEN} : ({TENSOR}) -> {TENSOR}'
POOL = (
    '%r = "qti_aisw.pool_max2d"(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>, '
    f"pad_amount = array<i64: 0, 0, 0, 0>, rounding_mode = 0 : i64}} : ({TENSOR}) -> {TENSOR}"
)
SHAPE = '%s = "htp.shape"() : () -> !htp.shape_type<1, 2, 2, 1>'
MATMUL = (
    '%r = "qti_aisw.mat_mul"(%x, %x) {transpose_in0 = false, transpose_in1 = true} : '
    f"({TENSOR}, {TENSOR}) -> {TENSOR}"
)
PLACED = (
    '%r = "htp.const"() {value = dense<0.0> : tensor<1x1x1x1xf32>, kernel, scratch} : () -> '
    'tensor<1x1x1x1xf32, #htp.place<"flat", "tcm", 0>>'
)
BROKEN = {
    "one operand too many": Broken(
        RELU,
        f"(%x) {CHOSEN} : ({TENSOR})",
        f"(%x, %x) {CHOSEN} : ({TENSOR}, {TENSOR})",
        "expects exactly 1 operands",
    ),
    "no result": Broken(
        RELU, RELU, f'"htp.relu"(%x) {CHOSEN} : ({TENSOR}) -> ()', "expects exactly 1 results"
    ),
    "a kernel that is no text": Broken(RELU, '"unary"', "3 : i64", "does not satisfy"),
    "a misspelt optional param": Broken(RELU, "scratch", "scrach", '"scratch" is expected'),
    "unknown op": Broken(RELU, "htp.relu", "htp.rellu", "unregistered operation 'htp.rellu'"),
    "a number, no tensor": Broken(RELU, f"-> {TENSOR}", "-> f32", "'builtin.tensor'"),
    "a tensor, no shape": Broken(
        SHAPE, "!htp.shape_type<1, 2, 2, 1>", TENSOR, "expected base type 'htp.shape_type'"
    ),
    "three dims": Broken(
        SHAPE, "<1, 2, 2, 1>", "<1, 2, 2>", "expected 4 type arguments, but had 3"
    ),
    "a dim that is text": Broken(SHAPE, "<1, 2, 2, 1>", '<1, "2", 2, 1>', "'builtin.integer'"),
    "no stride": Broken(POOL, "stride = array<i64: 2, 2>, ", "", 'attribute "stride" is expected'),
    "an int, no list": Broken(POOL, "stride = array<i64: 2, 2>", "stride = 2", "dense_array"),
    "a list, no int": Broken(
        POOL, "rounding_mode = 0 : i64", "rounding_mode = [0]", "builtin.integer"
    ),
    "an int, no truth value": Broken(MATMUL, "= true", "= 1 : i64", "does not satisfy"),
    "an unknown layout": Broken(PLACED, '"flat"', '"flatt"', "does not satisfy"),
    "an offset that is text": Broken(PLACED, '"tcm", 0', '"tcm", "0"', "does not satisfy"),
    "a region": Broken(RELU, "(%x)", "(%x) ({})", "number of regions"),
}


@pytest.mark.needs("mlir-opt")
@pytest.mark.one_per
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_upstream_refuses_what_is_broken(broken: Broken, definitions: str) -> None:
    """The statement as it is passes, so that the change alone is what is refused."""
    changed = broken.statement.replace(broken.old, broken.new)
    assert changed != broken.statement
    texts = [
        f"func.func @main(%x: {TENSOR}) {{\n{statement}\nfunc.return\n}}\n"
        for statement in (broken.statement, changed)
    ]
    assert_upstream_takes(texts[:1], definitions)
    done = run_mlir_opt(texts[1], definitions)
    assert done.returncode != 0
    assert broken.message in done.stderr


@pytest.mark.needs("mlir-opt")
def test_operands_of_a_declared_op_may_be_left_out(tmp_path: Path) -> None:
    operands = {"a": tensor_def(Kind.FLOAT), "s": shape_def(), "b": optional(tensor_def())}
    op = op_class("Mine", declaration("Blend", ("a",), operands))
    member = op_package("Mine", ops=[op])
    packages, path = Packages().extended(member), tmp_path / "mine.irdl.mlir"
    path.write_text(irdl_text(packages), encoding="utf-8")
    (types, shape), texts = (TENSOR, "!htp.shape<1x1x1x1>"), []
    for further in range(3):
        values = ", ".join(["%a", "%s", *["%a"] * further])
        kinds = ", ".join([types, shape, *[types] * further])
        texts.append(
            f"func.func @main(%a: {types}, %s: {shape}) {{\n"
            f"  %r = Mine.Blend({values}) : ({kinds}) -> {types}\n  func.return\n}}\n"
        )
    # Our verifier takes two operands or three; IRDL is told of any number from two on.
    context = packages.context()
    modules = [ModuleParser(context, text).parse_module() for text in texts[:2]]
    for module in modules:
        module.verify()
    assert_upstream_takes([irdl_module_text(module) for module in modules], f"--irdl-file={path}")
    with pytest.raises(VerifyException, match="has 4 operands, it takes 2 to 3"):
        ModuleParser(context, texts[2]).parse_module().verify()


class TwinOp(NativeOp):
    """A first op."""

    name = "Twins.FooBar"


class OtherTwinOp(NativeOp):
    """An op whose name differs in case alone."""

    name = "Twins.Foo_bar"


def test_names_that_are_alike_in_lower_case_are_refused() -> None:
    packages = Packages().extended(op_package("Twins", ops=[TwinOp, OtherTwinOp]))
    with pytest.raises(HtpError, match=r"Foo_bar: is twins\.foo_bar in IRDL"):
        irdl_text(packages)


def concat_of(kinds: int) -> str:
    """A Concat of two parts of each of several types."""
    types = [f"tensor<1x1x1x{size}xf32>" for size in range(1, kinds + 1) for _ in range(2)]
    arguments = ", ".join(f"%p{index}: {type_}" for index, type_ in enumerate(types))
    names = ", ".join(f"%p{index}" for index in range(len(types)))
    out = f"tensor<1x1x1x{kinds * (kinds + 1)}xf32>"
    return (
        f"func.func @main({arguments}) -> {out} {{\n"
        f"  %r = qti_aisw.Concat({names}) {{axis = 3 : i64}} : ({', '.join(types)}) -> {out}\n"
        f"  func.return %r : {out}\n}}"
    )


@pytest.mark.needs("mlir-opt")
def test_parts_of_different_types_are_runs(definitions: str) -> None:
    assert_upstream_takes([irdl_module_text(parse(concat_of(MOST_RUNS)))], definitions)


def test_more_runs_than_the_definitions_take_are_refused() -> None:
    message = f"{MOST_RUNS + 1} values in a row are of different types"
    with pytest.raises(HtpError, match=message):
        irdl_module_text(parse(concat_of(MOST_RUNS + 1)))
