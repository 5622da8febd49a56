"""ONNX's op Attention as one op, against ONNX's evaluator: imported, lowered, and in tiles."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import helper
from xdsl.dialects.builtin import ModuleOp

from ..cases.case import Case, case, i64
from ..models import Arrays, floats, model_of
from ..test_bodies import assert_as_reference, modelled

Q, K, V = floats(2, 4, 5, 8), floats(2, 4, 7, 8, seed=1), floats(2, 4, 7, 6, seed=2)
SHARED = floats(2, 2, 7, 8), floats(2, 2, 7, 6)
PAST = floats(2, 4, 3, 8), floats(2, 4, 3, 6)
MASK = floats(5, 7)
NONE = np.where(np.arange(5)[:, None] == 2, -np.inf, MASK).astype(np.float32)
LENGTHS = i64(3, 7)
LONG = floats(1, 4, 65, 8), floats(1, 2, 65, 8), floats(1, 2, 65, 8)


def attention(*inputs, opset: int = 24, **attributes) -> Case:
    return case("Attention", *inputs, fixed=len(inputs), opset=opset, **attributes)


CASES = [
    attention(Q, K, V, opset=23),
    attention(Q, K, V, is_causal=1, opset=23),
    attention(Q, K, V, is_causal=1),
    attention(Q, K, V, softcap=2.0, scale=0.3, opset=23),
    attention(Q, *SHARED),
    *(attention(Q, K, V, mask) for mask in (MASK, MASK > 0, NONE, NONE > -1)),
    *(attention(Q, K, V, mask) for mask in (floats(4, 5, 7), floats(2, 1, 5, 7))),
    attention(Q, K, V, MASK[:, :5]),
    attention(Q, *SHARED, floats(2, 4, 5, 7), is_causal=1),
    attention(Q, K, V, None, *PAST, outputs=3),
    attention(Q, K, V, None, *PAST, outputs=3, is_causal=1),
    attention(Q, K, V, None, *PAST, is_causal=1, left_window_size=2, opset=25),
    attention(Q, K, V, left_window_size=1, right_window_size=2, opset=25),
    attention(Q, K, V, MASK[0] > 0, is_causal=1, left_window_size=2, opset=25),
    attention(Q, K, V, None, None, None, LENGTHS),
    attention(Q, K, V, MASK, None, None, LENGTHS, is_causal=1),
    attention(Q, K, V, None, None, None, LENGTHS, left_window_size=1, opset=25),
    attention(
        *(floats(2, 5, 32), floats(2, 7, 32), floats(2, 7, 24)), q_num_heads=4, kv_num_heads=4
    ),
    attention(
        *(floats(2, 5, 32), floats(2, 7, 16), floats(2, 7, 12)), q_num_heads=4, kv_num_heads=2
    ),
    *(attention(*(part[:, :, :n] for part in LONG), is_causal=1) for n in (1, 7, 33, 65)),
]


@pytest.mark.one_per
@pytest.mark.parametrize("one", CASES, ids=str)
def test_same_as_the_reference_at_every_level(one: Case) -> None:
    model, feeds = modelled(one)
    module = import_model(model)
    assert [op.name for op in module.walk()].count("qti_aisw.Attention") == 1
    for level in (module, lower(module), lower(module, tcm_bytes=1 << 14)):
        assert_as_reference(level, model, feeds)


def test_a_mask_may_be_constant() -> None:
    one = case("Attention", Q, K, V, NONE > -1, fixed=3, opset=23)
    model, feeds = modelled(one)
    assert_as_reference(lower(import_model(model)), model, feeds)


def outputs(module: ModuleOp, feeds: Arrays) -> Array:
    return np.asarray(Session(module, check=True).run(dict(feeds))["y0"])


def test_f16_is_rounded_once() -> None:
    """Its softmax may be asked for in f32, which it is in any case."""
    half = [x.astype(np.float16) for x in (Q, K, V)]
    model, feeds = modelled(attention(*half, softmax_precision=1))
    exact, _ = modelled(attention(Q, K, V))
    for level in (import_model(model), lower(import_model(model), tcm_bytes=1 << 14)):
        rounded = outputs(level, feeds)
        wide = {name: x.astype(np.float32) for name, x in feeds.items()}
        np.testing.assert_array_equal(
            rounded, outputs(import_model(exact), wide).astype(np.float16)
        )


def test_more_precision_than_f32_is_not_asked_of_f32() -> None:
    model, feeds = modelled(attention(Q, K, V, softmax_precision=11))
    assert_as_reference(lower(import_model(model)), model, feeds)


def test_a_depth_of_0_scores_nothing() -> None:
    """Every score is 0, so each query gets the mean of all values."""
    one = attention(floats(1, 2, 3, 0), floats(1, 2, 5, 0), floats(1, 2, 5, 4))
    model, feeds = modelled(one)
    mean = np.broadcast_to(feeds["x2"].mean(axis=2, keepdims=True), (1, 2, 3, 4))
    for level in (import_model(model), lower(import_model(model))):
        np.testing.assert_allclose(outputs(level, feeds), mean, rtol=1e-6, atol=1e-6)


def test_heads_must_divide_the_depth() -> None:
    nodes = [helper.make_node("Attention", ["q", "q", "q"], ["y"], q_num_heads=3, kv_num_heads=3)]
    model = model_of(nodes, {"q": floats(1, 5, 32)}, ["y"], {}, 23)
    with pytest.raises(HtpError, match="depth 32, attribute 'q_num_heads' is 3"):
        import_model(model)
