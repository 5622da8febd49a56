"""Half precision: casts around values and around whole ops."""

import numpy as np
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.rules import (
    CAST_TO_FP16,
    CAST_TO_FP32,
    EARLY,
    IS_FLOAT32,
    MAKE_OP_FP16_AND_INSERT_CAST,
    OK,
    GraphOptions,
    Op,
    Rule,
    rule,
)
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import feeds
from tests.support.native_graph import NativeGraph

from ..kit import F16, U8, apply, assert_stays, built, chain, find, formula, text

RELAXED = GraphOptions(relaxed_precision_flag=True)


def dense() -> ModuleOp:
    """A FullyConnected in f32."""
    graph = NativeGraph()
    x, weights, bias = graph.input(1, 2, 3, 8), graph.random(5, 8), graph.random(5)
    return graph.module(graph.op("FullyConnected", x, weights, bias, out=(1, 2, 3, 5)))


def assert_close(before: ModuleOp, after: ModuleOp) -> None:
    """Equal up to what half precision keeps: 11 bits of every factor and of the sum."""
    session = Session(before)
    inputs = feeds(session)
    expected, result = session.run(inputs)["y0"], Session(after).run(inputs)["y0"]
    assert expected is not None
    assert result is not None
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, atol=4 * 2**-11 * float(np.max(np.abs(expected))))
    assert not np.array_equal(result, expected)


def test_op_in_half_precision_with_casts_around_it() -> None:
    half = MAKE_OP_FP16_AND_INSERT_CAST("*")
    member = rule(
        EARLY,
        Op("FullyConnected", "A", "W", "B"),
        IS_FLOAT32("*"),
        half,
        flags=["relaxed_precision_flag"],
    )
    assert_stays(dense(), member)
    module = dense()
    assert apply(module, member, options=RELAXED).firings == 1
    assert spec_of(find(module, "FullyConnected").results[0]).dtype is DType.Float16
    assert formula(module).startswith("Cast(FullyConnected(Cast(x0), Cast(const 1x1x5x8), Cast([")
    assert_close(dense(), module)


def test_a_quantised_op_is_left_as_it_is() -> None:
    graph = NativeGraph()
    module = graph.module(graph.op("Relu", graph.input(spec=U8)))
    assert_stays(module, rule(EARLY, Op("Relu", "X"), OK, MAKE_OP_FP16_AND_INSERT_CAST("*")))


def test_new_op_in_half_precision() -> None:
    member = rule(
        EARLY,
        Op("FullyConnected", "A", "W", "B"),
        IS_FLOAT32("*"),
        MAKE_OP_FP16_AND_INSERT_CAST(Op("FullyConnected", "A", "W", "B")),
    )
    module = dense()
    assert apply(module, member).firings == 1
    assert_close(dense(), module)


def test_params_and_shapes_are_not_cast() -> None:
    graph = NativeGraph()
    x, start, size = graph.input(1, 4, 1, 8), graph.shape(0, 1, 0, 0), graph.shape(1, 2, 1, 8)
    module = graph.module(graph.op("Slice_shape", x, start, size, out=(1, 2, 1, 8)))
    apply(module, halved("Slice_shape", "X", "S", "N"))
    assert formula(module) == "Cast(Slice_shape(Cast(x0), <0x1x0x0>, <1x2x1x8>))"
    graph = NativeGraph()
    x, axis, beta = graph.input(1, 1, 2, 4), graph.ints(3), graph.scalar(1.0)
    module = graph.module(graph.op("Softmax", x, axis, beta))
    apply(module, halved("Softmax", "X", "A", "B"))
    assert formula(module) == "Cast(Softmax(Cast(x0), [3], [1.0]))"


def halved(name: str, *tags: str) -> Rule:
    """The rule that takes an op to half precision."""
    return rule(EARLY, Op(name, *tags), IS_FLOAT32("*"), MAKE_OP_FP16_AND_INSERT_CAST("*"))


def test_casts_of_values() -> None:
    wide = rule(EARLY, Op("Neg", "X"), OK, CAST_TO_FP32(CAST_TO_FP16("X")))
    module = chain("Neg")
    apply(module, wide)
    assert formula(module) == "Cast(Cast(x0))"
    assert spec_of(find(module, "Cast").results[0]) == F16


def test_cast_of_what_has_the_dtype_already_does_nothing() -> None:
    graph = NativeGraph()
    half, whole = graph.input(spec=F16), graph.input(1, 2, 4, 8)
    assert text(built(CAST_TO_FP16("H"), F16, H=half)) == "x0"
    assert text(built(CAST_TO_FP32("W"), F16, W=whole)) == "x1"
    assert text(built(CAST_TO_FP32("H"), F16, H=half)) == "Cast(x0)"
