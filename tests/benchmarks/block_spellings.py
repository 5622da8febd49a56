"""Functions that models spell out in PyTorch, and the block ops that say them in one node."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from htp_mlir.lowering.frontend.torch import MaskedSoftmax, StatefulGru, StatefulLstm
from torch import Tensor, nn


@dataclass(frozen=True)
class Spelling:
    """A module, its example, and the graph op that says all of it."""

    op: str
    name: str
    module: nn.Module
    args: tuple[Tensor, ...]
    is_block_op: bool = False


class Call(nn.Module):
    """A function as a module, with weights of some shapes."""

    def __init__(self, function: Callable[..., object], *shapes: tuple[int, ...]) -> None:
        super().__init__()
        self.function = function
        self.weights = nn.ParameterList(torch.randn(*shape) * 0.5 for shape in shapes)

    def forward(self, *values: Tensor) -> object:
        return self.function(*values, *self.weights)


KEEP = torch.tensor([[True, True, False, True, False], [True, True, True, True, True]])
SCORES = torch.randn(2, 3, 4, 5), KEEP


def columns(keep: Tensor) -> Tensor:
    """The mask beside scores of four dims."""
    return keep[:, None, None, :]


def powers_over_sum(x: Tensor) -> Tensor:
    """Softmax by hand."""
    powers = torch.exp(x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def far(keep: Tensor) -> Tensor:
    """Numbers to add: 0 and -10000."""
    return (1.0 - columns(keep).float()) * -10000.0


MASKED_SOFTMAXES = {
    "x + (1 - keep) * -10000": lambda x, k: torch.softmax(x + far(k), -1),
    "x - (1 - keep) * 10000": lambda x, k: (x - (1.0 - columns(k).float()) * 1e4).softmax(-1),
    "x + (keep - 1) * 1e9": lambda x, k: (x + (columns(k).float() - 1.0) * 1e9).softmax(-1),
    "x + (1 - keep) * finfo.min": lambda x, k: torch.softmax(
        x + (1.0 - columns(k).float()) * torch.finfo(torch.float32).min, -1
    ),
    "x + where(keep, 0, -10000)": lambda x, k: (x + torch.where(columns(k), 0.0, -10000.0)).softmax(
        -1
    ),
    "x + zeros.masked_fill(~keep, -inf)": lambda x, k: (
        x + torch.zeros_like(x[:, :1, :1]).masked_fill(columns(~k), -torch.inf)
    ).softmax(-1),
    "masked_fill(~keep, -inf)": lambda x, k: x.masked_fill(columns(~k), -torch.inf).softmax(-1),
    "masked_fill(keep == 0, -1e9)": lambda x, k: F.softmax(
        x.masked_fill(columns(k) == 0, -1e9), dim=-1
    ),
    "masked_fill, rows beside rows": lambda x, k: x.masked_fill(
        ~columns(k).expand(-1, 3, 4, -1), -1e9
    ).softmax(-1),
    "where(keep, x, -10000)": lambda x, k: torch.where(columns(k), x, -1e4).softmax(-1),
    "where(~keep, -inf, x)": lambda x, k: torch.where(columns(~k), -torch.inf, x).softmax(-1),
    "x / 2, then the mask": lambda x, k: (x / 2.0).masked_fill(columns(~k), -1e9).softmax(-1),
    "the mask, then / 2": lambda x, k: (x.masked_fill(columns(~k), -1e9) / 2.0).softmax(-1),
    "softmax by hand": lambda x, k: powers_over_sum(x + far(k)),
    "exp(x) * keep over its sum": lambda x, k: (
        (x.exp() * columns(k)) / (x.exp() * columns(k)).sum(-1, keepdim=True)
    ),
    "causal constant": lambda x, k: torch.softmax(x + torch.full((4, 5), -1e4).triu(1), -1),
}


def gru_cell(x: Tensor, h: Tensor, W: Tensor, R: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """PyTorch's GRU cell by hand."""
    xr, xz, xn = F.linear(x, W, b).chunk(3, -1)
    hr, hz, hn = F.linear(h, R, c).chunk(3, -1)
    z = torch.sigmoid(xz + hz)
    return (1 - z) * torch.tanh(xn + torch.sigmoid(xr + hr) * hn) + z * h


def gru_cell_of_gates(x: Tensor, h: Tensor, W: Tensor, U: Tensor) -> Tensor:
    """A GRU cell whose input and state are side by side; the reset gate acts first."""
    z, r = torch.sigmoid(torch.cat([x, h], -1) @ W).chunk(2, -1)
    new = torch.tanh(torch.cat([x, r * h], -1) @ U)
    return h + z * (new - h)


def lstm_cell(
    x: Tensor, h: Tensor, c: Tensor, W: Tensor, R: Tensor, b: Tensor
) -> tuple[Tensor, Tensor]:
    """PyTorch's LSTM cell by hand."""
    i, f, g, o = (F.linear(x, W, b) + F.linear(h, R)).chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def lstm_cell_of_gates(x: Tensor, h: Tensor, c: Tensor, W: Tensor) -> tuple[Tensor, Tensor]:
    """An LSTM cell whose input and state are side by side."""
    i, f, o, g = (torch.cat([x, h], -1) @ W).split(4, -1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def layer_norm(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """A layer norm of mean and variance."""
    return (
        w * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + 1e-5).sqrt()
        + b
    )


def layer_norm_of_squares(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """A layer norm of squares and rsqrt."""
    d = x - x.mean(-1, keepdim=True)
    return d * torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5) * w + b


def layer_norm_of_moments(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """A layer norm of the mean of squares less the square of the mean."""
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(variance + 1e-5) * w + b


GELUS = {
    "x * 0.5 * (1 + erf)": lambda x: x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0))),
    "0.5 * (x * (1 + erf))": lambda x: 0.5 * (x * (1.0 + torch.erf(x * math.sqrt(0.5)))),
    "x * (erf / 2 + 0.5)": lambda x: x * (torch.erf(x / math.sqrt(2.0)) / 2.0 + 0.5),
    "x * normal cdf": lambda x: x * torch.special.ndtr(x),
}


def attention(q: Tensor, k: Tensor, v: Tensor, scaled: Callable[[Tensor], Tensor]) -> Tensor:
    """Attention without a mask."""
    return scaled(q @ k.transpose(-1, -2)).softmax(-1) @ v


ATTENTIONS = {
    "scaled_dot_product_attention": F.scaled_dot_product_attention,
    "scores / sqrt(d)": lambda q, k, v: attention(q, k, v, lambda s: s / math.sqrt(8)),
    "scores * d ** -0.5": lambda q, k, v: attention(q, k, v, lambda s: s * 8**-0.5),
    "q scaled first": lambda q, k, v: attention(q * 8**-0.5, k, v, lambda s: s),
    "einsum": lambda q, k, v: torch.einsum(
        "bhts,bhsd->bhtd",
        (torch.einsum("bhtd,bhsd->bhts", q, k) / math.sqrt(8)).softmax(-1),
        v,
    ),
}


class Threaded(nn.Module):
    """A recurrent layer that is given its state and returns it."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, h: Tensor, c: Tensor | None = None) -> tuple[Tensor, ...]:
        y, state = self.layer(x, h if c is None else (h, c))
        return (y, state) if c is None else (y, *state)


class Blocks(nn.Module):
    """A block op behind what makes its mask, or on its own."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        self.block = block

    def forward(self, x: Tensor, keep: Tensor | None = None) -> Tensor:
        if keep is None:
            return self.block(x)[0]
        return self.block(x, (1 - keep.to(torch.int32)) * -10000)


def spellings() -> Iterator[Spelling]:
    """Yield all spellings, those in block ops last."""
    torch.manual_seed(0)
    for name, function in MASKED_SOFTMAXES.items():
        yield Spelling("MaskedSoftmax", name, Call(function), SCORES)
    x, h, steps, state = (torch.randn(*dims) for dims in ((2, 6), (2, 4), (5, 2, 6), (1, 2, 4)))
    for op, layer, cell, by_hand, gates in (
        ("StatefulGru", nn.GRU(6, 4), nn.GRUCell(6, 4), gru_cell, 3),
        ("StatefulLstm", nn.LSTM(6, 4), nn.LSTMCell(6, 4), lstm_cell, 4),
    ):
        states = 1 if gates == 3 else 2
        yield Spelling(op, "a layer, state in and out", Threaded(layer), (steps, *[state] * states))
        if states == 1:
            yield Spelling(op, "GRUCell", cell, (x, h))
        else:
            yield Spelling(op, "LSTMCell", Call(lambda x, h, c, m=cell: m(x, (h, c))), (x, h, h))
        biases = [(gates * 4,)] * (3 - states)
        hand = Call(by_hand, (gates * 4, 6), (gates * 4, 4), *biases)
        yield Spelling(op, "a cell by hand", hand, (x, *[h] * states))
    gates = Call(gru_cell_of_gates, (10, 8), (10, 4))
    yield Spelling("StatefulGru", "a cell, input beside state", gates, (x, h))
    gates = Call(lstm_cell_of_gates, (10, 16))
    yield Spelling("StatefulLstm", "a cell, input beside state", gates, (x, h, h))
    rows, weights = (torch.randn(2, 3, 8),), [(8,), (8,)]
    yield Spelling("LayerNorm", "nn.LayerNorm", nn.LayerNorm(8), rows)
    for function in (layer_norm, layer_norm_of_squares, layer_norm_of_moments):
        name = function.__name__.replace("_", " ")
        yield Spelling("LayerNorm", f"{name}, by hand", Call(function, *weights), rows)
    yield Spelling("Gelu", "nn.GELU", nn.GELU(), rows)
    for name, function in GELUS.items():
        yield Spelling("Gelu", name, Call(function), rows)
    heads = tuple(torch.randn(3, 1, 2, 5, 8).unbind())
    for name, function in ATTENTIONS.items():
        yield Spelling("Attention", name, Call(function), heads)
    for op, block, args in (
        ("MaskedSoftmax", MaskedSoftmax(), SCORES),
        ("StatefulGru", StatefulGru(6, 4, linear_before_reset=1), (steps,)),
        ("StatefulLstm", StatefulLstm(6, 4), (steps,)),
    ):
        yield Spelling(op, "the block op", Blocks(block), args, is_block_op=True)
