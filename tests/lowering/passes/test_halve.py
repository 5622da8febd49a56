"""A graph in f16 gives the numbers of f32, as precise as f16 is, and stays in f32 where it must."""

from collections.abc import Mapping

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import Fault
from htp_mlir.dialects.faults.notes import notes_to
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.graph.floats import Halve
from htp_mlir.lowering.quantization import noise_ratio
from htp_mlir.runtime import Session, parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

ENOUGH = 60.0
"""Signal to noise in dB of a few roundings to f16, each of which has 74."""
LEVELS = ("native", "placed", "allocated")


def graph(inputs: str, result: str, *lines: str) -> ModuleOp:
    """A function of these inputs whose last value is `%y`."""
    body = "\n".join(lines)
    return parse_module(
        f"func.func @main({inputs}) -> {result} {{\n{body}\nfunc.return %y : {result}\n}}"
    )


def halved(module: ModuleOp, signature: bool = False) -> tuple[ModuleOp, list[str]]:
    """A graph in f16, and the reasons for what stays in f32."""
    other, notes = module.clone(), list[Fault]()
    with notes_to(notes.append):
        Halve(signature).apply(Context(), other)
    other.verify()
    return other, [fault.problem for fault in notes]


def run(module: ModuleOp, *arrays: Array) -> Array:
    feeds: Mapping[str, Array] = {f"arg{index}": array for index, array in enumerate(arrays)}
    (result,) = Session(module, check=True).run(feeds).values()
    assert result is not None
    return result


def dtypes(module: ModuleOp, name: str) -> list[DType]:
    """The dtypes of the results of all ops of a name."""
    ops: list[Operation] = [op for op in module.walk() if op.name == f"qti_aisw.{name}"]
    return [spec_of(op.results[0]).dtype for op in ops]


X = np.float32(np.random.default_rng(0).standard_normal((4, 16)))
T = "tensor<4x16xf32>"
LAYER = graph(
    f"%x: {T}",
    T,
    "%w = qti_aisw.Const dense<0.3> : tensor<16x16xf32> -> tensor<16x16xf32>",
    f"%0 = qti_aisw.MatMul(%x, %w) : ({T}, tensor<16x16xf32>) -> {T}",
    f"%1 = qti_aisw.ElementWiseAdd(%0, %x) : ({T}, {T}) -> {T}",
    f"%y = qti_aisw.Softmax(%1) {{axis = 1 : i64}} : ({T}) -> {T}",
)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_as_precise_as_f16(level: str) -> None:
    result = run(lower(LAYER, level=level, floats="f16"), X)
    assert result.dtype == np.float32
    assert 100 > noise_ratio(run(LAYER, X), result) > ENOUGH


def test_the_signature_may_be_f16() -> None:
    module, _ = halved(LAYER, signature=True)
    result = run(lower(module, floats="f16"), X.astype(np.float16))
    assert result.dtype == np.float16
    assert noise_ratio(run(LAYER, X), np.float32(result)) > ENOUGH


def test_a_mask_beyond_f16_leaves_numbers() -> None:
    """Where all of a row is masked f32 gives the Softmax of equal numbers, and so does f16."""
    module = graph(
        f"%x: {T}, %m: {T}",
        T,
        "%c = qti_aisw.Const dense<-1.0e9> : tensor<f32> -> tensor<f32>",
        f"%0 = qti_aisw.ElementWiseMultiply(%m, %c) : ({T}, tensor<f32>) -> {T}",
        f"%1 = qti_aisw.ElementWiseAdd(%x, %0) : ({T}, {T}) -> {T}",
        f"%y = qti_aisw.Softmax(%1) {{axis = 1 : i64}} : ({T}) -> {T}",
    )
    mask = np.float32(np.arange(64).reshape(4, 16) < 24)
    other, notes = halved(module)
    assert notes == []
    result = run(other, X, mask)
    np.testing.assert_allclose(result[0], 1 / 16, rtol=1e-3)
    assert noise_ratio(run(module, X, mask), result) > ENOUGH


def test_integers_are_counted_in_f32_until_they_meet_others() -> None:
    module = graph(
        f"%x: {T}, %n: tensor<1xi32>",
        T,
        "%c = qti_aisw.Const dense<0.7> : tensor<f32> -> tensor<f32>",
        "%0 = qti_aisw.Cast(%n) {to = f32} : (tensor<1xi32>) -> tensor<1xf32>",
        "%1 = qti_aisw.ElementWiseMultiply(%0, %c) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>",
        "%2 = qti_aisw.ElementWiseSin(%1) : (tensor<1xf32>) -> tensor<1xf32>",
        f"%y = qti_aisw.ElementWiseAdd(%x, %2) : ({T}, tensor<1xf32>) -> {T}",
    )
    other, notes = halved(module)
    assert notes == ["is of integers of many digits, and stays in f32"]
    assert dtypes(other, "ElementWiseSin") == [DType.Float32]
    assert dtypes(other, "ElementWiseAdd") == [DType.Float16]
    number = np.int32([1001])
    assert noise_ratio(run(module, X, number), run(other, X, number)) > ENOUGH


@pytest.mark.parametrize("factor", [300.0, 1.0])
def test_squares_are_summed_in_f32(factor: float) -> None:
    """Of 300 the square alone is beyond f16."""
    column, rows = "tensor<4x1xf32>", "{axes = array<i64: 1>, keep_dims = true}"
    module = graph(
        f"%x: {T}",
        T,
        f"%0 = qti_aisw.ElementWiseMultiply(%x, %x) : ({T}, {T}) -> {T}",
        f"%1 = qti_aisw.ReduceSum(%0) {rows} : ({T}) -> {column}",
        f"%2 = qti_aisw.ElementWiseSquareRoot(%1) : ({column}) -> {column}",
        f"%y = qti_aisw.ElementWiseDivide(%x, %2) : ({T}, {column}) -> {T}",
    )
    other, notes = halved(module)
    assert "sums squares, and stays in f32" in notes
    assert dtypes(other, "ElementWiseDivide") == [DType.Float16]
    assert noise_ratio(run(module, factor * X), run(other, factor * X)) > ENOUGH


def test_a_sum_beyond_f16_comes_back_by_its_count() -> None:
    wide = "tensor<1x5000xf32>"
    module = graph(
        f"%x: {wide}",
        "tensor<1xf32>",
        "%c = qti_aisw.Const dense<5000.0> : tensor<f32> -> tensor<f32>",
        f"%0 = qti_aisw.ReduceSum(%x) {{axes = array<i64: 1>}} : ({wide}) -> tensor<1xf32>",
        "%y = qti_aisw.ElementWiseDivide(%0, %c) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>",
    )
    other, notes = halved(module)
    assert notes == ["sums 5000 numbers, and stays in f32"]
    x = np.full((1, 5000), 100.0, np.float32)
    np.testing.assert_allclose(run(other, x), [100.0])


def test_what_the_model_asks_for_in_f32_stays() -> None:
    half = "tensor<4x16xf16>"
    module = graph(
        f"%x: {half}",
        half,
        f"%0 = qti_aisw.Cast(%x) {{to = f32}} : ({half}) -> {T}",
        f"%1 = qti_aisw.ElementWiseExp(%0) : ({T}) -> {T}",
        f"%2 = qti_aisw.ElementWiseLog(%1) : ({T}) -> {T}",
        f"%y = qti_aisw.Cast(%2) {{to = f16}} : ({T}) -> {half}",
    )
    other, _ = halved(module)
    assert dtypes(other, "ElementWiseLog") == [DType.Float32]
    large = np.float16(20 + X)
    np.testing.assert_array_equal(run(other, large), run(module, large))


QUANTISED = "tensor<4x16x!quant.uniform<u8:f32, 0.05:128>>"
MIXED = graph(
    f"%x: {T}",
    T,
    f"%0 = qti_aisw.Quantize(%x) {{to = !quant.uniform<u8:f32, 0.05:128>}} : ({T}) -> {QUANTISED}",
    f"%1 = qti_aisw.Relu(%0) : ({QUANTISED}) -> {QUANTISED}",
    f"%2 = qti_aisw.Dequantize(%1) : ({QUANTISED}) -> {T}",
    f"%y = qti_aisw.Softmax(%2) {{axis = 1 : i64}} : ({T}) -> {T}",
)


def test_what_is_quantised_stays_so_and_the_rest_is_f16() -> None:
    other, notes = halved(MIXED)
    assert notes == []
    assert dtypes(other, "Relu") == [DType.QUInt8]
    assert dtypes(other, "Softmax") == [DType.Float16]
    assert noise_ratio(run(MIXED, X), run(lower(other), X)) > ENOUGH


def test_weights_may_be_quantised_beside_f16() -> None:
    weights = "tensor<16x16x!quant.uniform<i8:f32, 0.02>>"
    module = graph(
        f"%x: {T}",
        T,
        f"%w = qti_aisw.Const dense<7> : tensor<16x16xi8> -> {weights}",
        f"%y = qti_aisw.FullyConnected(%x, %w) : ({T}, {weights}) -> {T}",
    )
    result = run(lower(module, floats="f16"), X)
    assert noise_ratio(run(module, X), result) > ENOUGH
