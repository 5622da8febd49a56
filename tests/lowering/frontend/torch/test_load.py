"""Modules of PyTorch straight to graph IR, and lowered: the same numbers; faults in one go."""

from pathlib import Path

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import (
    Buffer,
    MaskedSoftmax,
    StatefulGru,
    load_torch,
    reset_states,
)
from htp_mlir.runtime import Session
from torch import Tensor, nn
from torch.nn import functional

pytestmark = pytest.mark.needs("torch")


class Vision(nn.Module):
    """A convolution with its norm, a transformer layer, a GRU, attention, and a Resize."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.gru = nn.GRU(8, 5, batch_first=True)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y = functional.gelu(self.conv(x)).flatten(2).transpose(1, 2)
        y, _ = self.gru(self.layer(y))
        y = functional.scaled_dot_product_attention(y[:, None], y[:, None], y[:, None])
        wide = functional.interpolate(x, scale_factor=2, mode="bilinear")
        return y.mean(-1) + torch.arange(y.shape[2]), wide


class Stream(nn.Module):
    """Three block ops."""

    def __init__(self) -> None:
        super().__init__()
        self.window = Buffer(4, 0, mode="NON_BLOCKING_LEFT")
        self.gru = StatefulGru(6, 5, linear_before_reset=1)
        self.masked = MaskedSoftmax()

    def forward(self, x: Tensor, mask: Tensor, reset: Tensor) -> Tensor:
        _, last = self.gru(self.window(x, reset), reset=reset)
        return self.masked(last[None], mask)


class Numbers(nn.Module):
    """Promotion, choices, searches, pads, strides."""

    def forward(self, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
        chosen = torch.where((x > 0) & (i > 1), x.clamp(-1, 1) * 2 + i.float(), x / 3)
        best, places = torch.topk(x, 2)
        padded = functional.pad(x, (1, 2, 0, 1))
        stacked = torch.stack([x, x], 1).flip(1)
        sums = x.cumsum(1), x.std(-1), x.max(1)[0]
        return chosen, best, places, padded, stacked, *sums, x[:, ::2], x.argmax(), i + 1, i * 1.5


_MASK = torch.tensor([[0, 0, -10000, 0, 0]], dtype=torch.int32)
_CASES = {
    "vision": (Vision(), (torch.randn(1, 3, 8, 8),)),
    "stream": (Stream(), (torch.randn(1, 1, 6), _MASK, torch.tensor(False))),
    "numbers": (Numbers(), (torch.randn(4, 6), torch.arange(24).reshape(4, 6))),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", _CASES)
def test_a_module_is_the_same_at_both_ends(case: str) -> None:
    model, args = _CASES[case]
    reset_states(model.eval())
    module = load_torch(model, args)
    expected = model(*args)
    for level in (module, lower(module)):
        session = Session(level, check=True)
        feeds = dict(zip(session.inputs, (arg.numpy() for arg in args), strict=True))
        wanted = expected if isinstance(expected, tuple) else (expected,)
        for out, tensor in zip(session.run(feeds).values(), wanted, strict=True):
            np.testing.assert_allclose(out, tensor.detach().numpy(), rtol=1e-5, atol=2e-6)


class ThreeFaults(nn.Module):
    """Ops without a conversion, and a state that a module keeps by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.count.add_(1)
        solved = torch.linalg.qr(x)[0]
        return solved + torch.special.airy_ai(x)


def test_all_faults_come_in_one_go_each_with_its_line() -> None:
    with pytest.raises(HtpError) as raised:
        load_torch(ThreeFaults(), (torch.ones(2, 2),))
    first, *faults = raised.value.lines()
    assert first == "3 errors:"
    assert [fault.split("; ")[0].strip().partition(" at ")[0] for fault in faults] == [
        "buffer 'count': is written by the module, and its state would be lost",
        "node 'linalg_qr' (aten.linalg_qr.default)",
        "node 'special_airy_ai' (aten.special_airy_ai.default)",
    ]
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    where = lines.index("        solved = torch.linalg.qr(x)[0]") + 1
    assert f"test_load.py:{where}: the op has no conversion" in faults[1]


class ThreeOps(nn.Module):
    """Three ops without a conversion, each on a line of its own."""

    def forward(self, x: Tensor) -> Tensor:
        solved = torch.linalg.qr(x)[0]
        bessel = torch.special.i1(x)
        return solved + bessel + torch.special.zeta(x, x)


class ThreeOpsInARow(nn.Module):
    """The same ops, each on the result of the one before."""

    def forward(self, x: Tensor) -> Tensor:
        solved = torch.linalg.qr(x)[0]
        bessel = torch.special.i1(solved)
        return x + torch.special.zeta(bessel, x)


@pytest.mark.parametrize("module", [ThreeOps, ThreeOpsInARow])
def test_three_ops_are_refused_in_one_error_each_with_its_line(module: type[nn.Module]) -> None:
    with pytest.raises(HtpError) as raised:
        load_torch(module(), (torch.ones(2, 2),))
    first, *faults = raised.value.lines()
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"class {module.__name__}(nn.Module):") + 1
    assert first == "3 errors:"
    for fault, op, after in zip(
        faults, ("linalg_qr", "special_i1", "special_zeta"), (4, 5, 6), strict=True
    ):
        assert f"(aten.{op}.default) at {__file__}:{begin + after}: the op has no" in fault
