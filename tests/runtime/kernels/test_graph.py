"""Evaluators of graph ops: what they add to the op functions, and what keeps state."""

from collections.abc import Sequence

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw.base import GraphOp
from htp_mlir.dialects.qti_aisw.choices import BufferMode, Direction, MaskMode
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.runtime.functions import (
    conv,
    movement,
    norm,
    pool,
    reduce,
    rnn,
    transformers,
)
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernels.semantics.reference import GRAPH, GRAPH_STATEFUL

from tests.support.graph import F16, F32, Element, Graph, Param, u8

RNG = np.random.default_rng(11)


def normal(*shape: int) -> Array:
    return RNG.normal(0, 1, shape).astype(np.float32)


def made(
    name: str,
    operands: Sequence[Array | None],
    of: Element = F32,
    out: Element | None = None,
    **params: Param,
) -> GraphOp:
    """An op on constants of these values; floats have the element type `of`."""
    graph = Graph()
    values = [
        None if a is None else graph.const(a, None if a.dtype.kind in "ib" else of)
        for a in operands
    ]
    arguments = [values] if name == "Concat" else values
    op = graph.ops(name, *arguments, out=out, **params)[0].owner
    assert isinstance(op, GraphOp)
    return op


def given(op: GraphOp, operands: Sequence[Array | None]) -> list[Array | None]:
    """Values for all operands of the op, the absent ones at the end included."""
    more = len(op.get_irdl_definition().operands) - len(operands)
    return [*operands, *[None] * more]


def evaluated(name: str, *operands: Array | None, **params: Param) -> list[Array]:
    op = made(name, operands, **params)
    return list(GRAPH[name](op, given(op, operands)))


X, W = normal(2, 9, 7, 6), normal(3, 2, 6, 4)


def test_every_graph_op_has_an_evaluator() -> None:
    assert not set(GRAPH_OPS) - set(GRAPH) - set(GRAPH_STATEFUL)
    assert not set(GRAPH) & set(GRAPH_STATEFUL)


def test_an_absent_bias_is_no_bias() -> None:
    (result,) = evaluated("Conv2d", X, W, None, stride=(2, 1), pad_amount=(1, 0, 2, 1))
    expected = conv.conv2d(X, W, None, (2, 1), ((1, 0), (2, 1)), (1, 1), 1)
    np.testing.assert_array_equal(result, expected)


def test_a_reduction_drops_its_dims_unless_told() -> None:
    (dropped,) = evaluated("ReduceMean", X, axes=(1, -1))
    (kept,) = evaluated("ReduceMean", X, axes=(1, -1), keep_dims=True)
    np.testing.assert_array_equal(dropped, reduce.REDUCE["Mean"](X, (1, 3), False))
    assert kept.shape == (2, 1, 7, 1)
    (index,) = evaluated("Argmax", X, axis=-2)
    np.testing.assert_array_equal(index, X.argmax(2).astype(np.int32))


def test_optional_parts_of_norms() -> None:
    (result,) = evaluated("LayerNorm", X, axes=(-1,), epsilon=0.5)
    np.testing.assert_array_equal(result, norm.layer_norm(X, None, None, (3,), 0.5))
    gamma = normal(6)
    (result,) = evaluated("RmsNorm", X, gamma, axes=(3,), epsilon=0.5)
    np.testing.assert_array_equal(result, norm.rms_norm(X, gamma, None, (3,), 0.5))


def test_movements() -> None:
    parts = evaluated("Split", X, axis=1, split_index=(2, 5))
    assert [part.shape[1] for part in parts] == [2, 3, 4]
    np.testing.assert_array_equal(movement.concat(parts, 1), X)
    (joined,) = evaluated("Concat", X, X, axis=-1)
    np.testing.assert_array_equal(joined, movement.concat([X, X], 3))
    (taken,) = evaluated("Gather", X, np.array([[0, -1], [2, 2]], np.int32), axis=-1)
    np.testing.assert_array_equal(taken, X[..., [[0, -1], [2, 2]]])
    (shaped,) = evaluated("Reshape", X, shape=(18, 42))
    np.testing.assert_array_equal(shaped, X.reshape(18, 42))


def test_masked_softmax() -> None:
    data = normal(2, 3, 5, 5)
    mask = np.array([[1, 3], [0, 5]], np.int32)
    (result,) = evaluated("MaskedSoftmax", data, mask, mode=MaskMode.COMPRESSED)
    expected = transformers.masked_softmax(data, mask, transformers.MaskMode.COMPRESSED)
    np.testing.assert_array_equal(result, expected)
    with pytest.raises(HtpError, match=r"qti_aisw.MaskedSoftmax: .* add up to 7, more than the 5"):
        evaluated("MaskedSoftmax", data, mask + 1, mode=MaskMode.COMPRESSED)


def test_half_floats_are_computed_in_single() -> None:
    half = (normal(1, 4, 4, 8) * 3).astype(np.float16)
    op = made("Softmax", [half], of=F16, axis=-1)
    (result,) = GRAPH["Softmax"](op, [half])
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, norm.softmax(half.astype(np.float32)).astype(np.float16))


def test_quantised_data_is_computed_as_reals() -> None:
    stored = RNG.integers(0, 256, (1, 4, 4, 8)).astype(np.uint8)
    op = made("Relu", [stored], of=u8(0.1, 100), out=u8(0.05, 0))
    (codes,) = GRAPH["Relu"](op, [stored])
    real = (stored.astype(np.float64) - 100) * 0.1
    np.testing.assert_array_equal(codes, np.clip(np.rint(np.maximum(real, 0) / 0.05), 0, 255))


def test_quantised_data_moves_as_it_is_stored() -> None:
    stored = RNG.integers(0, 256, (1, 9, 7, 3)).astype(np.uint8)
    op = made("PoolMax2d", [stored], of=u8(0.1, 100), filter_size=(2, 3))
    (codes,) = GRAPH["PoolMax2d"](op, [stored])
    expected = pool.max_pool2d(stored, (2, 3), (1, 1), ((0, 0), (0, 0)), ceil=False)
    np.testing.assert_array_equal(codes, expected)


def test_the_narrow_range_of_an_encoding_holds() -> None:
    narrow = (DType.QInt8, Quant((0.1,), (0,), low=-7, high=7))
    values = np.array([-9.0, 0.25, 9.0], np.float32)
    op = made("Quantize", [values], to=narrow)
    (codes,) = GRAPH["Quantize"](op, [values])
    assert codes.tolist() == [-7, 2, 7]


ROW = np.ones((1, 2), np.float32)
TRACES = [
    (BufferMode.BLOCKING, 0, [None, None, "123", "234"]),
    (BufferMode.NON_BLOCKING_LEFT, 0, ["100", "120", "123", "234"]),
    (BufferMode.NON_BLOCKING_RIGHT, 0, ["001", "012", "123", "234"]),
    (BufferMode.BLOCKING, 2, ["001", "012", "123", "234"]),
]


@pytest.mark.parametrize(("mode", "padding", "expected"), TRACES)
def test_buffer(mode: BufferMode, padding: int, expected: list[str | None]) -> None:
    params = {"buffer_size": 3, "buffer_dim": 0, "buffer_padding": padding, "mode": mode}
    op, buffer = made("Buffer", [ROW], **params), GRAPH_STATEFUL["Buffer"]
    states = buffer.initial_state(op, [ROW, None])
    trace = []
    for t in range(1, 5):
        outputs, states = buffer.step(op, [t * ROW, None], states)
        column = None if outputs is None else outputs[0][:, 0].astype(int)
        trace.append(None if column is None else "".join(map(str, column)))
    assert trace == expected


def test_the_zeros_of_a_quantised_buffer() -> None:
    row = np.full((1, 2), 9, np.uint8)
    params = {"buffer_size": 2, "buffer_dim": 0, "mode": BufferMode.NON_BLOCKING_LEFT}
    op, buffer = made("Buffer", [row], of=u8(0.1, 7), **params), GRAPH_STATEFUL["Buffer"]
    outputs, _ = buffer.step(op, [row, None], buffer.initial_state(op, [row, None]))
    assert outputs is not None
    assert outputs[0].tolist() == [[9, 9], [7, 7]]


@pytest.mark.parametrize(("kind", "gates", "states"), [("Lstm", 4, 2), ("Gru", 3, 1)])
def test_stateful_layers_go_on_where_they_were(kind: str, gates: int, states: int) -> None:
    x, w, r = normal(6, 2, 3), normal(1, gates * 4, 3), normal(1, gates * 4, 4)
    first = [normal(1, 2, 4) for _ in range(states)]
    operands = [x[:3], w, r, None, None, *first]
    op, layer = made(f"Stateful{kind}", operands, hidden_size=4), GRAPH_STATEFUL[f"Stateful{kind}"]
    states_now = layer.initial_state(op, given(op, operands))
    np.testing.assert_array_equal(np.stack(states_now), np.stack(first))
    ys = []
    for chunk in (x[:3], x[3:]):
        outputs, states_now = layer.step(op, given(op, [chunk, *operands[1:]]), states_now)
        assert outputs is not None
        ys.append(outputs[0])
    whole = {"Lstm": rnn.lstm, "Gru": rnn.gru}[kind](x, w, r, None, None, *first)
    np.testing.assert_allclose(np.concatenate(ys), whole[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(np.stack(states_now), np.stack(whole[1:]), rtol=1e-6, atol=1e-6)


def test_states_are_zeros_where_nothing_is_given() -> None:
    operands = [normal(3, 2, 3), normal(2, 12, 3), normal(2, 12, 4)]
    params = {"hidden_size": 4, "direction": Direction.BIDIRECTIONAL}
    op, layer = made("StatefulGru", operands, **params), GRAPH_STATEFUL["StatefulGru"]
    (state,) = layer.initial_state(op, given(op, operands))
    assert layer.names == ("h",)
    np.testing.assert_array_equal(state, np.zeros((2, 2, 4), np.float32))


def test_a_wrong_length_names_op_and_value() -> None:
    operands = [normal(3, 1, 3), normal(1, 12, 3), normal(1, 12, 4), None, np.array([4], np.int32)]
    with pytest.raises(HtpError, match=r"qti_aisw.Gru: sequence length 4 is outside \[0, 3\]"):
        evaluated("Gru", *operands, hidden_size=4)
