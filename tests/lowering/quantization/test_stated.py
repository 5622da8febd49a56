"""Encodings that a graph states itself: what takes them, what stays in floats and why."""

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.graph.raise_ops import Raise
from htp_mlir.lowering.quantization.measure import outputs_of
from htp_mlir.lowering.quantization.quantize import take_encodings
from xdsl.context import Context
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model, u8

from .kit import feeds_of, ops_of

STEP = 0.025
U8, SMALL = u8(STEP), u8(0.005, 0)


def stored(graph: Graph, value: SSAValue, to: tuple[DType, Quant] = U8) -> SSAValue:
    """The value after a Quantize and a Dequantize."""
    return graph.op("Dequantize", graph.op("Quantize", value, to=to))


def taken(model: Model) -> tuple[list[str], list[str]]:
    """The ops once encodings are taken, and the reasons; the numbers stay at every level."""
    feeds, module = feeds_of(model), model.module.clone()
    before = outputs_of(module, feeds)
    reasons = take_encodings(module)
    for after in (module, lower(module), lower(model.module)):
        for name, numbers in outputs_of(after, feeds, check=True).items():
            # One rounding that falls on the other side.
            np.testing.assert_allclose(numbers, before[name], atol=1.01 * STEP)
    return ops_of(module), [why for op, why in reasons.items() if op.parent is not None]


def test_a_pair_goes_and_its_op_computes_with_integers() -> None:
    graph = Graph()
    y = graph.op("Tanh", stored(graph, graph.input(2, 8)))
    graph.give("y", stored(graph, y))
    assert taken(graph.model()) == (["Quantize", "Tanh", "Dequantize"], [])


def test_what_is_only_moved_has_the_encoding_behind_it() -> None:
    graph = Graph()
    y = graph.op("Tanh", stored(graph, graph.input(2, 8)))
    y = graph.op("Transpose", graph.op("Reshape", y, shape=(4, 4)), perm=(1, 0))
    graph.give("y", stored(graph, y))
    ops = ["Quantize", "Tanh", "Reshape", "Transpose", "Dequantize"]
    assert taken(graph.model()) == (ops, [])


def test_an_op_whose_result_has_no_encoding_stays_and_says_so() -> None:
    graph = Graph()
    y = graph.op("Tanh", stored(graph, graph.input(2, 8)))
    graph.give("y", stored(graph, graph.op("Sigmoid", y)))
    ops, reasons = taken(graph.model())
    assert ops == ["Quantize", "Dequantize", "Tanh", "Sigmoid", "Quantize", "Dequantize"]
    assert reasons == ["its result has no encoding", "operand 'inp' has no encoding"]


def test_a_tensor_that_is_read_as_it_is_stays_exact() -> None:
    graph = Graph()
    y = graph.op("Tanh", stored(graph, graph.input(2, 8)))
    graph.give("exact", y)
    graph.give("y", stored(graph, y))
    assert taken(graph.model())[1] == ["its result has no encoding"]


def test_an_encoding_of_a_scale_for_each_channel_is_for_weights_alone() -> None:
    graph, each = Graph(), (DType.QInt8, Quant((0.02, 0.03), (0, 0), axis=1))
    y = graph.op("Tanh", stored(graph, graph.input(3, 2)))
    graph.give("y", stored(graph, y, each))
    ops, reasons = taken(graph.model())
    assert ops == ["Quantize", "Dequantize", "Tanh", "Quantize", "Dequantize"]
    assert reasons == ["its result has no encoding"]


def test_a_constant_off_the_grid_stays_exact_and_a_number_or_a_vector_needs_no_grid() -> None:
    squares = np.linspace(-1, 1, 16, dtype=np.float32).reshape(2, 8) ** 3
    for constant, reasons in (
        (squares, ["operand 'b' is a constant without an encoding"]),
        (squares[0], []),
        (np.array([0.3], np.float32), []),
    ):
        graph = Graph()
        x = stored(graph, graph.input(2, 8))
        y = graph.op("ElementWiseMultiply", x, graph.const(constant))
        graph.give("y", stored(graph, y))
        assert taken(graph.model())[1] == reasons


@pytest.mark.parametrize(
    ("op", "slot", "number", "integers"),
    [
        ("ElementWiseMultiply", "b", 0.3, True),
        ("ElementWiseMultiply", "a", 0.3, True),
        ("ElementWiseDivide", "b", 0.3, True),
        ("ElementWiseDivide", "a", 0.3, False),
        ("ElementWiseMultiply", "b", -0.3, False),
        ("ElementWiseAdd", "b", 0.3, False),
    ],
)
def test_a_grid_times_a_number_is_a_grid(op: str, slot: str, number: float, integers: bool) -> None:
    graph = Graph()
    x, by = stored(graph, graph.input(2, 8)), graph.const(np.array([number], np.float32))
    y = graph.op("Tanh", graph.op(op, *((x, by) if slot == "b" else (by, x))))
    graph.give("y", stored(graph, y))
    ops, reasons = taken(graph.model())
    assert not reasons if integers else reasons[0] == "its result has no encoding"
    assert ops[-2:] == (["Tanh", "Dequantize"] if integers else ["Quantize", "Dequantize"])


@pytest.mark.parametrize("dtype", [DType.QUInt16, DType.QInt16, DType.QInt8])
def test_other_grids_serve_as_well(dtype: DType) -> None:
    graph, encoding = Graph(), (dtype, Quant((STEP,), (0,)))
    x = stored(graph, graph.input(1, 6, 6, 4), encoding)
    filters = graph.weights(3, 3, 4, 8, of=(DType.QInt8, Quant((0.01,), (0,))))
    y = graph.op("Conv2d", x, graph.op("Dequantize", filters), graph.weights(8))
    graph.give("y", stored(graph, y, encoding))
    assert taken(graph.model()) == (["Quantize", "Conv2d", "Dequantize"], [])


def test_a_join_of_two_encodings_quantises_anew() -> None:
    graph = Graph()
    a, b = stored(graph, graph.input(2, 8)), stored(graph, graph.input(2, 8), SMALL)
    graph.give("y", stored(graph, graph.op("Concat", [a, b], axis=1)))
    ops = ["Quantize", "Quantize", "Quantize", "Concat", "Dequantize"]
    assert taken(graph.model()) == (ops, [])


def test_pixels_that_are_mixed_are_rounded_once() -> None:
    graph = Graph()
    x = stored(graph, graph.input(1, 4, 4, 8), u8(0.04))
    y = graph.op("Resize", x, size=(8, 8), interpolation_mode=1)
    graph.give("y", stored(graph, y))
    assert taken(graph.model()) == (["Quantize", "Resize", "Dequantize"], [])


@pytest.mark.parametrize("activation", ["Relu", "Gelu"])
def test_a_layer_is_rounded_before_its_activation_at_every_level(activation: str) -> None:
    graph, weights = Graph(), (DType.QInt8, Quant((0.01,), (0,)))
    x = graph.input(4, 16, of=u8(0.05))
    y = graph.op("FullyConnected", x, graph.weights(8, 16, of=weights), out=u8(0.2))
    graph.give("y", graph.op(activation, y, out=U8))
    model = graph.model()
    wanted = outputs_of(model.module, feeds_of(model))
    assert_same(outputs_of(lower(model.module), feeds_of(model), check=True), wanted)


def test_a_norm_behind_a_layer_of_stored_weights_goes_into_it() -> None:
    graph, weights = Graph(), (DType.QInt8, Quant((0.01,), (0,)))
    x = stored(graph, graph.input(1, 6, 6, 4))
    filters = graph.op("Dequantize", graph.weights(3, 3, 4, 8, of=weights))
    y = graph.op("Conv2d", x, filters, graph.weights(8))
    factors = graph.const(np.linspace(0.5, 1.5, 8, dtype=np.float32))
    y = graph.op("Batchnorm", y, factors, graph.weights(8))
    graph.give("y", stored(graph, y))
    model = graph.model()
    wanted = outputs_of(model.module, feeds_of(model))["y"]
    lowered = lower(model.module)
    layers = [op for op in lowered.walk() if "ConvLayer" in op.name]
    assert [spec_of(layer.operands[0]).dtype for layer in layers] == [DType.QUInt8]
    got = outputs_of(lowered, feeds_of(model), check=True)["y"]
    np.testing.assert_allclose(got, wanted, atol=1.01 * STEP)


def test_comparisons_read_integers() -> None:
    graph = Graph()
    a, b = (stored(graph, graph.input(2, 8)) for _ in range(2))
    larger = graph.op("ElementWiseGreater", a, b)
    graph.give("y", stored(graph, graph.op("ElementWiseSelect", larger, a, b)))
    ops = ["Quantize", "Quantize", "ElementWiseGreater", "ElementWiseSelect", "Dequantize"]
    assert taken(graph.model()) == (ops, [])


def test_integers_stay_as_they_are() -> None:
    graph = Graph()
    y = graph.op("Tanh", stored(graph, graph.input(2, 8)))
    graph.give("y", stored(graph, y))
    module = graph.model().module
    take_encodings(module)
    text = str(module)
    assert take_encodings(module) == {}
    assert str(module) == text


def test_integers_of_a_constant_are_put_on_another_grid() -> None:
    graph = Graph()
    scales = Quant((0.02, 0.03), (0, 0), axis=0)
    matrix = graph.const(np.arange(-8, 8, dtype=np.int8).reshape(2, 8), (DType.QInt8, scales))
    # Weights with a grid per channel, read with one for all.
    weights = graph.op("Quantize", matrix, to=U8)
    y = graph.op("FullyConnected", graph.op("Quantize", graph.input(2, 8), to=U8), weights)
    graph.give("y", stored(graph, graph.op("Dequantize", y)))
    assert taken(graph.model()) == (["Quantize", "FullyConnected", "Dequantize"], [])


@pytest.mark.parametrize(("kind", "count"), [("Gru", 1), ("Lstm", 1), ("Lstm", 2)])
def test_a_result_that_nothing_reads_needs_no_encoding(kind: str, count: int) -> None:
    graph, gates = Graph(), {"Gru": 12, "Lstm": 16}[kind]
    states = [stored(graph, graph.input(1, 1, 4)) for _ in range(count)]
    x, half = stored(graph, graph.input(2, 1, 3)), np.float32(0.5)
    weights = [graph.const(np.full((1, gates, size), half)) for size in (3, 4)]
    layer = graph.ops(kind, x, *weights, None, None, *states, hidden_size=4)
    graph.give("h", stored(graph, layer[1]))
    module = graph.model().module
    take_encodings(module)
    assert ops_of(module) == ["Quantize"] * (1 + count) + [kind, "Dequantize"]


def test_what_is_joined_of_floats_is_not_rounded_to_a_neighbours_grid() -> None:
    graph = Graph()
    x = stored(graph, graph.input(2, 8), u8(STEP, 100))
    turned = graph.op("Concat", [graph.op("ElementWiseNeg", x), x], axis=-1)
    graph.give("y", graph.op("ElementWiseMultiply", turned, turned))
    ops, reasons = taken(graph.model())
    assert ops == ["Quantize", "Dequantize", "ElementWiseNeg", "Concat", "ElementWiseMultiply"]
    assert "a tensor that it moves has no encoding" in reasons


def test_a_part_of_a_function_in_floats_stays_there_so_that_it_is_raised() -> None:
    graph = Graph()
    x = stored(graph, graph.input(2, 8))
    side = graph.op("ElementWiseErf", graph.op("ElementWiseDivide", x, graph.const(2**0.5)))
    side = graph.op("ElementWiseAdd", side, graph.const(1.0))
    y = graph.op("ElementWiseMultiply", graph.op("ElementWiseMultiply", x, graph.const(0.5)), side)
    graph.give("y", stored(graph, y))
    module = graph.model().module
    take_encodings(module)
    Raise().apply(Context(), module)
    take_encodings(module)
    assert ops_of(module) == ["Quantize", "Gelu", "Dequantize"]


def test_transposes_around_a_dequantize_are_one() -> None:
    graph = Graph()
    x = graph.op("Quantize", graph.input(2, 3, 4), to=U8)
    x = graph.op("Dequantize", graph.op("Transpose", x, perm=(0, 2, 1)))
    graph.give("y", graph.op("Transpose", x, perm=(1, 0, 2)))
    graph.give("z", graph.op("Transpose", x, perm=(0, 2, 1)))
    assert taken(graph.model()) == (["Quantize", "Transpose", "Dequantize", "Dequantize"], [])
