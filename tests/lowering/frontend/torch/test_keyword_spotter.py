"""The keyword spotter made of PyTorch modules: the committed numbers, training, export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.torch import export_onnx
from htp_mlir.runtime import Session
from onnx.numpy_helper import to_array

from tests.support.paths import SPOTTER, SPOTTER_MODEL
from tests.support.spotter import spotter_modules


@pytest.fixture(scope="module")
def example() -> Iterator[Callable[[str], ModuleType]]:
    with spotter_modules() as imported:
        yield imported


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    with np.load(SPOTTER / "trace.npz") as arrays:
        return dict(arrays)


def committed(example: Callable[[str], ModuleType], steps: int) -> Any:
    """The model with the committed weights."""
    model = example("model").KeywordSpotter(steps).eval()
    tensors = onnx.load(SPOTTER_MODEL).graph.initializer
    model.load({tensor.name: to_array(tensor) for tensor in tensors})
    return model


def test_the_committed_weights_give_the_committed_numbers(
    example: Callable[[str], ModuleType], trace: dict[str, Any]
) -> None:
    model = committed(example, 1)
    result = example("train").answers(model, trace["frames"], trace["reset"])
    np.testing.assert_allclose(result, trace["probabilities"], atol=1e-5)


@pytest.mark.parametrize("steps", [2, 15, 50])
def test_many_frames_a_call_give_what_one_a_call_gives(
    example: Callable[[str], ModuleType], trace: dict[str, Any], steps: int
) -> None:
    model = committed(example, steps)
    with torch.no_grad():
        chunks = torch.from_numpy(trace["frames"][None]).split(steps, 1)
        logits = [model(chunk, number * steps == 150)[0][0] for number, chunk in enumerate(chunks)]
    result = torch.cat(logits).softmax(-1).numpy()
    np.testing.assert_allclose(result, trace["probabilities"], atol=1e-5)


def test_weights_go_out_as_they_came_in(example: Callable[[str], ModuleType]) -> None:
    model = committed(example, 1)
    for tensor in onnx.load(SPOTTER_MODEL).graph.initializer:
        if tensor.name in model.weights():
            assert np.array_equal(model.weights()[tensor.name], to_array(tensor))
    assert len(model.weights()) == 17


def test_a_few_steps_of_training_learn(
    example: Callable[[str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    train = example("train")
    monkeypatch.setattr(train, "STREAMS", 2)
    monkeypatch.setattr(train, "CHUNK", 16)
    monkeypatch.setattr(train, "CHUNKS", 10)
    torch.manual_seed(7)
    model = example("model").KeywordSpotter(16)
    train.train(model, 40)
    losses = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert len(losses) == 2
    assert losses[1] < losses[0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_exported_modules_answer_as_the_committed_model(
    example: Callable[[str], ModuleType], trace: dict[str, Any], tmp_path: Path
) -> None:
    path, frame = tmp_path / "model.onnx", torch.zeros(1, 1, 40)
    names = {"input_names": ["frame", "reset"], "output_names": ["logits", "features"]}
    export_onnx(committed(example, 1), (frame, torch.tensor(True)), path, **names)
    blocks = [node.op_type for node in onnx.load(path).graph.node if node.domain == "qti_aisw"]
    assert blocks == ["Buffer", "StatefulGru", "StatefulLstm", "Buffer", "MaskedSoftmax"]
    session = Session(lower(load_module(path)), check=True)
    for step in range(140, 160):
        feeds = {"frame": trace["frames"][step, None, None], "reset": trace["reset"][step]}
        logits = session.run(feeds)["logits"]
    assert logits is not None
    powers = np.exp(logits - logits.max())
    np.testing.assert_allclose(
        (powers / powers.sum()).ravel(), trace["probabilities"][159], atol=1e-5
    )
