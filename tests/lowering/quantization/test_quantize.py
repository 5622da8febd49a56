"""Quantised graphs: each op at every level, block ops, what stays in floats, what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import ConstOp
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.dialects.qti_aisw.ops.rnn import StatefulGruOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering import lower
from htp_mlir.lowering.quantization import Encoding, Encodings, quantize
from htp_mlir.lowering.quantization.encodings import grid, symmetric
from htp_mlir.lowering.quantization.measure import outputs_of, worst_ratio

from tests.lowering.conversion.cases import CASES
from tests.support.graph import Graph, Model
from tests.support.roundtrip import assert_round_trips, to_text

from .kit import encodings_of, feeds_of, ops_of, quantised

OPS = [name for name in CASES if name != "ElementWiseAsin"]
"""All cases but that of numbers without an angle, which cannot be compared."""

STEPPED = {"Round": 18, "Sign": 18, "Floor": 18, "Ceil": 18, "Mod": 10}
"""The least ratio in dB of ops that jump: a number near a jump may fall on its other side."""


FUSED = ("FullyConnected",)
"""The cases in which lowering fuses an activation, and so leaves out a rounding."""


def least_ratio(op: str) -> float:
    return STEPPED.get(op.removeprefix("ElementWise"), 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPS)
def test_every_op_keeps_its_numbers_and_lowers(name: str) -> None:
    model = CASES[name]()
    module, feeds = quantised(model), feeds_of(model)
    assert_round_trips(to_text(module))
    exact, graph = outputs_of(model.module, feeds), outputs_of(module, feeds)
    assert worst_ratio(exact, graph) > least_ratio(name)
    lowered = outputs_of(lower(module), feeds, check=True)
    assert worst_ratio(graph, lowered) > (40 if name in FUSED else 90)


def conv() -> Model:
    graph = Graph()
    x = graph.input(1, 8, 8, 4)
    filters, bias = graph.weights(3, 3, 4, 8), graph.weights(8)
    y = graph.op("Conv2d", x, filters, bias, pad_amount=(1, 1, 1, 1))
    graph.give("y", graph.op("Relu", y))
    return graph.model()


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_every_level_gives_the_numbers_of_the_quantised_graph(level: str) -> None:
    model = conv()
    module, feeds = quantised(model), feeds_of(model)
    graph = outputs_of(module, feeds)
    assert 30 < worst_ratio(outputs_of(model.module, feeds), graph) < 60
    for name, value in outputs_of(lower(module, level=level), feeds).items():
        np.testing.assert_array_equal(value, graph[name])


def test_weights_are_per_channel_and_a_bias_is_in_i32() -> None:
    text = to_text(quantised(conv()))
    assert "tensor<3x3x4x8x!quant.uniform<i8:f32:3, {" in text
    assert "tensor<8x!quant.uniform<i32:f32:0, {" in text


def test_what_is_clipped_is_on_the_grid_of_the_clip() -> None:
    encodings = encodings_of(conv())
    before, after = encodings.activations["Conv2d"], encodings.activations["y"]
    assert before == after
    assert before.quant is not None
    assert before.quant.zero_points == (0,)


def test_a_buffer_keeps_the_encoding_of_its_input() -> None:
    graph = Graph()
    x = graph.input(1, 1, 8)
    mode = BufferMode.NON_BLOCKING_RIGHT
    graph.give("y", graph.op("Buffer", x, buffer_size=4, buffer_dim=1, mode=mode))
    encodings = encodings_of(graph.model())
    assert encodings.activations["y"] == encodings.activations["x0"]


def test_stateful_layers_are_integers() -> None:
    graph = Graph()
    x = graph.op("Relu", graph.input(2, 1, 4))
    y = graph.op("StatefulGru", x, graph.weights(1, 24, 4), graph.weights(1, 24, 8), hidden_size=8)
    graph.give("y", graph.op("Sigmoid", y))
    module = quantised(graph.model())
    assert ops_of(module) == ["Quantize", "Relu", "StatefulGru", "Sigmoid", "Dequantize"]
    (layer,) = (op for op in module.walk() if isinstance(op, StatefulGruOp))
    specs = {name: spec_of(value) for name, value in layer.named_operands().items()}
    assert [specs[name].dtype for name in "XWR"] == [DType.QUInt8, DType.QInt8, DType.QInt8]
    assert specs["R"].quant is not None
    assert specs["R"].quant.axis == 1


def test_a_state_begins_in_the_encoding_that_it_keeps() -> None:
    graph = Graph()
    x, first = graph.input(2, 1, 4), graph.input(1, 1, 8)
    weights = graph.weights(1, 32, 4), graph.weights(1, 32, 8)
    _, last, _ = graph.ops("StatefulLstm", x, *weights, None, None, first, hidden_size=8)
    graph.give("h", last)
    encodings = encodings_of(graph.model()).activations
    assert encodings["x1"] == encodings["h"]


def test_wide_activations_are_closer() -> None:
    model = conv()
    feeds = feeds_of(model)
    exact = outputs_of(model.module, feeds)
    narrow, wide = (outputs_of(quantised(model, of), feeds) for of in ("u8", "u16"))
    assert worst_ratio(exact, wide) > worst_ratio(exact, narrow) + 3


def test_an_infinite_constant_stays_in_floats() -> None:
    graph = Graph()
    mask = graph.const(np.array([0, -np.inf, 0, 0], np.float32))
    graph.give("y", graph.op("ElementWiseMaximum", graph.input(2, 4), mask))
    assert ops_of(quantised(graph.model())) == ["ElementWiseMaximum"]


def test_f16_goes_on_until_an_encoding_says_else() -> None:
    graph = Graph()
    sine = graph.op("ElementWiseSin", graph.input(2, 4))
    graph.give("y", graph.op("ElementWiseCos", graph.op("ElementWiseAbs", sine)))
    model = graph.model()
    half, whole = Encoding(DType.Float16), Encoding(DType.Float32)
    module = quantize(model.module, Encodings({"ElementWiseSin": half, "y": whole}))
    assert ops_of(module) == [
        *("Cast", "ElementWiseSin", "ElementWiseAbs", "Cast", "ElementWiseCos")
    ]
    feeds = feeds_of(model)
    assert worst_ratio(outputs_of(model.module, feeds), outputs_of(module, feeds)) > 55


def test_an_input_is_rounded_for_an_op_that_refuses_its_encodings() -> None:
    graph = Graph()
    graph.give("y", graph.op("MatMul", graph.input(2, 4), graph.weights(4, 3)))
    model, u8 = graph.model(), grid(-2, 2, DType.QUInt8)
    signed = {"MatMul.in1": symmetric([2.0], DType.QInt8, None)}
    module = quantize(model.module, Encodings({"x0": u8, "y": u8}, signed))
    assert ops_of(module)[:4] == ["Quantize", "Dequantize", "Dequantize", "MatMul"]


def test_only_the_ops_that_are_named_are_quantised() -> None:
    graph = Graph()
    y = graph.op("Tanh", graph.op("ElementWiseSin", graph.input(2, 4)))
    graph.give("y", y)
    model = graph.model()
    module = quantize(model.module, encodings_of(model), only={"y"})
    assert ops_of(module) == ["ElementWiseSin", "Quantize", "Tanh", "Dequantize"]


def test_all_encodings_that_do_not_fit_are_told() -> None:
    u8, per_axis = grid(-1, 1, DType.QUInt8), symmetric([1.0, 2.0], DType.QInt8, 0)
    wrong = Encodings({"z": u8, "Conv2d": per_axis}, {"Conv2d.filter": per_axis})
    with pytest.raises(HtpError) as caught:
        quantize(conv().module, wrong)
    assert [fault.line() for fault in caught.value.faults] == [
        "encoding 'z': the graph has no such tensor; leave it out",
        "encoding 'Conv2d': has a scale per channel, its tensor is no constant; give one scale",
        "encoding 'Conv2d.filter': has 2 scales, its tensor 8 channels; "
        "give one scale, or one for each output channel",
    ]


@pytest.mark.parametrize("is_calibrated", [True, False])
def test_weights_are_coarse_enough_for_a_bias_in_steps_of_the_product(is_calibrated: bool) -> None:
    graph = Graph()
    x = graph.input(1, 4, 4, 3, low=-1e-10, high=1e-10)
    filters, bias = graph.weights(1, 1, 3, 2), graph.const(np.array([1e-12, 0.5], np.float32))
    graph.give("y", graph.op("Conv2d", x, filters, bias))
    model = graph.model()
    encodings = encodings_of(model)
    if not is_calibrated:
        encodings = replace(encodings, params={})
    integers = quantize(model.module, encodings)
    (conv,) = (op for op in integers.walk() if op.name == "qti_aisw.Conv2d")
    data, weights, steps = (spec_of(value).quant for value in conv.operands)
    assert data
    assert weights
    assert steps
    assert np.allclose(steps.scales, np.multiply(weights.scales, data.scale), rtol=1e-6)
    assert isinstance(conv.operands[2].owner, ConstOp)
    reals = conv.operands[2].owner.array * steps.scales
    assert np.allclose(reals, [0, 0.5], rtol=1e-6, atol=1e-11)
