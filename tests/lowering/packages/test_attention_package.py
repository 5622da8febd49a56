"""The attention package of the docs: its page, its numbers, its tiles and its scratch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp, load_packages
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.kernel import Flag, Kernel
from htp_mlir.runtime.tensors.tensors import Tensor
from onnx import NodeProto, helper
from xdsl.dialects.builtin import ModuleOp

from ...docs.code_blocks import run_page
from ...support.paths import ATTENTION
from ..frontend.models import Arrays, floats, model_of
from .kit import declared

FOLDER = ATTENTION
PACKAGES = load_packages(FOLDER / "package.py")
OURS = PACKAGES.members[-1]
PLAIN = "AttentionPackage.ScaledDotProduct"
MASKED = f"{PLAIN}.masked"
LEVELS = ["graph", "native", "placed", "allocated"]


@dataclass(frozen=True)
class Case:
    """An attention as a model writes it: sizes, how it scales, how it turns K, its mask."""

    batch: int = 1
    heads: int = 2
    tokens: int = 7
    keys: int = 9
    depth: int = 5
    scaling: str | None = "Mul"
    factor: float = 0.3
    turned: bool = True
    mask: tuple[int, ...] | None = None
    rank: int = 4

    def feeds(self) -> Arrays:
        front = (self.batch, self.heads)[-(self.rank - 2) :]
        q = floats(*front, self.tokens, self.depth)
        k = floats(*front, self.keys, self.depth, seed=1)
        v = floats(*front, self.keys, 3, seed=2)
        arrays = {"q": q, "k": k, "v": v}
        if self.mask is not None:
            drawn = floats(*self.mask, seed=3)
            arrays["m"] = np.where(drawn > 1, np.float32(-np.inf), drawn)
        return arrays

    def nodes(self) -> list[NodeProto]:
        last = self.rank - 1
        perm = [*range(last - 1), last, last - 1]
        steps = [("Transpose", ["k"], {"perm": perm})] if self.turned else []
        steps.append(("MatMul", ["q", "Transpose" if self.turned else "k"], {}))
        if self.scaling is not None:
            steps.append((self.scaling, [steps[-1][0], "c"], {}))
        if self.mask is not None:
            steps.append(("Add", [steps[-1][0], "m"], {}))
        steps.append(("Softmax", [steps[-1][0]], {"axis": -1}))
        scores = [helper.make_node(op, ins, [op], **attributes) for op, ins, attributes in steps]
        return [*scores, helper.make_node("MatMul", ["Softmax", "v"], ["y"])]

    def graph(self) -> ModuleOp:
        constants = {} if self.scaling is None else {"c": np.float32(self.factor).reshape(())}
        return import_model(model_of(self.nodes(), self.feeds(), ["y"], constants))

    def expected(self) -> Array:
        """The plain formula, in f64."""
        q, k, v, *mask = (array.astype(np.float64) for array in self.feeds().values())
        scale = {None: 1.0, "Mul": self.factor, "Div": 1 / self.factor}[self.scaling]
        scores = scale * (q @ k.swapaxes(-1, -2)) + (mask[0] if mask else 0)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return (weights / weights.sum(axis=-1, keepdims=True)) @ v


def ours(module: ModuleOp) -> list[NativeOp]:
    return [op for op in module.walk() if isinstance(op, NativeOp) and op.name.startswith(PLAIN)]


def left_over(module: ModuleOp) -> set[str]:
    return {op.name for op in module.walk()} & {"htp.MatMul", "htp.Softmax", "htp.FullyConnected"}


def run(module: ModuleOp, case: Case, packages: Packages = PACKAGES) -> Array:
    result = Session(module, check=True, library=packages.library).run(dict(case.feeds()))["y"]
    assert result is not None
    return result


def assert_right(module: ModuleOp, case: Case, packages: Packages = PACKAGES) -> None:
    np.testing.assert_allclose(run(module, case, packages), case.expected(), rtol=0, atol=1e-5)


def tiles(module: ModuleOp) -> list[tuple[int, ...]]:
    """Batches, heads and rows of each op of ours."""
    return [spec_of(op.results[0]).shape[:3] for op in ours(module)]


@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    run_page(FOLDER / "README.md", tmp_path)


SIZES = [(1, 1), (7, 7), (33, 65), (65, 33), (1, 65)]
MASKS = [None, (33, 65), (2, 1, 1, 65), (1, 3, 33, 65), (2, 3, 33, 65)]


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("tokens", "keys"), SIZES)
def test_every_level_gives_the_numbers_of_the_formula(level: str, tokens: int, keys: int) -> None:
    case = Case(tokens=tokens, keys=keys, scaling="Div", factor=2.5)
    module = case.graph()
    if level != "graph":
        module = lower(module, packages=PACKAGES, level=level)
        assert [op.name for op in ours(module)] == [PLAIN]
        assert left_over(module) == set()
    assert_right(module, case)


@pytest.mark.one_per("mask")
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("scaling", [None, "Mul", "Div"])
@pytest.mark.parametrize("tcm_bytes", [2**23, 2**15])
def test_chains_that_models_write_become_one_op(
    scaling: str | None, mask: tuple[int, ...] | None, tcm_bytes: int
) -> None:
    case = Case(batch=2, heads=3, tokens=33, keys=65, scaling=scaling, mask=mask)
    lowered = lower(case.graph(), packages=PACKAGES, tcm_bytes=tcm_bytes)
    assert {op.name for op in ours(lowered)} == {MASKED if mask else PLAIN}
    assert (len(ours(lowered)) == 1) == (tcm_bytes == 2**23)
    assert left_over(lowered) == set()
    assert_right(lowered, case)


def test_rank_3_and_keys_that_come_as_columns() -> None:
    case = Case(heads=3, rank=3)
    assert_right(lower(case.graph(), packages=PACKAGES), case)
    columns = Case(keys=5, depth=5, turned=False)
    lowered = lower(columns.graph(), packages=PACKAGES)
    assert [op.name for op in ours(lowered)] == [PLAIN]
    expected = Session(columns.graph()).run(dict(columns.feeds()))["y"]
    np.testing.assert_allclose(run(lowered, columns), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("kib", "expected"),
    [
        (256, [(2, 3, 33)]),
        (128, [(1, 3, 33)] * 2),
        (96, [(1, 3, 33)] * 2),
        (64, [(1, 2, 33), (1, 1, 33)] * 2),
        (32, [(1, 1, 33)] * 6),
        (28, [(1, 1, 27), (1, 1, 6)] * 6),
    ],
)
def test_batches_then_heads_then_rows_are_cut(kib: int, expected: list[tuple[int, ...]]) -> None:
    """A row takes 4 * (16 + 3 + 65 + 1) bytes, a head 33 rows and 4 * 65 * (16 + 3): 16160.

    In 128 KiB all would just fit, and leave no room for gaps.
    """
    case = Case(batch=2, heads=3, tokens=33, keys=65, depth=16)
    lowered = lower(case.graph(), packages=PACKAGES, tcm_bytes=kib * 1024)
    assert tiles(lowered) == expected
    assert_right(lowered, case)


def test_keys_that_do_not_fit_as_a_whole_are_an_error() -> None:
    case = Case(tokens=3, keys=300, depth=16)
    with pytest.raises(HtpError) as caught:
        lower(case.graph(), packages=PACKAGES, tcm_bytes=2**14)
    assert f"{PLAIN} 'y': needs 32768 bytes of TCM" in str(caught.value)
    assert "scratch 'scores' 2048" in str(caught.value)


def test_scratch_stands_in_the_allocated_ir_and_in_the_certificate() -> None:
    lowered = lower(Case(tokens=33, keys=65).graph(), packages=PACKAGES)
    (op,) = ours(lowered)
    assert op.kernel is not None
    assert op.kernel.data == "in_tcm"
    scores, rows = op.scratch_specs()
    assert (scores.shape, rows.shape) == ((1, 2, 33, 65), (1, 2, 33, 1))
    for spec in (scores, rows, spec_of(op.results[0]), *map(spec_of, op.operands[:3])):
        assert (spec.layout, spec.memory) == (LayoutKind.FLAT, Memory.TCM)
    assert spec_of(op.operands[3]).memory is Memory.DDR
    blocks = {
        row.bytes: row.first == row.last for row in certificate(lowered) if "scr" in row.tensor
    }
    assert blocks == {scores.nbytes: True, rows.nbytes: True}


FIRST = """
func.func @main(%q: tensor<{q}> {{htp.name = "q"}}, %k: tensor<{k}> {{htp.name = "k"}},
    %v: tensor<{v}> {{htp.name = "v"}}) -> (tensor<{y}> {{htp.name = "y"}}) {{
  %c = qti_aisw.Const dense<{c}> : tensor<{C}> -> tensor<{C}>
  %0 = qti_aisw.MatMul(%q, %k) {{transpose_in1 = true}} : (tensor<{q}>, tensor<{k}>) -> tensor<{s}>
  %1 = qti_aisw.ElementWiseMultiply(%0, %c) : (tensor<{s}>, tensor<{C}>) -> tensor<{s}>
  %2 = qti_aisw.Softmax(%1) {{{softmax}}} : (tensor<{s}>) -> tensor<{s}>
  %3 = qti_aisw.MatMul(%2, %v) : (tensor<{s}>, tensor<{v}>) -> tensor<{y}>
  func.return %3 : tensor<{y}>
}}"""
TAKEN = {
    "q": "1x2x4x3xf32",
    "k": "1x2x5x3xf32",
    "v": "1x2x5x6xf32",
    "s": "1x2x4x5xf32",
    "y": "1x2x4x6xf32",
    "c": "0.5",
    "C": "1xf32",
    "softmax": "axis = -1 : i64",
}
LEFT: dict[str, dict[str, str]] = {
    "another axis": {"softmax": "axis = 2 : i64"},
    "another beta": {"softmax": "beta = 2.0 : f32"},
    "a factor for each key": {"c": "[0.5, 1.0, 0.0, 2.0, 1.0]", "C": "5xf32"},
    "shared keys": {"k": "1x1x5x3xf32"},
    "shared values": {"v": "1x1x5x6xf32"},
    "f16": {name: text.replace("f32", "f16") for name, text in TAKEN.items()},
}


def test_the_chain_that_is_taken() -> None:
    module = lower(parse_module(FIRST.format(**TAKEN)), packages=PACKAGES)
    assert [op.name for op in ours(module)] == [PLAIN]


@pytest.mark.parametrize("changes", LEFT.values(), ids=LEFT.keys())
def test_other_chains_stay_as_they_are(changes: dict[str, str]) -> None:
    module = parse_module(FIRST.format(**{**TAKEN, **changes}))
    assert ours(lower(module, packages=PACKAGES, level="native")) == []


WRONG = {
    "keys of another depth": (("1x2x5x4xf32", "1x2x5x6xf32", None), "operand 'q' gives 3"),
    "fewer values than keys": (("1x2x5x3xf32", "1x2x4x6xf32", None), "'v' has extent 4 in dim 2"),
    "other heads": (("1x3x5x3xf32", "1x3x5x6xf32", None), "'k' has extent 3 in dim 1"),
    "values of another dtype": (("1x2x5x3xf32", "1x2x5x6xf16", None), "operand 'v' is Float16"),
    "a narrow mask": (
        ("1x2x5x3xf32", "1x2x5x6xf32", "1x1x4x1xf32"),
        "'mask' has extent 1 in",
    ),
    "a high mask": (("1x2x5x3xf32", "1x2x5x6xf32", "1x1x3x5xf32"), "they must be equal, or one"),
}


@pytest.mark.parametrize(("types", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_does_not_fit_together_is_refused(
    types: tuple[str, str, str | None], message: str
) -> None:
    operand_types = ["1x2x4x3xf32", *filter(None, types)]
    names = [f"%{index}" for index in range(len(operand_types))]
    arguments = ", ".join(
        f'{name}: tensor<{type_}> {{htp.name = "{name[1:]}"}}'
        for name, type_ in zip(names, operand_types, strict=True)
    )
    tensors = ", ".join(f"tensor<{type_}>" for type_ in operand_types)
    kind = "ScaledDotProduct.masked" if types[2] else "ScaledDotProduct"
    text = f"""
func.func @main({arguments}) -> (tensor<1x2x4x6xf32> {{htp.name = "y"}}) {{
  %y = qti_aisw.Custom({", ".join(names)}) {{package = "AttentionPackage", op_type = "{kind}",
    params = {{}}}} : ({tensors}) -> tensor<1x2x4x6xf32>
  func.return %y : tensor<1x2x4x6xf32>
}}"""
    with pytest.raises(HtpError, match=message):
        lower(parse_module(text), packages=PACKAGES)


def test_a_mask_that_hides_all_keys_gives_nan_without_a_warning() -> None:
    case = Case(mask=(7, 9))
    feeds = dict(case.feeds())
    feeds["m"] = np.zeros((7, 9), np.float32)
    feeds["m"][3] = -np.inf
    for level in ("native", "allocated"):
        lowered = lower(case.graph(), packages=PACKAGES, level=level)
        result = Session(lowered, library=PACKAGES.library).run(feeds)["y"]
        assert result is not None
        assert np.isnan(result).all(axis=(0, 1, 3)).tolist() == [row == 3 for row in range(7)]
        assert np.isnan(result).any(axis=(0, 1, 3)).tolist() == [row == 3 for row in range(7)]


def bodies() -> Bodies:
    """The kernels of the package in Python as the bodies of that in C++."""
    bound = Bodies()
    for op in (PLAIN, MASKED):
        reference, in_tcm = (kernel for kernel in OURS.kernels if kernel.op == op)
        bound.body(op.partition(".")[2])(_both(reference, in_tcm))
        assert in_tcm.hook is not None
        bound.hook("ScoresHook")(in_tcm.hook)
    return bound


def _both(reference: Kernel, in_tcm: Kernel) -> Callable[..., None]:
    count = len(reference.inputs) + 1

    def body(*tensors: Tensor) -> None:
        names = [buffer.name for buffer in in_tcm.scratch]
        scratch = dict(zip(names, tensors[count:], strict=True)) if tensors[count:] else {}
        (in_tcm if scratch else reference).function(*tensors[:count], **scratch)

    return body


def classes(kernels: Sequence[Kernel]) -> list[tuple[object, ...]]:
    return [
        (k.op, *((slot.name, slot.takes) for slot in (*k.outputs, *k.inputs)), k.scratch)
        for k in kernels
    ]


def test_the_cpp_text_says_the_same() -> None:
    read, summary = load_cpp(FOLDER / "package.cpp")
    assert (summary.skipped, summary.notes) == ((), ())
    assert declared(read) == declared(OURS)
    theirs = from_cpp(read, bodies())
    assert [op.name for op in theirs.ops] == [op.name for op in OURS.ops]
    assert classes(theirs.kernels) == classes(OURS.kernels)
    assert [(k.cost, k.flags) for k in theirs.kernels] == [(k.cost, k.flags) for k in OURS.kernels]
    assert {k.flags for k in theirs.kernels} == {Flag.RESOURCE_HVX}


@pytest.mark.one_per
@pytest.mark.parametrize("mask", [None, (1, 1, 33, 65)])
@pytest.mark.parametrize(("level", "tcm_bytes"), [("native", 2**23), ("allocated", 2**15)])
def test_the_cpp_package_runs_the_same(
    mask: tuple[int, ...] | None, level: str, tcm_bytes: int
) -> None:
    case = Case(tokens=33, keys=65, mask=mask)
    in_cpp = Packages().extended(from_cpp(load_cpp(FOLDER / "package.cpp")[0], bodies()))
    lowered, same = (
        lower(case.graph(), packages=packages, level=level, tcm_bytes=tcm_bytes)
        for packages in (in_cpp, PACKAGES)
    )
    assert tiles(lowered) == tiles(same)
    np.testing.assert_array_equal(run(lowered, case, in_cpp), run(same, case))
    assert_right(lowered, case, in_cpp)
