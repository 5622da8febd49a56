"""Functions that append block ops to an ONNX model, run by ONNX Runtime and as streams by ours."""

from collections.abc import Mapping

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model, lower
from htp_mlir.lowering.frontend.onnx.blocks import (
    append_buffer,
    append_masked_softmax,
    append_outputs,
    append_stateful_gru,
    append_stateful_lstm,
    to_compressed,
    to_uncompressed,
)
from htp_mlir.runtime import Session
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto
from onnx.helper import make_graph, make_model, make_opsetid, make_tensor_value_info

F32, BOOL, I32, I64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT32, TensorProto.INT64
Arrays = Mapping[str, NDArray[np.generic]]
_RNG = np.random.default_rng(5)
_X = _RNG.standard_normal((2, 3, 7, 7), np.float32)
_KEEP = np.array([[1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1, 0]], bool)
_PREFIX = np.arange(7) < np.array([[4], [7]])


def empty(**inputs: tuple[int, list[int]]) -> ModelProto:
    """A model without nodes."""
    values = [make_tensor_value_info(name, *type_) for name, type_ in inputs.items()]
    graph = make_graph([], "g", values, [])
    return make_model(graph, opset_imports=[make_opsetid("", 17)], ir_version=9)


def floats(*shape: int) -> NDArray[np.float32]:
    return _RNG.standard_normal(shape, np.float32)


def outputs(model: ModelProto, feeds: Arrays) -> list[NDArray[np.generic]]:
    """What ONNX Runtime and ours at both ends agree on, in a first inference."""
    onnx.checker.check_model(model)
    expected = ort.InferenceSession(model.SerializeToString()).run(None, dict(feeds))
    module = import_model(model)
    for level in (module, lower(module)):
        results = Session(level, check=True).run(dict(feeds)).values()
        for wanted, result in zip(expected, results, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)
    return list(expected)


def softmax(keep: NDArray[np.bool_]) -> NDArray[np.float32]:
    powers = np.exp(_X) * keep
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("mask", "keep"),
    [
        (_KEEP, _KEEP),
        (to_uncompressed(_KEEP), _KEEP),
        (np.where(_KEEP, 0, -np.inf).astype(np.float32), _KEEP),
        (np.where(_KEEP, 0, -1e9).astype(np.float32), _KEEP),
        (np.array([4, 7]), _PREFIX),
    ],
    ids=["truth", "integers", "additive", "least float", "lengths"],
)
@pytest.mark.parametrize("fed", [True, False], ids=["value", "array"])
def test_masks_in_all_forms_mask_alike(
    mask: NDArray[np.generic], keep: NDArray[np.bool_], fed: bool
) -> None:
    kinds = {"b": BOOL, "i": I32 if mask.dtype == np.int32 else I64, "f": F32}
    inputs = {"mask": (kinds[mask.dtype.kind], list(mask.shape))} if fed else {}
    model = empty(x=(F32, [2, 3, 7, 7]), **inputs)
    append_outputs(model, append_masked_softmax(model, "x", "mask" if fed else mask))
    (out,) = outputs(model, {"x": _X} | ({"mask": mask} if fed else {}))
    np.testing.assert_allclose(out, softmax(keep[:, None, None]), rtol=1e-5, atol=1e-7)


def test_packed_sequences_see_themselves_alone() -> None:
    blocks = np.zeros((2, 7, 7), bool)
    for batch, start, end in ((0, 0, 3), (0, 3, 7), (1, 0, 5)):
        blocks[batch, start:end, start:end] = True
    model = empty(x=(F32, [2, 3, 7, 7]))
    lengths = to_compressed(blocks)
    append_outputs(model, append_masked_softmax(model, "x", lengths, mode="COMPRESSED"))
    (out,) = outputs(model, {"x": _X})
    np.testing.assert_allclose(out, softmax(blocks[:, None]), rtol=1e-5, atol=1e-7)


def test_a_buffer_fills_and_is_reset() -> None:
    model = empty(x=(F32, [1, 1]), reset=(BOOL, []))
    row = append_buffer(
        model, "x", buffer_size=3, buffer_dim=1, mode="NON_BLOCKING_LEFT", reset="reset"
    )
    append_outputs(model, row)
    session = Session(lower(import_model(model)), check=True)
    rows = [
        session.run({"x": np.full((1, 1), n, np.float32), "reset": np.array(n == 5)})[row].tolist()
        for n in range(1, 7)
    ]
    assert rows == [[[1, 0, 0]], [[1, 2, 0]], [[1, 2, 3]], [[2, 3, 4]], [[5, 0, 0]], [[5, 6, 0]]]


@pytest.mark.one_per
@pytest.mark.parametrize("lens", [None, np.array([5, 2])], ids=["all", "lengths"])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("op", ["gru", "lstm"])
def test_recurrent_ops_are_those_of_onnx_after_a_reset(
    op: str, direction: str, lens: NDArray[np.int64] | None
) -> None:
    gates, count = (3, 1) if op == "gru" else (4, 2)
    append = append_stateful_gru if op == "gru" else append_stateful_lstm
    ways = 2 if direction == "bidirectional" else 1
    weights = floats(ways, gates * 6, 4), floats(ways, gates * 6, 6), floats(ways, gates * 12)
    states = dict(zip(("initial_h", "initial_c"), floats(count, ways, 2, 6), strict=False))
    model = empty(x=(F32, [5, 2, 4]), reset=(BOOL, []))
    names = append(
        model, "x", *weights, reset="reset", sequence_lens=lens, direction=direction, **states
    )
    append_outputs(model, *names)
    outputs(model, {"x": floats(5, 2, 4), "reset": np.array(True)})


def test_states_go_on_from_chunk_to_chunk() -> None:
    whole, chunks = ({}, {})
    weights = floats(1, 18, 4), floats(1, 18, 6), floats(1, 36)
    x, state = floats(8, 1, 4), floats(1, 6)
    for results, steps in ((whole, 8), (chunks, 2)):
        model = empty(x=(F32, [steps, 1, 4]))
        names = append_stateful_gru(model, "x", *weights, initial_h=state)
        append_outputs(model, *names)
        session = Session(lower(import_model(model)), check=True)
        parts = [session.run({"x": x[at : at + steps]})[names.Y] for at in range(0, 8, steps)]
        results["Y"] = np.concatenate([np.asarray(part) for part in parts])
    np.testing.assert_allclose(chunks["Y"], whole["Y"], rtol=1e-6, atol=1e-6)


def test_names_never_clash() -> None:
    model = empty(x=(F32, [1, 1, 4]))
    first = append_buffer(model, "x", buffer_size=2, buffer_dim=1, mode="NON_BLOCKING_LEFT")
    second = append_buffer(model, first, buffer_size=4, buffer_dim=1, stride=2, mode="BLOCKING")
    assert (first, second) == ("buffer.out", "buffer_2.out")
    assert [function.name for function in model.functions] == ["Buffer"]
    append_outputs(model, second)
    onnx.checker.check_model(model, full_check=True)


def test_faults_name_the_node_and_what_is_there() -> None:
    model = empty(x=(F32, [1, 1, 4]), w=(F32, []))
    with pytest.raises(HtpError) as raised:
        append_buffer(model, "y", buffer_size=2, buffer_dim=1, mode="NON_BLOCKING_LEFT")
    assert raised.value.lines() == [
        "node 'buffer': input 'y' is no value of the model",
        "  known are x, w",
    ]
    with pytest.raises(HtpError, match="mode 'LEFT' is not known"):
        append_buffer(model, "x", buffer_size=2, buffer_dim=1, mode="LEFT")
    with pytest.raises(HtpError, match="the shape of R is not known"):
        append_stateful_gru(model, "x", "w", "w")
    with pytest.raises(HtpError, match="its type does not follow"):
        append_outputs(model, "nowhere")
