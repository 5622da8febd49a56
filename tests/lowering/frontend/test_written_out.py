"""Block ops behind ONNX Runtime's optimiser, which writes their bodies out, and raised again."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from htp_mlir.lowering import import_model, lower
from htp_mlir.lowering.frontend.onnx.blocks import (
    append_masked_softmax,
    append_outputs,
    append_stateful_gru,
    append_stateful_lstm,
)
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import RaiseBlockOps
from htp_mlir.runtime import Session
from onnx import ModelProto
from xdsl.dialects.builtin import ModuleOp

from .test_append_blocks import BOOL, F32, I32, empty, floats


def optimised(model: ModelProto, folder: Path) -> ModelProto:
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(folder / "optimised.onnx")
    ort.InferenceSession(model.SerializeToString(), options)
    return onnx.load(options.optimized_model_filepath)


def raised(model: ModelProto) -> ModuleOp:
    module = import_model(model)
    RaiseBlockOps().apply(installed().context(), module)
    return module


def recurrent(op: str, has_reset: bool) -> ModelProto:
    gates = 3 if op == "gru" else 4
    append = append_stateful_gru if op == "gru" else append_stateful_lstm
    weights = floats(1, gates * 6, 4), floats(1, gates * 6, 6), floats(1, gates * 12)
    model = empty(x=(F32, [5, 2, 4]), **({"reset": (BOOL, [])} if has_reset else {}))
    reset = {"reset": "reset"} if has_reset else {}
    append_outputs(model, *append(model, "x", *weights, initial_h=floats(2, 6), **reset))
    return model


@pytest.mark.parametrize("has_reset", [True, False], ids=["reset", "no reset"])
@pytest.mark.parametrize("op", ["gru", "lstm"])
def test_a_layer_keeps_its_state_again(op: str, has_reset: bool, tmp_path: Path) -> None:
    model = recurrent(op, has_reset)
    simple = optimised(model, tmp_path)
    assert {node.domain for node in simple.graph.node} == {""}
    before, module = Session(import_model(model)), raised(simple)
    for after in (Session(module, check=True), Session(lower(module), check=True)):
        before.reset()
        for step in range(4):
            feeds = {"x": floats(5, 2, 4)}
            feeds |= {"reset": np.array(step == 2)} if has_reset else {}
            expected, results = before.run(feeds).values(), after.run(feeds).values()
            for wanted, result in zip(expected, results, strict=True):
                np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


def test_a_masked_softmax_is_one_again(tmp_path: Path) -> None:
    model = empty(x=(F32, [2, 3, 4, 5]), mask=(I32, [2, 5]))
    append_outputs(model, append_masked_softmax(model, "x", "mask"))
    module = raised(optimised(model, tmp_path))
    assert any(op.name == "qti_aisw.MaskedSoftmax" for op in module.walk())
    mask = np.where(np.arange(10).reshape(2, 5) % 3 == 0, -10000, 0).astype(np.int32)
    feeds = {"x": floats(2, 3, 4, 5), "mask": mask}
    (expected,), (result,) = (Session(m).run(feeds).values() for m in (import_model(model), module))
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-7)
