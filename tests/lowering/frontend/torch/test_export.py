"""Modules with block ops through both exporters of PyTorch, run as streams at both ends."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
import torch
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.torch import (
    Buffer,
    MaskedSoftmax,
    StatefulGru,
    StatefulLstm,
    export_onnx,
    reset_states,
)
from htp_mlir.runtime import Session
from torch import Tensor, nn

WARNINGS = pytest.mark.filterwarnings(
    # PyTorch's own: its older exporter is on its way out, its newer one uses what its own trees
    # deprecate.
    "ignore::DeprecationWarning",
    "ignore::FutureWarning",
    "ignore::UserWarning",
)
pytestmark = [WARNINGS, pytest.mark.needs("torch")]


class Stream(nn.Module):
    """All four block ops, one behind the other."""

    def __init__(self) -> None:
        super().__init__()
        self.window = Buffer(4, 0, mode="NON_BLOCKING_RIGHT")
        self.gru = StatefulGru(6, 8, direction="bidirectional", linear_before_reset=1)
        self.lstm = StatefulLstm(16, 5, peepholes=True, clip=0.7, direction="reverse")
        self.masked = MaskedSoftmax()

    def forward(self, x: Tensor, mask: Tensor, reset: Tensor) -> tuple[Tensor, Tensor]:
        rows, _ = self.gru(self.window(x, reset), reset=reset)
        rows, last, _ = self.lstm(rows.transpose(1, 2).flatten(2), reset=reset)
        return self.masked(last[None], mask), rows


class Layer(nn.Module):
    """One recurrent layer, with lengths."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, lens: Tensor, reset: Tensor) -> tuple[Tensor, ...]:
        results: tuple[Tensor, ...] = self.layer(x, lens, reset=reset)
        return results


@pytest.mark.one_per
@pytest.mark.parametrize(("dynamo", "opset"), [(False, 17), (True, 20)])
def test_a_stream_is_the_same_after_export(tmp_path: Path, dynamo: bool, opset: int) -> None:
    torch.manual_seed(3)
    model, path = Stream(), tmp_path / "stream.onnx"
    mask = torch.tensor([[0, 0, -10000, 0, 0]], dtype=torch.int32)
    args = (torch.zeros(1, 1, 6), mask, torch.tensor(False))
    names = ["x", "mask", "reset"]
    export_onnx(model, args, path, dynamo=dynamo, opset_version=opset, input_names=names)
    written = onnx.load(path)
    blocks = [node.op_type for node in written.graph.node if node.domain == "qti_aisw"]
    assert blocks == ["Buffer", "StatefulGru", "StatefulLstm", "MaskedSoftmax"]
    assert sorted(function.name for function in written.functions) == sorted(blocks)
    ort.InferenceSession(path)
    module = load_module(path)
    for level in (module, lower(module)):
        session = Session(level, check=True)
        reset_states(model)
        for number, x in enumerate(torch.randn(6, 1, 1, 6)):
            reset = torch.tensor(number == 4)
            expected = model(x, mask, reset)
            feeds = {"x": x.numpy(), "mask": mask.numpy(), "reset": reset.numpy()}
            for wanted, out in zip(expected, session.run(feeds).values(), strict=True):
                np.testing.assert_allclose(out, wanted.detach().numpy(), rtol=1e-5, atol=1e-6)


_LAYERS: list[nn.Module] = [
    *(
        StatefulGru(4, 6, direction=way, linear_before_reset=linear, clip=clip)
        for way in ("forward", "reverse", "bidirectional")
        for linear in (0, 1)
        for clip in (None, 0.4)
    ),
    *(
        StatefulLstm(4, 6, direction=way, peepholes=bool(forget), input_forget=forget, clip=clip)
        for way in ("forward", "reverse", "bidirectional")
        for forget in (0, 1)
        for clip in (None, 0.4)
    ),
    StatefulGru(4, 6, bias=False),
    StatefulLstm(4, 6, bias=False),
]


@pytest.mark.parametrize("layer", _LAYERS, ids=str)
def test_a_layer_is_that_of_onnx(tmp_path: Path, layer: nn.Module) -> None:
    """ONNX Runtime from zeros; then ours from the state that the first call left, lengths 0 too."""
    torch.manual_seed(7)
    if isinstance(layer, StatefulLstm) and layer.P is not None:
        nn.init.normal_(layer.P)
    model, path = Layer(layer), tmp_path / "layer.onnx"
    feeds = [(torch.randn(5, 3, 4), torch.tensor(lens, dtype=torch.int32)) for lens in _LENGTHS]
    no_reset = torch.tensor(False)
    names = ["x", "lens", "reset"]
    export_onnx(model, (*feeds[0], no_reset), path, dynamo=False, input_names=names)
    reset_states(model)
    session = Session(load_module(path))
    for number, (x, lens) in enumerate(feeds):
        expected = [out.detach().numpy() for out in model(x, lens, no_reset)]
        arrays = {"x": x.numpy(), "lens": lens.numpy(), "reset": no_reset.numpy()}
        results = [[*session.run(arrays).values()]]
        if number == 0:
            results.append(ort.InferenceSession(path).run(None, arrays))
        for outs in results:
            for wanted, out in zip(expected, outs, strict=True):
                np.testing.assert_allclose(out, wanted, rtol=1e-5, atol=1e-6)


_LENGTHS = ([5, 2, 3], [1, 0, 5])


class Named(nn.Module):
    """A layer whose state has one name on both sides."""

    def __init__(self) -> None:
        super().__init__()
        self.gru = StatefulGru(4, 4)

    def forward(self, x: Tensor, h: Tensor) -> dict[str, Tensor]:
        rows, last = self.gru(x, initial_h=h)
        return {"rows": rows, "h": last}


@pytest.mark.one_per
@pytest.mark.parametrize(("dynamo", "opset"), [(False, 17), (True, 20)])
def test_keys_name_the_outputs_beside_the_inputs(tmp_path: Path, dynamo: bool, opset: int) -> None:
    path, args = tmp_path / "named.onnx", (torch.zeros(3, 1, 4), torch.zeros(1, 1, 4))
    export_onnx(Named(), args, path, dynamo=dynamo, opset_version=opset)
    written = onnx.load(path)
    onnx.checker.check_model(written, full_check=True)
    assert [each.name for each in written.graph.input] == ["x", "h"]
    assert [each.name for each in written.graph.output] == ["rows", "h_2"]


def test_a_program_does_not_run_without_its_state() -> None:
    program = torch.export.export(StatefulGru(3, 4), (torch.zeros(1, 1, 3),))
    with pytest.raises(RuntimeError, match=r"qti_aisw.StatefulGru keeps state"):
        program.module()(torch.zeros(1, 1, 3))
