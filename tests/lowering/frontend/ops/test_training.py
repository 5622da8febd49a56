"""Steps of optimisers against ONNX's evaluator, at both ends of the lowering."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.optimisers import AdamOp
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from ..models import Arrays, floats, model_of

DOMAIN = "ai.onnx.preview.training"
NORM = {"norm_coefficient": 0.01}
MOMENTUM = {**NORM, "alpha": 0.95, "beta": 0.85}


def model(op: str, count: int, steps: int, weights: int = 1, **attributes: object) -> ModelProto:
    """A node with `count` values for each weight of 2x3; statistics are positive."""
    names = [f"v{at}" for at in range(count * weights)]
    outputs = [f"y{at}" for at in range((count - 1) * weights)]
    node = helper.make_node(op, ["rate", "steps", *names], outputs, domain=DOMAIN, **attributes)
    one = model_of([node], feeds(count, steps, weights), outputs)
    one.opset_import.add(domain=DOMAIN, version=1)
    return one


def feeds(count: int, steps: int, weights: int = 1) -> Arrays:
    values = {f"v{at}": np.abs(floats(2, 3, seed=at)) for at in range(count * weights)}
    return {"rate": np.array(0.1, np.float32), "steps": np.array(steps, np.int64), **values}


@pytest.mark.parametrize("steps", [0, 3])
@pytest.mark.parametrize(
    ("op", "count", "attributes"),
    [
        ("Adagrad", 3, {**NORM, "epsilon": 1e-3, "decay_factor": 0.1}),
        ("Adam", 4, {**NORM, "alpha": 0.8, "norm_coefficient_post": 0.1}),
        ("Adam", 4, {}),
        ("Momentum", 3, {**MOMENTUM, "mode": "standard"}),
        ("Momentum", 3, {**MOMENTUM, "mode": "nesterov"}),
    ],
)
def test_a_step(op: str, count: int, steps: int, attributes: dict[str, object]) -> None:
    one, inputs = model(op, count, steps, **attributes), dict(feeds(count, steps))
    module = import_model(one)
    wanted = ReferenceEvaluator(one).run(None, inputs)
    for level in (module, lower(module)):
        got = Session(level, check=True).run(inputs)
        for name, array in zip(got, wanted, strict=True):
            np.testing.assert_allclose(got[name], array, rtol=2e-4, atol=1e-6)


def test_weights_are_grouped_by_what_they_are() -> None:
    one, inputs = model("Adam", 4, 1, weights=2), dict(feeds(4, 1, weights=2))
    got = Session(import_model(one)).run(inputs)
    for name, wanted in zip(got, ReferenceEvaluator(one).run(None, inputs), strict=True):
        np.testing.assert_allclose(got[name], wanted, rtol=2e-4, atol=1e-6)


def test_adam_is_one_op() -> None:
    attributes = {"alpha": 0.8, "epsilon": 1e-3, **NORM, "norm_coefficient_post": 0.1}
    module = import_model(model("Adam", 4, 1, **attributes))
    (step,) = (op for op in module.walk() if isinstance(op, AdamOp))
    assert step.params() == pytest.approx(
        {"beta1": 0.8, "beta2": 0.999, "epsilon": 1e-3, "weight_decay": 0.01}
        | {"decoupled": False, "epsilon_hat": True}
    )


def test_f64_is_stepped_in_f64() -> None:
    inputs = {name: a.astype(np.float64) for name, a in feeds(3, 2).items() if name != "steps"}
    inputs["steps"] = np.array(2, np.int64)
    node = helper.make_node(
        *("Momentum", ["rate", "steps", "v0", "v1", "v2"], ["y0", "y1"]),
        domain=DOMAIN,
        **MOMENTUM,
        mode="standard",
    )
    one = model_of([node], inputs, ["y0", "y1"])
    one.opset_import.add(domain=DOMAIN, version=1)
    got = Session(import_model(one)).run(inputs)
    for name, wanted in zip(got, ReferenceEvaluator(one).run(None, inputs), strict=True):
        np.testing.assert_allclose(got[name], wanted, rtol=1e-14)


@pytest.mark.parametrize(
    ("op", "count", "attributes", "problem"),
    [
        ("Adam", 3, {}, "The sum of optimized tensor count"),
        ("Adagrad", 4, {}, "4 inputs are not 3 per weight"),
        ("Momentum", 3, {**MOMENTUM, "mode": "fast"}, "attribute 'mode' is fast"),
    ],
)
def test_what_is_no_step(op: str, count: int, attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError, match=problem):
        import_model(model(op, count, 1, **attributes))
