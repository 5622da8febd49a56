"""Ops without importers: ONNX's own bodies for them, against ONNX Runtime, lowered too."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.preparation import expansion
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

from .cases.case import (
    Case,
    case,
    f32,
    i64,
)
from .models import Arrays, floats, model_of

X = floats(2, 4, 6)
Q, K, V = floats(2, 4, 5, 8), floats(2, 4, 7, 8, seed=1), floats(2, 4, 7, 6, seed=2)
SHARED = floats(2, 2, 7, 8), floats(2, 2, 7, 6)
MASK = floats(5, 7)
IDS = i64(*range(10)).reshape(2, 5)
PAIRS = floats(2, 5, 4), floats(2, 5, 4, seed=1)
TABLES = floats(10, 4), floats(10, 4, seed=1)

ACTIVATIONS = [
    case("Celu", X, alpha=2.0),
    case("Shrink", X),
    case("Shrink", X, bias=0.3, lambd=0.4),
    case("ThresholdedRelu", X, alpha=0.25),
    case("Swish", X, alpha=0.5, opset=24),
]

NORMS = [
    case("RMSNormalization", X, floats(4, 6), axis=1, opset=23),
    case("GroupNormalization", floats(2, 4, 3, 5), floats(4), floats(4), num_groups=2),
    case("GroupNormalization", floats(2, 4, 3, 5), floats(2), floats(2), num_groups=2, opset=18),
    case("MeanVarianceNormalization", floats(2, 3, 4, 5)),
    case("MeanVarianceNormalization", floats(2, 3, 4, 5), axes=[1, 2], opset=11),
    case("LayerNormalization", X, floats(6), floats(6), outputs=3, fixed=3),
]

QUANTIZED = [
    case("DynamicQuantizeLinear", X, outputs=3),
    case("DynamicQuantizeLinear", np.abs(X) + 1, outputs=3),
    case("QuantizeLinear", X, np.array(0.02, np.float32), np.array(-7, np.int8), fixed=2),
    case("QuantizeLinear", X, np.array(0.02, np.float32), fixed=2),
    case("QuantizeLinear", X.astype(np.float16), np.float16(0.02), np.uint16(7), fixed=2),
]
"""Scales that are computed, or inputs of the model."""

ATTENTION = [
    case("Attention", Q, K, V, MASK, fixed=4, outputs=4, qk_matmul_output_mode=mode, opset=24)
    for mode in range(4)
]
"""The importer leaves nodes that show their scores."""

OF_RANK_5 = [
    case("Attention", Q, *SHARED, fixed=3, outputs=4, opset=23),
    case(
        *("Attention", floats(2, 5, 32), floats(2, 7, 16), floats(2, 7, 12)),
        **{"fixed": 3, "outputs": 4, "q_num_heads": 4, "kv_num_heads": 2, "opset": 23},
    ),
]
"""Bodies with tensors of rank 5."""


def modelled(one: Case) -> tuple[ModelProto, Arrays]:
    """The model of a case, and its inputs."""
    arrays = {f"x{i}": a for i, a in enumerate(one.inputs) if a is not None}
    names = ["" if a is None else f"x{i}" for i, a in enumerate(one.inputs)]
    outputs = [f"y{i}" for i in range(one.outputs)]
    node = helper.make_node(one.op, names, outputs, name="one", **one.attributes)
    feeds = {name: arrays[name] for name in names[: one.fixed] if name}
    constants = {name: a for name, a in arrays.items() if name not in feeds}
    return model_of([node], feeds, outputs, constants, one.opset), feeds


@pytest.mark.parametrize("one", [*ACTIVATIONS, *NORMS, *QUANTIZED, *ATTENTION, *OF_RANK_5], ids=str)
def test_same_as_the_reference_at_both_levels(one: Case) -> None:
    model, feeds = modelled(one)
    module = import_model(model)
    for level in (module, lower(module)):
        assert_as_reference(level, model, feeds)


def assert_as_reference(module: ModuleOp, model: ModelProto, feeds: Arrays) -> None:
    """Compare with onnx's evaluator, which takes opsets that ONNX Runtime does not."""
    results = Session(module, check=True).run(dict(feeds))
    for index, array in enumerate(ReferenceEvaluator(model).run(None, dict(feeds))):
        assert results[f"y{index}"].dtype == array.dtype
        np.testing.assert_allclose(results[f"y{index}"], array, rtol=1e-4, atol=1e-5)


def test_an_error_names_the_node_and_the_op_inside() -> None:
    model, _ = modelled(case("HannWindow", np.array(8, np.int64)))
    with pytest.raises(HtpError) as caught:
        import_model(model)
    (fault,) = caught.value.faults
    assert "(Range) inside node 'one' (HannWindow): its inputs must be constant" in fault.line()


def test_what_a_body_needs_may_come_from_another_body() -> None:
    """The shape of the second op's input is known only when the first one's body is there."""
    nodes = [
        helper.make_node("CenterCropPad", ["x", "size"], ["c"]),
        helper.make_node("Celu", ["c"], ["y0"]),
    ]
    model = model_of(nodes, {"x": X}, ["y0"], {"size": i64(4, 2, 8)})
    assert_as_reference(import_model(model), model, {"x": X})


def test_bodies_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "MAX_NODES", 50)
    with pytest.raises(HtpError) as caught:
        import_model(modelled(case("Attention", Q, K, V, fixed=3, outputs=4, opset=23))[0])
    first, second = caught.value.lines()
    assert first.startswith("model: expands to ")
    assert second.strip() == "at most 50 are taken"


def test_a_constant_is_cast_like_a_value_that_is_not() -> None:
    nodes = [
        helper.make_node("CastLike", ["shape", "ids"], ["c"]),
        helper.make_node("Reshape", ["x", "c"], ["y0"]),
    ]
    feeds = {"x": X, "ids": IDS}
    model = model_of(nodes, feeds, ["y0"], {"shape": f32(-1, 8)})
    assert_as_reference(import_model(model), model, feeds)


def test_empty_parts_of_a_split() -> None:
    nodes = [
        helper.make_node("Split", ["x", "sizes"], ["a", "b", "c"], axis=1),
        helper.make_node("Concat", ["b", "c", "a"], ["y0"], axis=1),
    ]
    model = model_of(nodes, {"x": X}, ["y0"], {"sizes": i64(0, 3, 1)})
    assert_as_reference(import_model(model), model, {"x": X})
