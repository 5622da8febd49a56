"""The keyword spotter made of PyTorch modules: the committed numbers, training, export."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session
from onnx.numpy_helper import to_array

from tests.support.paths import SPOTTER, SPOTTER_MODEL
from tests.support.spotter import spotter_modules

pytestmark = pytest.mark.needs("torch")


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
    example("export").load(model, SPOTTER_MODEL)
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_modules_write_the_committed_files(
    example: Callable[[str], ModuleType], trace: dict[str, Any], tmp_path: Path
) -> None:
    """The same ops of the same weights, and the same answers."""
    example("export").write(committed(example, 48), tmp_path)
    for file in ("model.onnx", "stateless.onnx"):
        new, old = (onnx.load(folder / file).graph for folder in (tmp_path, SPOTTER))
        assert [node.op_type for node in new.node] == [node.op_type for node in old.node]
        arrays, weights = ({t.name: to_array(t) for t in g.initializer} for g in (new, old))
        for name in weights:
            np.testing.assert_array_equal(arrays[name], weights[name])
    session = Session(lower(load_module(tmp_path / "model.onnx")), check=True)
    frames = trace["frames"][:, None, None, None]
    for step in range(140, 160):
        outputs = session.run({"frame": frames[step], "reset": trace["reset"][step]})
    np.testing.assert_allclose(outputs["probabilities"], trace["probabilities"][159:160], atol=1e-5)
