"""The example package of the docs: its page, its numbers at every level, its kernels."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import from_cpp, load_packages
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.kernel.kernel import Kernel
from htp_mlir.runtime.tensors.tensors import ShapeParam
from numpy.lib.stride_tricks import sliding_window_view

from ...docs.code_blocks import run_page
from ...support.paths import EXAMPLES
from .kit import declared

FOLDER = EXAMPLES / "max_pool_package"
PACKAGES = load_packages(FOLDER / "package.py")
OP = "MaxPoolPackage.MaxPool_valid"

U8 = "!quant.uniform<u8:f32, 5.000000e-02:128>"


def graph(element: str, depth: int, window: int, stride: int) -> str:
    side = (19 - window) // stride + 1
    source, result = (f"tensor<1x{n}x{n}x{depth}x{element}>" for n in (19, side))
    return f"""
func.func @main(%x: {source} {{htp.name = "x"}}) -> ({result} {{htp.name = "y"}}) {{
  %0 = qti_aisw.PoolMax2d(%x) {{filter_size = array<i64: {window}, {window}>,
    stride = array<i64: {stride}, {stride}>}} : ({source}) -> {result}
  func.return %0 : {result}
}}"""


def numbers(depth: int, dtype: type) -> np.ndarray:
    drawn = np.random.default_rng(depth).integers(0, 256, (1, 19, 19, depth))
    return drawn.astype(dtype)


@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    run_page(FOLDER / "README.md", tmp_path)


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), (U8, np.uint8)])
@pytest.mark.parametrize(("depth", "window", "stride"), [(32, 2, 2), (33, 3, 1), (100, 3, 2)])
def test_it_gives_the_numbers_of_numpy(
    level: str, element: str, dtype: type, depth: int, window: int, stride: int
) -> None:
    lowered = lower(
        parse_module(graph(element, depth, window, stride)), packages=PACKAGES, level=level
    )
    ops = [op for op in lowered.walk() if op.name == OP]
    assert len(ops) == -(-depth // 32)
    assert not any(op.name == "htp.MaxPool_valid" for op in lowered.walk())
    x = numbers(depth, dtype)
    windows = sliding_window_view(x, (window, window), axis=(1, 2))
    expected = windows[:, ::stride, ::stride].max(axis=(-2, -1))
    result = Session(lowered, check=True, library=PACKAGES.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, expected)


def chosen(place: object, window: ShapeParam) -> str:
    spec = TensorSpec((1, 8, 8, 32), DType.Float32)
    here = spec.with_place(place)
    return PACKAGES.kernels.select(OP, [here], [here, window, window]).name


def test_the_cost_function_decides_by_the_window() -> None:
    square, row = ShapeParam((1, 2, 2, 1)), ShapeParam((1, 1, 2, 1))
    assert chosen(CROUTON_TCM, square) == "separable"
    assert chosen(CROUTON_TCM, row) == "in_croutons.FloatCroutonTensor_TCM"
    assert chosen(FLAT_DDR, square) == "reference"


def test_the_cpp_text_says_the_same() -> None:
    read, summary = load_cpp(FOLDER / "package.cpp")
    assert summary.skipped == ()
    ours = PACKAGES.members[-1]
    assert declared(read) == declared(ours)
    theirs = from_cpp(read)
    assert [op.name for op in theirs.ops] == [op.name for op in ours.ops]

    def classes(kernel: Kernel) -> list[type]:
        return [slot.takes for slot in (*kernel.outputs, *kernel.inputs[:1])]

    assert list(map(classes, theirs.kernels)) == list(map(classes, ours.kernels))
    costs = [kernel.cost for kernel in ours.kernels]
    assert [kernel.cost for kernel in theirs.kernels[:3]] == costs[:3]
