"""Attention as exporters of PyTorch write it, from ONNX down to a TCM of 1 MiB."""

from collections.abc import Callable

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import ModelProto, NodeProto, helper

from tests.support.feeds import assert_same

from ..models import (
    Array,
    floats,
    judged,
    model_of,
)

L, N, E, H = 7, 2, 33 * 4, 4
"""Steps, sequences, features and heads."""

FEEDS = {"x": floats(L, N, E)}
HEAD = {
    "heads": np.array([L, N * H, E // H]),
    "rows": np.array([L * N, E]),
    "result": np.array([L, N, E]),
}


def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def weights() -> dict[str, Array]:
    return {
        "w_in": floats(E, 3 * E, seed=1) / np.float32(E),
        "b_in": floats(3 * E, seed=2),
        "w_out": floats(E, E, seed=3) / np.float32(E),
        "scale": np.array((E // H) ** -0.5, np.float32),
        "three": np.array([L, N, 3, E]),
        "zero": np.array([0]),
        "third": np.array([-2]),
        **{f"i{index}": np.array(index) for index in range(3)},
    }


def projected() -> list[NodeProto]:
    """Queries, keys and values in one product, then unflatten, unsqueeze, transpose, squeeze."""
    return [
        node("MatMul", "x w_in", "product"),
        node("Add", "product b_in", "sum"),
        node("Reshape", "sum three", "unflat"),
        node("Unsqueeze", "unflat zero", "deep"),
        node("Transpose", "deep", "turned", perm=[3, 1, 2, 0, 4]),
        node("Squeeze", "turned third", "parts"),
        *(node("Gather", f"parts i{index}", name, axis=0) for index, name in enumerate("qkv")),
    ]


def torchscript() -> ModelProto:
    """Heads share a dim with the batch, as in the exporter by tracing."""
    nodes = [
        *projected(),
        *(node("Reshape", f"{name} heads", f"{name}_long") for name in "qkv"),
        *(node("Transpose", f"{name}_long", f"{name}h", perm=[1, 0, 2]) for name in "qv"),
        node("Transpose", "k_long", "kt", perm=[1, 2, 0]),
        node("Mul", "qh scale", "scaled"),
        node("MatMul", "scaled kt", "scores"),
        node("Softmax", "scores", "attention", axis=-1),
        node("MatMul", "attention vh", "mixed"),
        node("Transpose", "mixed", "back", perm=[1, 0, 2]),
        node("Reshape", "back rows", "joined"),
        node("MatMul", "joined w_out", "out"),
        node("Reshape", "out result", "y"),
    ]
    return model_of(nodes, FEEDS, ["y"], weights() | HEAD)


def dynamo() -> ModelProto:
    """Heads have a dim of their own; the QKV parts are cut from rank 5, as by torch.export."""
    constants = weights() | {
        "five": np.array([L, N, 3, H, E // H]),
        "result": np.array([L, N, E]),
        "first": np.array([0]),
    }
    nodes = [
        node("MatMul", "x w_in", "product"),
        node("Add", "product b_in", "sum"),
        node("Reshape", "sum five", "deep"),
        node("Transpose", "deep", "turned", perm=[2, 1, 3, 0, 4]),
        node("Split", "turned", "q5 k5 v5", axis=0, num_outputs=3),
        *(node("Squeeze", f"{name}5 first", name) for name in "qkv"),
        node("Transpose", "k", "kt", perm=[0, 1, 3, 2]),
        node("MatMul", "q kt", "raw"),
        node("Mul", "raw scale", "scores"),
        node("Softmax", "scores", "attention", axis=-1),
        node("MatMul", "attention v", "mixed"),
        node("Transpose", "mixed", "back", perm=[2, 0, 1, 3]),
        node("Reshape", "back result", "joined"),
        node("MatMul", "joined w_out", "y"),
    ]
    return model_of(nodes, FEEDS, ["y"], constants)


@pytest.mark.parametrize("export", [torchscript, dynamo])
def test_attention_lowers(export: Callable[[], ModelProto]) -> None:
    model = export()
    expected = judged(model, FEEDS)
    module = import_model(model)
    assert_same(Session(module).run(FEEDS), expected)
    lowered = lower(module, tcm_bytes=1 << 20)
    assert_same(Session(lowered, check=True).run(FEEDS), expected)
