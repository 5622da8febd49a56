"""GRU and LSTM of PyTorch, and what from_torch makes of them: the same numbers, and a state."""

from pathlib import Path

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.torch import StatefulLayers, export_onnx, from_torch, reset_states
from htp_mlir.runtime import Session
from torch import nn

pytestmark = pytest.mark.needs("torch")

LAYERS = [
    kind(5, 6, num_layers=count, bidirectional=both, batch_first=first, bias=bias)
    for kind in (nn.GRU, nn.LSTM)
    for count, both, first, bias in (
        (1, False, False, True),
        (1, True, True, False),
        (3, False, True, True),
        (2, True, False, True),
    )
]


def states(layer: nn.GRU | nn.LSTM, batch: int) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    shape = layer.num_layers * (2 if layer.bidirectional else 1), batch, 6
    h, c = torch.randn(2, *shape)
    return h if isinstance(layer, nn.GRU) else (h, c)


def assert_alike(results: object, expected: object) -> None:
    for ours, theirs in zip(_flat(results), _flat(expected), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6), (ours - theirs).abs().max()


def _flat(value: object) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    assert isinstance(value, tuple)
    return [tensor for part in value for tensor in _flat(part)]


@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_without_a_state_every_call_answers_as_pytorch(layer: nn.GRU | nn.LSTM) -> None:
    torch.manual_seed(2)
    ours = from_torch(layer, stateful=False)
    for x in torch.randn(3, 4, 4, 5):
        assert_alike(ours(x), layer(x))
    hx = states(layer, 4)
    assert_alike(ours(x, hx), layer(x, hx))


@pytest.mark.parametrize("layer", [LAYERS[0], LAYERS[2], LAYERS[4]], ids=str)
def test_with_a_state_chunks_answer_as_the_whole(layer: nn.GRU | nn.LSTM) -> None:
    torch.manual_seed(2)
    ours = from_torch(layer)
    time = 1 if layer.batch_first else 0
    x = torch.randn(6, 6, 5)
    chunks = [ours(part, reset=number == 0)[0] for number, part in enumerate(x.split(2, time))]
    assert_alike(torch.cat(chunks, time), layer(x)[0])


def test_a_sequence_without_a_batch() -> None:
    layer = nn.LSTM(5, 6, num_layers=2)
    x = torch.randn(4, 5)
    assert_alike(from_torch(layer)(x), layer(x))


def test_dropout_between_layers_is_for_training_alone() -> None:
    layer = nn.GRU(5, 6, num_layers=2, dropout=0.5)
    ours, x = from_torch(layer, stateful=False), torch.randn(4, 1, 5)
    assert not torch.equal(ours(x)[0], ours(x)[0])
    assert torch.equal(ours.eval()(x)[0], ours(x)[0])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.parametrize("stateful", [True, False])
def test_layers_lower_and_run(tmp_path: Path, stateful: bool, dynamo: bool) -> None:
    torch.manual_seed(4)
    ours = from_torch(nn.LSTM(5, 6, num_layers=2, batch_first=True), stateful=stateful).eval()
    path = tmp_path / "layers.onnx"
    options = {"opset_version": 20, "input_names": ["x"], "dynamo": dynamo}
    export_onnx(ours, (torch.zeros(1, 3, 5),), path, **options)
    session = Session(lower(load_module(path)), check=True)
    reset_states(ours)
    for x in torch.randn(3, 1, 3, 5):
        expected = [tensor.detach().numpy() for tensor in _flat(ours(x))]
        for wanted, out in zip(expected, session.run({"x": x.numpy()}).values(), strict=True):
            np.testing.assert_allclose(out, wanted, rtol=1e-5, atol=1e-6)


def test_faults_name_what_the_block_op_does_not_have() -> None:
    with pytest.raises(HtpError, match="LSTM: proj_size is 3"):
        from_torch(nn.LSTM(5, 6, proj_size=3))
    packed = nn.utils.rnn.pack_sequence([torch.ones(2, 5)])
    layers: StatefulLayers = from_torch(nn.GRU(5, 6))
    with pytest.raises(HtpError) as raised:
        layers(packed)
    assert raised.value.lines() == [
        "StatefulLayers: the input is a PackedSequence",
        "  pass a padded tensor and lengths=",
    ]
