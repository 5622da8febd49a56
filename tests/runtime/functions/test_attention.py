"""The reference of attention against ONNX's, and what ONNX leaves open."""

import math

import numpy as np
import pytest
from htp_mlir.runtime.functions.transformers import attention
from onnx import helper
from onnx.reference import ReferenceEvaluator

CLOSE = {"rtol": 1e-5, "atol": 2e-6}
RNG = np.random.default_rng(5)


def by_onnx(inputs, **attributes):
    """ONNX's own evaluator: ONNX Runtime has no kernel for every opset."""
    names = [f"x{index}" for index in range(len(inputs))]
    node = helper.make_node("Attention", names, ["y"], **attributes)
    values = [helper.make_tensor_value_info(name, 1, None) for name in (*names, "y")]
    graph = helper.make_graph([node], "attention", values[:-1], values[-1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)])
    return ReferenceEvaluator(model).run(None, dict(zip(names, inputs, strict=True)))


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("size", [1, 7, 33])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_heads_that_share_keys(size, groups):
    q, k, v = random(2, 4, size, 8), random(2, groups, 5, 8), random(2, groups, 5, 3)
    want = by_onnx([q, k, v], scale=0.3)[0]
    np.testing.assert_allclose(attention(q, k, v, None, 0.3), want, **CLOSE)


def test_mask_and_softcap():
    q, k, v, mask = random(1, 2, 6, 8), random(1, 2, 7, 8), random(1, 2, 7, 8), random(6, 7)
    mask[2, 3:] = -math.inf
    want = by_onnx([q, k, v, mask], scale=1.0, softcap=2.0)[0]
    np.testing.assert_allclose(attention(q, k, v, mask, 1.0, 2.0), want, **CLOSE)


def test_last_is_causal():
    q, k, v = random(1, 2, 6, 8), random(1, 2, 6, 8), random(1, 2, 6, 8)
    want = by_onnx([q, k, v], scale=1.0, is_causal=1)[0]
    np.testing.assert_allclose(attention(q, k, v, None, last=0), want, **CLOSE)


def test_a_window_of_one_key_gives_its_value():
    q, k, v = random(1, 1, 4, 8), random(1, 1, 6, 8), random(1, 1, 6, 3)
    np.testing.assert_array_equal(attention(q, k, v, None, first=2, last=2), v[:, :, 2:])


def test_a_query_without_keys_gives_zeros():
    q, k, v = random(1, 1, 3, 8), random(1, 1, 3, 8), random(1, 1, 3, 8)
    mask = np.array([[0, 0, 0], [-math.inf] * 3, [0, 0, 0]], np.float32)
    out = attention(q, k, v, mask)
    assert not out[0, 0, 1].any()
    assert out[0, 0, 0].all()
    assert not attention(q, k, v, None, last=-1)[0, 0, 0].any()


def test_a_masked_key_may_have_any_score():
    q, k, v = random(1, 1, 2, 8), random(1, 1, 3, 8), random(1, 1, 3, 8)
    mask = np.array([0, -math.inf, 0], np.float32)
    want = attention(q, k, v, mask)
    k[0, 0, 1] = math.inf
    np.testing.assert_array_equal(attention(q, k, v, mask), want)


def test_f16_is_rounded_once():
    q, k, v = (x.astype(np.float16) for x in (random(1, 2, 5, 8) for _ in range(3)))
    exact = attention(*(x.astype(np.float32) for x in (q, k, v)), None, 0.5)
    np.testing.assert_array_equal(attention(q, k, v, None, 0.5), exact.astype(np.float16))
