"""Programs that PyTorch quantised: integers all through, and its numbers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.torch import load_torch
from htp_mlir.lowering.passes.graph.raise_ops import Raise
from htp_mlir.lowering.quantization.measure import noise_ratio
from htp_mlir.lowering.quantization.quantize import take_encodings
from htp_mlir.runtime.session.session import Session
from torch import Tensor, nn
from torch.ao.quantization.fx import _decomposed
from torch.nn import functional
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

pytestmark = pytest.mark.needs("torch")
Grid = Callable[[Tensor, float, int], Tensor]
OPS = torch.ops.quantized_decomposed
assert _decomposed.quantized_decomposed_lib is not None


def unsigned(x: Tensor, scale: float, zero: int) -> Tensor:
    stated = (scale, zero, 0, 255, torch.uint8)
    return OPS.dequantize_per_tensor(OPS.quantize_per_tensor(x, *stated), *stated)


def signed(x: Tensor, scale: float, zero: int) -> Tensor:
    stated = (scale, zero - 128, -128, 127, torch.int8)
    return OPS.dequantize_per_tensor(OPS.quantize_per_tensor(x, *stated), *stated)


def narrow(x: Tensor, scale: float, zero: int) -> Tensor:
    stated = (scale, zero // 16, 0, 15, torch.uint8)
    return OPS.dequantize_per_tensor(OPS.quantize_per_tensor(x, *stated), *stated)


def fake(x: Tensor, scale: float, zero: int) -> Tensor:
    return torch.fake_quantize_per_tensor_affine(x, scale, zero, 0, 255)


def of_aten(x: Tensor, scale: float, zero: int) -> Tensor:
    return torch.quantize_per_tensor(x, scale, zero, torch.quint8).dequantize()


GRIDS: dict[str, Grid] = {
    function.__name__: function for function in (unsigned, signed, narrow, fake, of_aten)
}


class Weights(nn.Module):
    """Weights of 8 bits with a scale for each output."""

    def __init__(self, *shape: int) -> None:
        super().__init__()
        scales = torch.linspace(0.5, 1.5, shape[0]) / (64 * float(np.prod(shape[1:])) ** 0.5)
        self.register_buffer("stored", torch.randint(-127, 128, shape, dtype=torch.int8))
        self.register_buffer("scales", scales)
        self.register_buffer("zeros", torch.zeros(shape[0], dtype=torch.int64))

    def forward(self) -> Tensor:
        stated = (self.scales, self.zeros, 0, -127, 127, torch.int8)
        return OPS.dequantize_per_channel(self.stored, *stated)


class Layers(nn.Module):
    """A convolution, one a channel, a sum, a mean and a product."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self.grid = grid
        self.whole, self.single, self.last = Weights(8, 3, 3, 3), Weights(8, 1, 3, 3), Weights(5, 8)
        self.bias = nn.Parameter(torch.randn(8) * 0.1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.grid(x, 0.03, 128)
        x = self.grid(functional.relu6(functional.conv2d(x, self.whole(), self.bias)), 0.02, 0)
        y = self.grid(functional.conv2d(x, self.single(), padding=1, groups=8), 0.02, 128)
        x = self.grid(functional.relu(x + y), 0.03, 0)
        x = self.grid(functional.max_pool2d(x, 2).mean((2, 3)), 0.02, 0)
        return self.grid(functional.linear(x, self.last(), self.bias[:5]), 0.02, 128)


class Rows(nn.Module):
    """Products of rows, a Softmax between them, and a join."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self.grid, self.first, self.second = grid, Weights(16, 16), Weights(16, 16)

    def forward(self, x: Tensor) -> Tensor:
        x = self.grid(x, 0.03, 128)
        left = self.grid(functional.linear(x, self.first()), 0.03, 128)
        right = self.grid(functional.linear(x, self.second()), 0.03, 128)
        scores = self.grid(left @ right.transpose(1, 2), 0.2, 128)
        shares = self.grid(torch.softmax(scores, -1), 1 / 256, 0)
        return self.grid(torch.cat([shares @ x, torch.sigmoid(left)], -1), 0.03, 128)


def integers_of(module: ModuleOp) -> list[str]:
    """Take the encodings in place; tell why ops stay in floats."""
    take_encodings(module)
    Raise().apply(Context(), module)
    return [why for op, why in take_encodings(module).items() if op.parent is not None]


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize(("kind", "shape"), [(Layers, (1, 3, 10, 10)), (Rows, (1, 6, 16))])
def test_all_is_computed_with_integers(kind: type, shape: tuple[int, ...], grid: str) -> None:
    torch.manual_seed(0)
    module, x = kind(GRIDS[grid]).eval(), torch.randn(shape)
    imported = load_torch(torch.export.export(module, (x,)))
    graph, wanted = imported.clone(), module(x).detach().numpy()
    assert integers_of(graph) == []
    for each in (graph, lower(imported)):
        session = Session(each, check=True)
        (output,) = session.run({next(iter(session.inputs)): x.numpy()}).values()
        assert output is not None
        assert noise_ratio(wanted, output) > (20 if grid == "narrow" else 30)


def test_a_file_brings_its_ops(tmp_path: Path) -> None:
    program = torch.export.export(Layers(unsigned).eval(), (torch.randn(1, 3, 10, 10),))
    torch.export.save(program, tmp_path / "m.pt2")
    assert integers_of(load_module(tmp_path / "m.pt2")) == []


class Wrong(nn.Module):
    """Sums stored integers."""

    def forward(self, x: Tensor) -> Tensor:
        stored = OPS.quantize_per_tensor(x, 0.03, 128, 0, 255, torch.uint8)
        return stored + stored


def test_arithmetic_on_stored_integers_is_a_fault() -> None:
    program = torch.export.export(Wrong(), (torch.randn(4),))
    with pytest.raises(HtpError, match="is quantised, the op would work on its stored integers"):
        load_torch(program)
