"""The quantised example package: its numbers at every level, its choices, its C++ text."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import type_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp, load_packages
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.lowering.packages.to_cpp import to_cpp
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Cost, Kernel, Operand
from htp_mlir.runtime.tensors.tensors import Tensor
from onnx import NodeProto, helper
from xdsl.dialects.builtin import ModuleOp

from ...docs.code_blocks import blocks, run_page
from ...support.paths import EXAMPLES, ROOT
from ..frontend.models import model_of
from .kit import declared

FOLDER = EXAMPLES / "swish_package"
PACKAGES = load_packages(FOLDER / "package.py")
LEVELS = ("graph", "native", "placed", "allocated")
Step = tuple[float, int]
IN, OUT = (0.05, 128), (0.025, 12)


def u8(shape: Sequence[int], step: Step, dtype: DType = DType.QUInt8) -> TensorSpec:
    return TensorSpec(tuple(shape), dtype, Quant((step[0],), (step[1],)))


def graph(source_spec: TensorSpec, result_spec: TensorSpec, params: str = "") -> ModuleOp:
    source, result = type_of(source_spec), type_of(result_spec)
    return parse_module(f"""
func.func @main(%x: {source} {{htp.name = "x"}}) -> ({result} {{htp.name = "y"}}) {{
  %0 = qti_aisw.Custom(%x) {{op_type = "Swish", package = "SwishPackage", params = {{{params}}}}}
    : ({source}) -> {result}
  func.return %0 : {result}
}}""")


def swish(x: Array, beta: float) -> Array:
    wide = x.astype(np.float64)
    return (wide / (1 + np.exp(-beta * wide))).astype(np.float32)


def real(stored: Array, step: Step) -> Array:
    return (stored.astype(np.float32) - np.float32(step[1])) * np.float32(step[0])


def quantised(y: Array, step: Step) -> Array:
    whole = np.rint(y / np.float32(step[0])) + step[1]
    return np.clip(whole, 0, 255).astype(np.uint8)


def numbers(shape: Sequence[int]) -> Array:
    return np.random.default_rng(len(shape)).integers(0, 256, tuple(shape)).astype(np.uint8)


def run(module: ModuleOp, x: Array, packages: Packages = PACKAGES) -> Array:
    result = Session(module, check=True, library=packages.library).run({"x": x})["y"]
    assert result is not None
    return result


def chosen(module: ModuleOp) -> list[tuple[str, str]]:
    ops = [op for op in module.walk() if op.name.startswith("SwishPackage.")]
    return [(op.name.partition(".")[2], op.properties["kernel"].data) for op in ops]


SHAPES = [
    ((1, 8, 8, 32), "Swish.fast", "in_croutons"),
    ((1, 19, 17, 70), "Swish.fast", "in_croutons"),
    ((3, 9, 8, 33), "Swish.fast", "in_croutons"),
    ((9, 8, 32), "Swish.fast", "in_croutons"),
    ((1, 7, 64, 64), "Swish", "by_table"),
    ((257,), "Swish", "by_table"),
    ((256,), "Swish", "reference"),
    ((1, 1, 1, 1), "Swish", "reference"),
]


@pytest.mark.parametrize(("shape", "op", "kernel"), SHAPES)
def test_u8_gives_the_numbers_of_numpy_at_every_level(
    shape: tuple[int, ...], op: str, kernel: str
) -> None:
    module = graph(u8(shape, IN), u8(shape, OUT), "beta = 1.5 : f32")
    x = numbers(shape)
    expected = quantised(swish(real(x, IN), 1.5), OUT)
    for level in LEVELS:
        at = module if level == "graph" else lower(module, packages=PACKAGES, level=level)
        np.testing.assert_array_equal(run(at, x), expected, err_msg=level)
    assert chosen(at) == [(op, kernel)]


@pytest.mark.parametrize("step", [(0.001, 0), (0.001, 255), (0.3, 128)])
def test_what_is_out_of_range_saturates(step: Step) -> None:
    shape = (1, 8, 16, 32)
    x = numbers(shape)
    expected = quantised(swish(real(x, (0.1, 128)), 1.0), step)
    output = run(lower(graph(u8(shape, (0.1, 128)), u8(shape, step)), packages=PACKAGES), x)
    np.testing.assert_array_equal(output, expected)
    saturated = (expected == 0) | (expected == 255)
    assert saturated.any() == (step[0] < 0.1)


@pytest.mark.parametrize(
    ("spec", "dtype"),
    [
        (TensorSpec((1, 16, 16, 64), DType.Float32), np.float32),
        (TensorSpec((1, 16, 16, 64), DType.Float16), np.float16),
        (u8((1, 16, 16, 64), (0.001, 32768), DType.QUInt16), np.uint16),
        (u8((1, 16, 16, 64), (0.05, 3), DType.QInt8), np.int8),
    ],
)
def test_other_dtypes_stay_with_the_reference(spec: TensorSpec, dtype: type) -> None:
    x = np.random.default_rng(0).integers(-100, 100, spec.shape).astype(dtype)
    lowered = lower(graph(spec, spec), packages=PACKAGES)
    assert chosen(lowered) == [("Swish", "reference")]
    if spec.quant is None:
        expected = swish(x, 1.0).astype(dtype)
    else:
        step, info = (spec.quant.scale, spec.quant.zero_point), np.iinfo(dtype)
        whole = np.rint(swish(real(x, step), 1.0) / np.float32(step[0])) + step[1]
        expected = np.clip(whole, info.min, info.max).astype(dtype)
    np.testing.assert_array_equal(run(lowered, x), expected)


@pytest.mark.one_per
@pytest.mark.parametrize(
    "shape", [(1, 9, 9, 300), (1, 33, 41, 130), (2, 8, 200, 32), (40, 8, 8, 32)]
)
@pytest.mark.parametrize("kib", [64, 32, 16])
def test_what_does_not_fit_is_tiled(shape: tuple[int, ...], kib: int) -> None:
    module = graph(u8(shape, IN), u8(shape, OUT))
    lowered = lower(module, packages=PACKAGES, tcm_bytes=kib * 1024)
    tiles = [op for op in lowered.walk() if op.name == "SwishPackage.Swish.fast"]
    assert len(tiles) > 1
    x = numbers(shape)
    np.testing.assert_array_equal(run(lowered, x), quantised(swish(real(x, IN), 1.0), OUT))


def node(op: str, inputs: str, output: str, domain: str = "", **attributes: float) -> NodeProto:
    return helper.make_node(op, inputs.split(), [output], domain=domain, **attributes)


@pytest.mark.parametrize("level", LEVELS)
def test_a_quantised_onnx_model_runs_on_the_fast_op(level: str) -> None:
    x = np.random.default_rng(0).standard_normal((1, 12, 8, 64)).astype(np.float32) * 3
    nodes = [
        node("QuantizeLinear", "x s z", "a"),
        node("DequantizeLinear", "a s z", "b"),
        node("Swish", "b", "c", domain="SwishPackage", beta=2.0),
        node("QuantizeLinear", "c t w", "d"),
        node("DequantizeLinear", "d t w", "y"),
    ]
    steps = {"s": np.float32(IN[0]), "z": np.uint8(IN[1]), "t": np.float32(OUT[0])}
    constants = {name: np.array(value) for name, value in {**steps, "w": np.uint8(OUT[1])}.items()}
    module = import_model(model_of(nodes, {"x": x}, ["y"], constants), packages=PACKAGES)
    at = module if level == "graph" else lower(module, packages=PACKAGES, level=level)
    stored = quantised(swish(real(quantised(x, IN), IN), 2.0), OUT)
    np.testing.assert_array_equal(run(at, x), real(stored, OUT))
    if level == "allocated":
        assert chosen(at) == [("Swish.fast", "in_croutons")]


def test_the_default_of_beta_is_one() -> None:
    shape = (1, 2, 3, 4)
    x = numbers(shape)
    result, expected = (
        run(lower(graph(u8(shape, IN), u8(shape, OUT), beta), packages=PACKAGES), x)
        for beta in ("", "beta = 1.0 : f32")
    )
    np.testing.assert_array_equal(result, expected)


def native(tensor: str, beta: str = "%b", beta_type: str = "tensor<1x1x1x1xf32>") -> str:
    return f"""
func.func @main(%x: {tensor}, %p: {beta_type}) -> {tensor} {{
  %0 = htp.Reshape(%x) : ({tensor}) -> {tensor}
  %a = htp.Reshape(%p) : ({beta_type}) -> {beta_type}
  %b = htp.Const dense<1.0> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %1 = SwishPackage.Swish(%0, {beta}) : ({tensor}, {beta_type}) -> {tensor}
  %2 = htp.Reshape(%1) : ({tensor}) -> {tensor}
  func.return %2 : {tensor}
}}"""


F32 = "tensor<1x1x1x4xf32>"
PER_AXIS = "tensor<1x1x1x2x!quant.uniform<u8:f32:3, {0.1, 0.2}>>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (native("tensor<1x1x1x4xi32>"), "'in' is Int32, it must be float or quantised"),
        (native(PER_AXIS), "'in' has a scale for each index of a dim, it must have one"),
        (native(F32, "%a"), "'beta' must be a constant of one f32"),
        (native(F32, "%a", F32), "'beta' must be a constant of one f32"),
    ],
)
def test_the_verifier_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(HtpError, match=message):
        parse_module(text, ctx=PACKAGES.context())


@pytest.mark.slow
def test_the_rules_are_sound_and_clean(tmp_path: Path) -> None:
    package = ["--package", str(FOLDER / "package.py")]
    names = ["quantised", "fast", *(f"halves of dim {dim}" for dim in range(4))]
    rules = [word for name in names for word in ("--rule", name)]
    for check in (["lint"], ["check", "--cases", "5"]):
        status, out, err = htp.run(["rules", *check, *package, *rules])
        assert status == 0, out + err


BODIES = Bodies()


@BODIES.body("Swish")
@BODIES.body("Swish.fast")
def body(out: Tensor, x: Tensor, beta: Tensor) -> None:
    out.store(swish(x.load(), float(beta.load().item())))


@BODIES.cost("table_cost")
def table_cost(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
    return Cost.SNAIL.value if outputs[0].elements > 256 else 2 * Cost.GLACIAL.value


READ, SUMMARY = load_cpp(FOLDER / "package.cpp")
CPP = Packages().extended(from_cpp(READ, BODIES))


def signatures(kernels: Sequence[Kernel]) -> list[object]:
    return [
        (k.op, [slot.takes for slot in (*k.outputs, *k.inputs)], k.flags, isinstance(k.cost, Cost))
        for k in kernels
    ]


def test_the_cpp_text_says_the_same() -> None:
    assert SUMMARY.skipped == ()
    ours, theirs = PACKAGES.members[-1], CPP.members[-1]
    assert declared(theirs) == declared(ours)
    assert [op.name for op in theirs.ops] == [op.name for op in ours.ops]
    assert signatures(theirs.kernels) == signatures(ours.kernels)
    priced = [[TensorSpec((1, 1, 1, n), DType.QUInt8)] for n in (256, 257)]
    for mine, other in zip(ours.kernels, theirs.kernels, strict=True):
        assert [mine.price(p, []) for p in priced] == [other.price(p, []) for p in priced]


def test_what_is_written_as_cpp_reads_back_equal(tmp_path: Path) -> None:
    ours = PACKAGES.members[-1]
    written = tmp_path / "swish.cpp"
    written.write_text(write_cpp(to_cpp(ours)))
    back, summary = load_cpp(written)
    assert summary.skipped == ()
    assert declared(back) == declared(ours)
    assert [rule.name for rule in back.rules] == [rule.name for rule in ours.rules]
    assert signatures(from_cpp(back, BODIES).kernels) == signatures(ours.kernels)


@pytest.mark.one_per
@pytest.mark.parametrize("shape", [(1, 19, 17, 70), (1, 7, 9, 5), (1, 33, 41, 130)])
def test_the_cpp_package_runs(shape: tuple[int, ...]) -> None:
    module = graph(u8(shape, IN), u8(shape, OUT), "beta = 1.5 : f32")
    x = numbers(shape)
    ours, theirs = (
        lower(module, packages=packages, tcm_bytes=65536) for packages in (PACKAGES, CPP)
    )
    assert [op for op, _ in chosen(theirs)] == [op for op, _ in chosen(ours)]
    np.testing.assert_array_equal(run(theirs, x, CPP), run(ours, x))


def test_selection_goes_by_place() -> None:
    spec, beta = u8((1, 8, 8, 32), IN), TensorSpec((1, 1, 1, 1), DType.Float32)
    for place, name in ((CROUTON_TCM, "in_croutons"), (FLAT_DDR, "reference")):
        here = spec.with_place(place)
        kernel = PACKAGES.kernels.select("SwishPackage.Swish.fast", [here], [here, beta])
        assert kernel.name == name


def test_the_tutorial_arrives_at_this_package(tmp_path: Path) -> None:
    page = (ROOT / "docs/packages/first_package.md").read_text(encoding="utf-8")
    parts = [block.text for block in blocks(page) if block.text.startswith("# file: swish.py")]
    (tmp_path / "swish.py").write_text("".join(parts), encoding="utf-8")
    loaded, ours = load_packages(tmp_path / "swish.py"), PACKAGES.members[-1]
    theirs = loaded.members[-1]
    assert [op.name for op in theirs.ops] == [op.name for op in ours.ops]
    assert declared(theirs) == declared(ours)
    assert [rule.name for rule in theirs.rules] == [rule.name for rule in ours.rules]
    for op in ours.ops:
        mine, other = (packages.kernels.kernels(op.name) for packages in (PACKAGES, loaded))
        assert signatures(other) == signatures(mine)


@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    run_page(FOLDER / "README.md", tmp_path)
