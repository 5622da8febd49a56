"""ATen's own quantised tensors as stored integers, which ONNX and the exporter know.

`quantize_per_tensor(x, scale, zero, quint8)` and `dequantize` become the ops of
`quantized_decomposed` that PyTorch's quantisation writes, with the same numbers.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import fx
from torch.ao.quantization.fx import _decomposed

_INTEGERS = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
_OPS = _decomposed.quantized_decomposed_lib and torch.ops.quantized_decomposed
_PAIRS: dict[Any, tuple[Any, Any]] = {
    torch.ops.aten.quantize_per_tensor.default: (
        _OPS.quantize_per_tensor.default,
        _OPS.dequantize_per_tensor.default,
    ),
    torch.ops.aten.quantize_per_channel.default: (
        _OPS.quantize_per_channel.default,
        _OPS.dequantize_per_channel.default,
    ),
}
"""The ops there and back by ATen's op."""


def store_quantised(graph: fx.Graph) -> None:
    """Put stored integers in place of quantised tensors that are dequantised again."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.dequantize.self):
        source = node.args[0]
        if source.target in _PAIRS:
            _, back = _PAIRS[source.target]
            node.target, node.args = back, (source, *_encoding(source))
    for op, (there, _) in _PAIRS.items():
        for node in graph.find_nodes(op="call_function", target=op):
            node.args = (node.args[0], *_encoding(node))
            node.target = there


def _encoding(node: fx.Node) -> tuple[Any, ...]:
    """Return scale, zero point, axis where there is one, range and dtype of a quantised node."""
    *encoding, dtype = node.args[1:]
    integers = _INTEGERS[dtype]
    ends = torch.iinfo(integers)
    return (*encoding, ends.min, ends.max, integers)
