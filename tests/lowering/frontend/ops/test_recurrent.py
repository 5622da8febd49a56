"""RNN, LSTM and GRU against ONNX Runtime, with random weights; the block ops' params, faults."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, NodeProto, helper

from ..models import (
    Array,
    assert_same,
    floats,
    model_of,
)

SEQ, BATCH, INPUTS, HIDDEN = 5, 2, 3, 4
GATES = {"RNN": 1, "LSTM": 4, "GRU": 3}
LENGTHS = np.array([3, 5], np.int32)


def arrays(kind: str, directions: int) -> dict[str, Array]:
    rows = GATES[kind] * HIDDEN
    state = (directions, BATCH, HIDDEN)
    return {
        "X": floats(SEQ, BATCH, INPUTS),
        "W": floats(directions, rows, INPUTS),
        "R": floats(directions, rows, HIDDEN),
        "B": floats(directions, 2 * rows),
        "lens": LENGTHS,
        "h": floats(*state),
        "c": floats(*state, seed=1),
        "P": floats(directions, 3 * HIDDEN),
    }


def recurrent(kind: str, inputs: str, outputs: str, **attributes: object) -> None:
    """One node over the named inputs (`-` leaves one out) with the data as the only feeds."""
    both = attributes.get("direction") == "bidirectional"
    every = arrays(kind, 2 if both else 1)
    names = ["" if name == "-" else name for name in inputs.split()]
    wanted = ["" if name == "-" else name for name in outputs.split()]
    node = helper.make_node(kind, names, wanted, hidden_size=HIDDEN, **attributes)
    feeds = {name: every[name] for name in names if name in ("X", "lens", "h")}
    constants = {name: every[name] for name in names if name and name not in feeds}
    model = model_of([node], feeds, [name for name in wanted if name], constants)
    assert_same(model, feeds)
    module = import_model(model)
    session = Session(lower(module, tcm_bytes=1 << 20), check=True)
    for name, numbers in Session(module).run(feeds).items():
        np.testing.assert_allclose(session.run(feeds)[name], numbers, rtol=1e-4, atol=1e-5)


DIRECTIONS = ["forward", "reverse", "bidirectional"]


@pytest.mark.one_per("direction")
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("inputs", ["X W R", "X W R B lens h"])
@pytest.mark.parametrize("attributes", [{}, {"clip": 0.5}])
def test_rnn(attributes: dict[str, object], inputs: str, direction: str) -> None:
    recurrent("RNN", inputs, "Y Y_h", direction=direction, **attributes)


def test_an_rnn_of_tanh_is_one_op() -> None:
    """However long its sequence is."""
    every = arrays("RNN", 1)
    node = helper.make_node("RNN", ["X", "W", "R"], ["Y"], hidden_size=HIDDEN)
    model = model_of([node], {"X": every["X"]}, ["Y"], {n: every[n] for n in ("W", "R")})
    assert body_of(model).count("qti_aisw.Gru") == 1


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("activation", "alpha", "beta"),
    [
        *(("Relu", [], []), ("Sigmoid", [], []), ("Softsign", [], []), ("Softplus", [], [])),
        *(("Affine", [0.5], [0.25]), ("LeakyRelu", [0.2], []), ("Elu", [0.7], [])),
        *(("ThresholdedRelu", [0.3], []), ("ScaledTanh", [1.5], [0.6])),
        *(("HardSigmoid", [0.3], [0.4]), ("HardSigmoid", [], [])),
    ],
)
def test_activations(activation: str, alpha: list[float], beta: list[float]) -> None:
    numbers = {"activation_alpha": alpha, "activation_beta": beta}
    attributes = {name: each for name, each in numbers.items() if each}
    recurrent("RNN", "X W R B", "Y Y_h", activations=[activation], **attributes)


def test_batches_may_come_first() -> None:
    """ONNX Runtime has no such layout: the numbers are those of the other one."""
    every = arrays("LSTM", 2)
    names, moved = ("X", "h", "c"), {}
    for layout in (0, 1):
        feeds = {n: every[n].swapaxes(0, 1) if layout else every[n] for n in names}
        node = helper.make_node(
            *("LSTM", ["X", "W", "R", "", "", "h", "c"], ["Y", "Y_h", "Y_c"]),
            **{"hidden_size": HIDDEN, "direction": "bidirectional", "layout": layout},
        )
        constants = {n: every[n] for n in ("W", "R")}
        module = import_model(model_of([node], feeds, [*node.output], constants))
        moved[layout] = Session(module).run(feeds)
    np.testing.assert_array_equal(moved[1]["Y"], moved[0]["Y"].transpose(2, 0, 1, 3))
    for name in ("Y_h", "Y_c"):
        np.testing.assert_array_equal(moved[1][name], moved[0][name].swapaxes(0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("linear", [0, 1])
def test_gru_with_other_activations(linear: int) -> None:
    """Each direction takes its own numbers: the second LeakyRelu reads the second alpha."""
    recurrent(
        *("GRU", "X W R B lens h", "Y Y_h"),
        direction="bidirectional",
        activations=["HardSigmoid", "LeakyRelu", "Sigmoid", "LeakyRelu"],
        activation_alpha=[0.3, 0.1, 0.2],
        linear_before_reset=linear,
        clip=0.7,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attributes", "direction"),
    [({"clip": 0.4}, "forward"), ({}, "reverse"), ({"input_forget": 1}, "bidirectional")],
)
def test_lstm_with_other_activations(attributes: dict[str, object], direction: str) -> None:
    functions = ["HardSigmoid", "Relu", "Softsign"] * (2 if direction == "bidirectional" else 1)
    inputs = "X W R B lens h c P"
    recurrent("LSTM", inputs, "Y Y_h Y_c", activations=functions, direction=direction, **attributes)


@pytest.mark.one_per("direction")
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("inputs", ["X W R", "X W R B - h c P", "X W R B lens h c"])
def test_lstm(inputs: str, direction: str) -> None:
    recurrent("LSTM", inputs, "Y Y_h Y_c", direction=direction)


@pytest.mark.one_per("direction")
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("linear", [0, 1])
def test_gru(linear: int, direction: str) -> None:
    recurrent("GRU", "X W R B lens h", "Y Y_h", direction=direction, linear_before_reset=linear)


def test_outputs_may_be_left_out() -> None:
    recurrent("LSTM", "X W R B", "- Y_h")


@pytest.mark.parametrize("attributes", [{"clip": 0.3}, {"input_forget": 1}])
def test_lstm_variants(attributes: dict[str, object]) -> None:
    recurrent("LSTM", "X W R B", "Y Y_h Y_c", **attributes)


def test_default_activations_may_be_spelt_out() -> None:
    recurrent("GRU", "X W R", "Y", activations=["Sigmoid", "Tanh"])


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"activations": ["Sigmoid", "Sine"]}, "attribute 'activations' is Sigmoid, Sine"),
        ({"activations": ["Sigmoid"]}, "attribute 'activations' has 1 names"),
        ({"layout": 2}, "attribute 'layout' is 2, only 0 or 1 is supported"),
        ({"activation_alpha": [0.5]}, "'activation_alpha' has 1 numbers that nothing reads"),
        ({"hidden_size": 3, "activations": ["Tanh"] * 2}, "W is 1x12x3, it must be 1x9x3"),
        ({"direction": "sideways"}, "attribute 'direction' is sideways"),
    ],
)
def test_gru_refuses(attributes: dict[str, object], message: str) -> None:
    every = arrays("GRU", 1)
    attributes = {"hidden_size": HIDDEN, **attributes}
    node = helper.make_node("GRU", ["X", "W", "R"], ["Y"], **attributes)
    model = model_of([node], {"X": every["X"]}, ["Y"], {"W": every["W"], "R": every["R"]})
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert message in str(caught.value)
    assert "node of 'Y' (GRU)" in str(caught.value)


def block_model(node: NodeProto, feeds: dict[str, Array], outputs: list[str]) -> ModelProto:
    return model_of([node], feeds, outputs)


def block(op: str, inputs: list[str], outputs: list[str], **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs, outputs, name="it", domain="qti_aisw", **attributes)


def body_of(model: ModelProto) -> str:
    return str(import_model(model))


def test_buffer_defaults() -> None:
    node = block("Buffer", ["x"], ["y"], buffer_size=4, buffer_dim=1)
    text = body_of(block_model(node, {"x": floats(1, 1, 6)}, ["y"]))
    assert "qti_aisw.Buffer(%x) {buffer_size = 4 : i64, buffer_dim = 1 : i64}" in text
    assert "-> tensor<1x4x6xf32>" in text


def test_buffer_with_all_params() -> None:
    node = block(
        "Buffer",
        ["x", "reset"],
        ["y"],
        buffer_size=4,
        buffer_dim=1,
        buffer_padding=2,
        stride=2,
        mode=1,
    )
    feeds = {"x": floats(1, 2, 6), "reset": np.array(False)}
    text = body_of(block_model(node, feeds, ["y"]))
    for part in ("reset = %reset", "buffer_padding = 2", "stride = 2", "<NON_BLOCKING_LEFT>"):
        assert part in text


def test_masked_softmax_modes() -> None:
    feeds = {"x": floats(1, 2, 4, 4), "m": np.zeros((1, 4), np.int32)}
    for mode, word in ((0, ""), (1, "#qti_aisw.mask_mode<COMPRESSED>")):
        node = block("MaskedSoftmax", ["x", "m"], ["y"], mode=mode)
        text = body_of(block_model(node, feeds, ["y"]))
        assert "qti_aisw.MaskedSoftmax(%x, %m)" in text
        assert word in text


def test_stateful_ops_take_their_reset() -> None:
    for kind, names in (("GRU", "X W R - - h reset"), ("LSTM", "X W R - lens h c - reset")):
        every = {**arrays(kind, 1), "reset": np.array(True)}
        inputs = ["" if name == "-" else name for name in names.split()]
        op = f"Stateful{kind.capitalize()}"
        node = block(op, inputs, ["Y"], hidden_size=HIDDEN, clip=0.5)
        text = body_of(model_of([node], {n: every[n] for n in inputs if n}, ["Y"]))
        assert f"qti_aisw.{op}" in text
        assert "initial_h = %h" in text
        assert "reset = %reset" in text
        assert "clip = 5.000000e-01 : f32" in text


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (block("Buffer", ["x"], ["y"], buffer_size=4), "attribute 'buffer_dim' is missing"),
        (
            block("Buffer", ["x"], ["y"], buffer_size=4, buffer_dim=1, mode=3),
            "attribute 'mode' is 3; allowed are 0 (BLOCKING), 1 (NON_BLOCKING_LEFT)",
        ),
        (
            block("Buffer", ["x"], ["y"], buffer_size=5, buffer_dim=2),
            "(C3) param 'buffer_size' is 5, an inference brings 3 rows",
        ),
        (
            block("StatefulGru", ["x", "w", "r"], ["y"], hidden_size=4, layout=1),
            "attribute 'layout' is 1, only 0 is supported",
        ),
        (
            block("StatefulGru", ["x", "w", "r"], ["y"], hidden_size=4, activations=["Relu"] * 2),
            "attribute 'activations' is Relu, Relu",
        ),
        (block("StatefulGru", ["x", "w", "r"], ["y"]), "attribute 'hidden_size' is missing"),
    ],
)
def test_block_ops_refuse(node: NodeProto, message: str) -> None:
    feeds = {"x": floats(5, 2, 3), "w": floats(1, 12, 3), "r": floats(1, 12, 4)}
    with pytest.raises(HtpError) as caught:
        import_model(model_of([node], {n: feeds[n] for n in node.input}, ["y"]))
    assert message in caught.value.faults[0].line()
    assert caught.value.faults[0].where == f"node 'it' (qti_aisw.{node.op_type})"
