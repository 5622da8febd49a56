"""LSTM and GRU against ONNX Runtime, with random weights; the block ops' params and faults."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import ModelProto, NodeProto, helper

from .models import Array, assert_same, floats, model_of

SEQ, BATCH, INPUTS, HIDDEN = 5, 2, 3, 4
GATES = {"LSTM": 4, "GRU": 3}
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
    assert_same(model_of([node], feeds, [name for name in wanted if name], constants), feeds)


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("inputs", ["X W R", "X W R B - h c P", "X W R B lens h c"])
def test_lstm(inputs: str, direction: str) -> None:
    recurrent("LSTM", inputs, "Y Y_h Y_c", direction=direction)


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
    ("attributes", "found"),
    [
        ({"activations": ["Sigmoid", "Relu"]}, "attribute 'activations' is Sigmoid, Relu"),
        ({"layout": 1}, "attribute 'layout' is 1, only 0 is supported"),
        ({"activation_alpha": [0.5]}, "attribute 'activation_alpha' is not supported"),
        ({"direction": "sideways"}, "attribute 'direction' is sideways"),
    ],
)
def test_gru_refuses(attributes: dict[str, object], found: str) -> None:
    every = arrays("GRU", 1)
    node = helper.make_node("GRU", ["X", "W", "R"], ["Y"], hidden_size=HIDDEN, **attributes)
    model = model_of([node], {"X": every["X"]}, ["Y"], {"W": every["W"], "R": every["R"]})
    with pytest.raises(HtpError) as caught:
        import_model(model)
    assert found in str(caught.value)
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
    ("node", "found"),
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
def test_block_ops_refuse(node: NodeProto, found: str) -> None:
    feeds = {"x": floats(5, 2, 3), "w": floats(1, 12, 3), "r": floats(1, 12, 4)}
    with pytest.raises(HtpError) as caught:
        import_model(model_of([node], {n: feeds[n] for n in node.input}, ["y"]))
    assert found in caught.value.faults[0].line()
    assert caught.value.faults[0].where == f"node 'it' (qti_aisw.{node.op_type})"
