"""Writes models/: small functions as PyTorch's two exporters spell them.

`python -m tests.raising.export` needs torch; nothing else here does. A file is kept where its ops
differ from those of an earlier opset of the same exporter. Names of sources and of the exporter are
taken out.
"""

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from . import attention, cells, fused, optimisers

MODELS = Path(__file__).parent / "models"
EXPORTERS = (("script", 13), ("script", 17), ("script", 20), ("dynamo", 18), ("dynamo", 20))
"""Each exporter with the opsets that it is asked for."""


class Call(nn.Module):
    """A function as a module, with weights where it takes some."""

    def __init__(self, function: Callable[..., object], weights: int = 0) -> None:
        super().__init__()
        self.function = function
        self.weights = nn.ParameterList(torch.randn(8) for _ in range(weights))

    def forward(self, *inputs: Tensor) -> object:
        """Apply the function to the inputs and the weights."""
        return self.function(*inputs, *self.weights)


def layer_norm_by_variance(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """A layer norm of mean and variance, with a division."""
    variance = x.var(-1, keepdim=True, unbiased=False)
    return weight * (x - x.mean(-1, keepdim=True)) / torch.sqrt(variance + 1e-5) + bias


def layer_norm_by_rsqrt(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """A layer norm of squares, with rsqrt."""
    centred = x - x.mean(-1, keepdim=True)
    return centred * torch.rsqrt((centred * centred).mean(-1, keepdim=True) + 1e-5) * weight + bias


def rms_norm_in_f32(x: Tensor, weight: Tensor) -> Tensor:
    """An RMS norm that computes in f32, as language models write it."""
    wide = x.to(torch.float32)
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    return weight * wide.to(x.dtype)


def rms_norm_by_division(x: Tensor, weight: Tensor) -> Tensor:
    """An RMS norm of a product and a division."""
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-6) * weight


def gelu_halved_first(x: Tensor) -> Tensor:
    """0.5 * x * (1 + erf(x / sqrt(2)))."""
    return 0.5 * x * (1.0 + torch.erf(x / 2.0**0.5))


def gelu_times_root(x: Tensor) -> Tensor:
    """x * (0.5 * (1 + erf(x * sqrt(0.5))))."""
    return x * (0.5 * (1.0 + torch.erf(x * 0.5**0.5)))


def gelu_tanh(x: Tensor) -> Tensor:
    """The form with tanh."""
    return 0.5 * x * (1.0 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x.pow(3))))


def softmax_shifted(x: Tensor) -> Tensor:
    """Softmax with the maximum taken away first."""
    powers = torch.exp(x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def softmax_plain(x: Tensor) -> Tensor:
    """Softmax without."""
    return torch.exp(x) / torch.exp(x).sum(-1, keepdim=True)


def log_softmax(x: Tensor) -> Tensor:
    """A log softmax with the maximum taken away first."""
    below = x - x.amax(-1, keepdim=True)
    return below - torch.log(torch.exp(below).sum(-1, keepdim=True))


def rotary(x: Tensor) -> Tensor:
    """Rotary embedding of halves."""
    angle = torch.arange(3.0)[:, None] * torch.arange(1.0, 9.0)[None]
    turned = torch.cat((-x[..., 4:], x[..., :4]), -1)
    return x * angle.cos() + turned * angle.sin()


def rotary_of_pairs(x: Tensor) -> Tensor:
    """Rotary embedding of neighbours."""
    angle = torch.arange(3.0)[:, None] * torch.arange(1.0, 5.0)[None]
    even, odd = x[..., ::2], x[..., 1::2]
    turned = even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()
    return torch.stack(turned, -1).flatten(-2)


_FUNCTIONS = attention.SPELLINGS | fused.FUNCTIONS | optimisers.FUNCTIONS

FUNCTIONS: dict[str, Callable[[], nn.Module]] = {
    "LayerNorm": partial(nn.LayerNorm, 8),
    "LayerNorm-two-dims": partial(nn.LayerNorm, (3, 8)),
    "LayerNorm-plain": partial(nn.LayerNorm, 8, elementwise_affine=False),
    "LayerNorm-variance": partial(Call, layer_norm_by_variance, 2),
    "LayerNorm-rsqrt": partial(Call, layer_norm_by_rsqrt, 2),
    "RmsNorm": partial(nn.RMSNorm, 8, eps=1e-6),
    "RmsNorm-f32": partial(Call, rms_norm_in_f32, 1),
    "RmsNorm-f16": lambda: Call(rms_norm_in_f32, 1).half(),
    "RmsNorm-division": partial(Call, rms_norm_by_division, 1),
    "Gelu": nn.GELU,
    "Gelu-halved-first": partial(Call, gelu_halved_first),
    "Gelu-times-root": partial(Call, gelu_times_root),
    "GeluTanh": partial(nn.GELU, approximate="tanh"),
    "GeluTanh-by-hand": partial(Call, gelu_tanh),
    "Swish-scaled": partial(Call, lambda x: x * torch.sigmoid(1.702 * x)),
    "HardSwish": nn.Hardswish,
    "HardSwish-by-hand": partial(Call, lambda x: x * F.relu6(x + 3) / 6),
    "Swish": nn.SiLU,
    "Mish": nn.Mish,
    "Softmax-shifted": partial(Call, softmax_shifted),
    "Softmax-plain": partial(Call, softmax_plain),
    "LogSoftmax-shifted": partial(Call, log_softmax),
    "LogSoftmax-of-softmax": partial(Call, lambda x: torch.log(torch.softmax(x, -1))),
    "Lstm-cell": partial(cells.LstmCell, 8, 4),
    "Lstm-cell-first": partial(nn.LSTMCell, 8, 4),
    "Gru-cell": partial(nn.GRUCell, 8, 4),
    "Gru-cell-first": partial(nn.GRUCell, 8, 4),
    "RotaryEmbedding": partial(Call, rotary),
    "RotaryEmbedding-pairs": partial(Call, rotary_of_pairs),
    **cells.CELLS,
    **fused.MODULES,
    **optimisers.MODULES,
    **{name: partial(Call, function) for name, function in _FUNCTIONS.items()},
}
"""A module by the name of its op and of its spelling."""


def main() -> None:
    """Write all models, or those whose names begin with the arguments."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    MODELS.mkdir(exist_ok=True)
    names = [name for name in FUNCTIONS if name.startswith(tuple(sys.argv[1:]) or "")]
    for name, make in ((name, FUNCTIONS[name]) for name in names):
        torch.manual_seed(0)
        module = make().eval()
        seen: set[tuple[str, bytes]] = set()
        for exporter, opset, model in _exported(module, _inputs(name)):
            key = exporter, b"".join(_ops(model))
            if key not in seen:
                seen.add(key)
                path = MODELS / f"{name}.{exporter}-{opset}.onnx"
                path.write_bytes(_bare(model).SerializeToString())


def _inputs(name: str) -> tuple[Tensor, ...]:
    if name in attention.SPELLINGS:
        return attention.inputs(name)
    if name in fused.FUNCTIONS | fused.MODULES:
        return fused.inputs(name)
    if name in optimisers.FUNCTIONS | optimisers.MODULES:
        return optimisers.inputs(name)
    if "-cell" in name:
        return cells.inputs(name)
    x = torch.randn(2, 3, 8)
    return (x.half() if name.endswith("-f16") else x,)


def _exported(
    module: nn.Module, inputs: tuple[Tensor, ...]
) -> Iterator[tuple[str, int, onnx.ModelProto]]:
    """Yield the model of each exporter and opset that can write it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        for exporter, opset in EXPORTERS:
            newest = exporter == "dynamo"
            try:
                torch.onnx.export(
                    *(module, inputs, path),
                    **{"dynamo": newest, "opset_version": opset, "external_data": False},
                    **({"verbose": False} if newest else {}),
                )
            except (torch.onnx.errors.OnnxExporterError, RuntimeError) as error:
                print(f"{type(module).__name__}, {exporter}-{opset}: {str(error).splitlines()[0]}")
                continue
            yield exporter, opset, onnx.load(path)


def _ops(model: onnx.ModelProto) -> Iterator[bytes]:
    """Yield the type and the attributes of each node."""
    for node in model.graph.node:
        yield node.op_type.encode()
        yield from (attribute.SerializeToString() for attribute in node.attribute)


def _bare(model: onnx.ModelProto) -> onnx.ModelProto:
    """Take out what says where the model was made."""
    for part in (model, model.graph):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    model.ClearField("producer_version")
    for part in (*model.graph.node, *model.graph.value_info, *model.graph.input):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    for part in (*model.graph.output, *model.graph.initializer):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    return model


if __name__ == "__main__":
    main()
