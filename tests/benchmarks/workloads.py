"""The models of the runtime benchmark, made on the spot with seeded random weights."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from network import Network
from numpy.typing import NDArray
from onnx import ModelProto

Inputs = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Workload:
    """A model and the inputs of one inference."""

    title: str
    model: ModelProto
    inputs: Inputs


def _workload(title: str, net: Network) -> Workload:
    return Workload(title, net.model(), net.example_inputs())


def _recurrent(op: str, gates: int, results: list[str]) -> Workload:
    """One forward layer over 64 steps, batch 1, 128 -> 256."""
    net = Network()
    x = net.input("x", 64, 1, 128)
    weights = [
        net.weights((1, gates * 256, 128), fan=256),
        net.weights((1, gates * 256, 256), fan=256),
        net.weights((1, 2 * gates * 256), fan=256),
    ]
    values = net.add_all(op, [x, *weights], results, hidden_size=256)
    shapes = {"Y": (64, 1, 1, 256), "Y_h": (1, 1, 256), "Y_c": (1, 1, 256)}
    for name in values:
        net.output(name, *shapes[name])
    return _workload(f"{op} seq 64, batch 1, 128 -> 256", net)


def lstm() -> Workload:
    """All three results are outputs."""
    return _recurrent("LSTM", 4, ["Y", "Y_h", "Y_c"])


def gru() -> Workload:
    """The reset gate is applied before the recurrent product, ONNX's default."""
    return _recurrent("GRU", 3, ["Y", "Y_h"])


def masked_softmax() -> Workload:
    """The block op; the last quarter of every row is masked."""
    net = Network()
    data = net.input("data", 8, 12, 128, 128)
    mask = net.input_of("mask", np.where(np.arange(128) < 96, 0, -10000) * np.ones((8, 1)), "i4")
    out = net.add("MaskedSoftmax", [data, mask], domain="qti_aisw", mode=0)
    net.output(out, 8, 12, 128, 128)
    return _workload("masked softmax [8,12,128,128]", net)


def _conv(title: str, nhwc: bool) -> Workload:
    net = Network()
    shape = (1, 56, 56, 64) if nhwc else (1, 64, 56, 56)
    x = net.input("x", *shape)
    if nhwc:
        x = net.add("Transpose", [x], perm=[0, 3, 1, 2])
    filters, bias = net.weights((64, 64, 3, 3), fan=576), net.weights((64,), fan=64)
    y = net.add("Relu", [net.add("Conv", [x, filters, bias], pads=[1, 1, 1, 1])])
    if nhwc:
        y = net.add("Transpose", [y], perm=[0, 2, 3, 1])
    net.output(y, *shape)
    return _workload(title, net)


def conv_nhwc() -> Workload:
    """Data in the order of dims that HTP wants; ONNX's Conv needs a Transpose on either side."""
    return _conv("conv 56x56x64 -> 64, 3x3, bias, ReLU, NHWC", nhwc=True)


def conv_nchw() -> Workload:
    """The same in ONNX's order of dims."""
    return _conv("conv 56x56x64 -> 64, 3x3, bias, ReLU, NCHW", nhwc=False)


def _linear(net: Network, x: str, rows: int, columns: int) -> str:
    product = net.add("MatMul", [x, net.weights((rows, columns), fan=rows)])
    return net.add("Add", [product, net.weights((columns,), fan=rows)])


def _heads(net: Network, x: str) -> str:
    """[1,128,256] -> [1,4,128,64]."""
    split = net.add("Reshape", [x, net.ints(1, 128, 4, 64)])
    return net.add("Transpose", [split], perm=[0, 2, 1, 3])


def _attention(net: Network, x: str) -> str:
    q, k, v = (_heads(net, _linear(net, x, 256, 256)) for _ in range(3))
    scores = net.add("MatMul", [q, net.add("Transpose", [k], perm=[0, 1, 3, 2])])
    scaled = net.add("Mul", [scores, net.scalar(0.125)])
    mixed = net.add("MatMul", [net.add("Softmax", [scaled], axis=-1), v])
    merged = net.add("Transpose", [mixed], perm=[0, 2, 1, 3])
    return _linear(net, net.add("Reshape", [merged, net.ints(1, 128, 256)]), 256, 256)


def _normed(net: Network, x: str, y: str) -> str:
    affine = [net.weights((256,), fan=1), net.weights((256,), fan=256)]
    return net.add("LayerNormalization", [net.add("Add", [x, y]), *affine], axis=-1)


def transformer() -> Workload:
    """Four encoder layers, 4 heads, normalised after each residual sum, hidden width 1024."""
    net = Network()
    x = net.input("x", 1, 128, 256)
    for _ in range(4):
        x = _normed(net, x, _attention(net, x))
        hidden = net.add("Gelu", [_linear(net, x, 256, 1024)])
        x = _normed(net, x, _linear(net, hidden, 1024, 256))
    net.output(x, 1, 128, 256)
    return _workload("4-layer transformer encoder, d 256, seq 128", net)


def _mlp(batch: int) -> Workload:
    net = Network()
    x = net.input("x", batch, 512)
    for _ in range(3):
        layer = [x, net.weights((512, 512), fan=512), net.weights((512,), fan=512)]
        x = net.add("Gelu", [net.add("Gemm", layer)])
    net.output(x, batch, 512)
    return _workload(f"MLP 3 x 512, GELU, batch {batch}", net)


WORKLOADS: dict[str, Callable[[], Workload]] = {
    "lstm": lstm,
    "gru": gru,
    "masked-softmax": masked_softmax,
    "conv-nhwc": conv_nhwc,
    "conv-nchw": conv_nchw,
    "transformer": transformer,
    "mlp-64": lambda: _mlp(64),
    "mlp-1": lambda: _mlp(1),
}
"""Every workload by the name that `--only` takes."""
