"""Networks drawn at random, by seed: family, dtype, extents, channels, and the TCM to plan for."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

import numpy as np
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult, SSAValue

from models.grids import on_grids
from models.net import Net, shape_of
from models.sequence import encoder_layer, recurrent_layer
from models.vision import conv, depthwise

LARGEST, TOTAL = 8 << 20, 48 << 20
"""Bytes of the largest tensor and of all tensors of a network; larger ones are drawn again."""
LEAST_TCM = 64 << 10
DTYPES = ("f32", "f16", "u8")


class Draw:
    """A source of choices."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def number(self, least: int, most: int) -> int:
        """An integer, each as likely as the others."""
        return int(self._random.integers(least, most + 1))

    def size(self, least: float, most: float) -> int:
        """A size, each order of magnitude as likely as the others."""
        return round(exp(self._random.uniform(log(least), log(most))))

    def one_of(self, *choices: str) -> str:
        """One of a few words."""
        return choices[self.number(0, len(choices) - 1)]

    def says(self, chance: float) -> bool:
        """True in this share of cases."""
        return bool(self._random.random() < chance)


@dataclass(frozen=True)
class Drawn:
    """A network and what it was drawn for."""

    seed: int
    family: str
    dtype: str
    tcm: int
    module: ModuleOp


def _image(net: Net, draw: Draw, grain: int = 1) -> SSAValue:
    """An image of 16 to 1,024 rows; the larger, the fewer channels."""
    rows = draw.size(16 / grain, 1024 / grain) * grain
    columns = max(round(rows * (0.5, 1, 1, 1, 2)[draw.number(0, 4)]) // grain * grain, 8)
    return net.input("image", 1, rows, columns, draw.size(1, max(2, 40_000 / rows**1.3)))


def _layer(
    net: Net, draw: Draw, name: str, x: SSAValue, channels: int, stride: int = 1
) -> SSAValue:
    size = (1, 3, 3, 3, 5)[draw.number(0, 4)]
    y = conv(net, name, x, channels, max(size, stride), stride)
    return net.op(f"{name}.relu", "Relu", y) if draw.says(0.8) else y


def chain(net: Net, draw: Draw) -> SSAValue:
    """Convolutions and pools one behind the other."""
    x = _image(net, draw)
    channels = draw.size(4, 128)
    for index in range(draw.number(2, 9)):
        stride = 2 if draw.says(0.2) and min(shape_of(x)[1:3]) >= 8 else 1
        x = _layer(net, draw, f"conv{index}", x, channels, stride)
        if draw.says(0.15) and min(shape_of(x)[1:3]) >= 8:
            x = net.op(f"pool{index}", "PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
            channels = min(2 * channels, 512)
    return x


def residual(net: Net, draw: Draw) -> SSAValue:
    """Blocks of two or three convolutions with a sum around them."""
    x = _layer(net, draw, "stem", _image(net, draw), draw.size(8, 128), draw.number(1, 2))
    for index in range(draw.number(1, 4)):
        with net.within(f"block{index}"):
            depth, y = shape_of(x)[3], x
            for number in range(draw.number(2, 3)):
                y = net.op(f"relu{number}", "Relu", conv(net, f"conv{number}", y, depth, 3))
            x = net.op("add", "ElementWiseAdd", x, y)
    return x


def inverted(net: Net, draw: Draw) -> SSAValue:
    """Wide depthwise layers between narrow ones; some with a gate of their channels."""
    x = _layer(net, draw, "stem", _image(net, draw), draw.size(8, 64), draw.number(1, 2))
    gated = draw.says(0.4)
    for index in range(draw.number(1, 4)):
        with net.within(f"block{index}"):
            depth, stride = shape_of(x)[3], draw.number(1, 2)
            stride = stride if min(shape_of(x)[1:3]) >= 8 else 1
            y = net.op("relu0", "Relu", conv(net, "expand", x, depth * draw.number(2, 6), 1))
            y = net.op("relu1", "Relu", depthwise(net, "depthwise", y, stride))
            y = conv(net, "project", _gate(net, y) if gated else y, depth, 1)
            x = net.op("add", "ElementWiseAdd", x, y) if stride == 1 else y
    return x


def _gate(net: Net, x: SSAValue) -> SSAValue:
    depth = shape_of(x)[3]
    mean = net.op("mean", "PoolAvg2d", x, filter_size=shape_of(x)[1:3])
    few = net.op("squeeze.relu", "Relu", conv(net, "squeeze", mean, max(depth // 4, 1), 1))
    gate = net.op("gate", "Sigmoid", conv(net, "excite", few, depth, 1))
    return net.op("gated", "ElementWiseMultiply", x, gate)


def u_shaped(net: Net, draw: Draw) -> SSAValue:
    """Down by pools and up again by transposed convolutions, joined level by level."""
    x = _image(net, draw, grain=8)
    base, skips = draw.size(4, 48), list[SSAValue]()
    for level in range(draw.number(1, 3)):
        with net.within(f"down{level}"):
            x = _layer(net, draw, "conv", x, base << level)
            skips.append(x)
            x = net.op("pool", "PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
    x = _layer(net, draw, "bottom", x, base << len(skips))
    for level in reversed(range(len(skips))):
        with net.within(f"up{level}"):
            filters = net.weights(2, 2, shape_of(x)[3], base << level)
            x = net.op(
                "grow",
                "TransposeConv2d",
                x,
                filters,
                net.weights(base << level, fan=9),
                stride=(2, 2),
            )
            x = _layer(
                net,
                draw,
                "conv",
                net.op("join", "Concat", [skips[level], x], axis=3),
                base << level,
            )
    return x


def dense(net: Net, draw: Draw) -> SSAValue:
    """Layers that read all layers before them."""
    x = _layer(net, draw, "stem", _image(net, draw), draw.size(8, 64))
    growth = draw.size(8, 32)
    layers = [x]
    for index in range(draw.number(2, 5)):
        with net.within(f"layer{index}"):
            y = net.op("join", "Concat", layers, axis=3) if len(layers) > 1 else layers[0]
            layers.append(_layer(net, draw, "conv", y, growth))
    return _layer(net, draw, "last", net.op("all", "Concat", layers, axis=3), draw.size(8, 64))


def encoder(net: Net, draw: Draw) -> SSAValue:
    """Layers of attention and a dense part."""
    heads = draw.number(1, 8)
    x = net.input("tokens", 1, draw.size(16, 768), heads * 16 * draw.number(1, 4))
    for layer in range(draw.number(1, 2)):
        with net.within(f"layer{layer}"):
            x = encoder_layer(net, x, heads)
    return x


def recurrent(net: Net, draw: Draw) -> SSAValue:
    """LSTM layers on a sequence."""
    x = net.input("sequence", draw.size(4, 64), 1, draw.size(16, 512))
    for layer in range(draw.number(1, 3)):
        with net.within(f"layer{layer}"):
            x = recurrent_layer(net, x, draw.size(32, 512))
    return x


def temporal(net: Net, draw: Draw) -> SSAValue:
    """Dilated convolutions over time with sums around them."""
    x = net.input("signal", 1, 1, draw.size(64, 4000), draw.size(16, 256))
    depth = draw.size(16, 256)
    for index in range(draw.number(2, 6)):
        with net.within(f"block{index}"):
            y = _over_time(net, "conv", x, depth, 3, 1 << (index % 4))
            y = net.op("relu", "Relu", y)
            x = net.op("add", "ElementWiseAdd", x, y) if shape_of(x) == shape_of(y) else y
    return x


def _over_time(net: Net, name: str, x: SSAValue, depth: int, size: int, dilation: int) -> SSAValue:
    filters, bias = net.weights(1, size, shape_of(x)[3], depth), net.weights(depth, fan=9)
    pad = dilation * (size - 1) // 2
    params = {"dilation": (1, dilation), "pad_amount": (0, 0, pad, pad)}
    return net.op(name, "Conv2d", x, filters, bias, **params)


FAMILIES: dict[str, Callable[[Net, Draw], SSAValue]] = {
    "chain": chain,
    "residual": residual,
    "inverted residual": inverted,
    "U-shaped": u_shaped,
    "dense concatenation": dense,
    "encoder": encoder,
    "recurrent": recurrent,
    "temporal convolution": temporal,
}


def drawn(seed: int) -> Drawn:
    """Draw the network of a seed; what is too large for a benchmark is drawn again."""
    family = list(FAMILIES)[seed % len(FAMILIES)]
    for attempt in range(100):
        draw = Draw(seed * 1000 + attempt)
        dtype = draw.one_of(*DTYPES) if family != "recurrent" else draw.one_of("f32", "f16")
        net = Net(seed, DType.Float16 if dtype == "f16" else DType.Float32)
        module = net.model({"result": FAMILIES[family](net, draw)})
        itemsize = 1 if dtype == "u8" else 2 if dtype == "f16" else 4
        sizes = [spec_of(value).elements * itemsize for value in _values(module)]
        if max(sizes) <= LARGEST and sum(sizes) <= TOTAL:
            tcm = draw.size(max(max(sizes) / 10, LEAST_TCM), max(sum(sizes), 2 * LEAST_TCM))
            module = on_grids(module) if dtype == "u8" else module
            return Drawn(seed, family, dtype, tcm // 2048 * 2048, module)
    raise ValueError(f"seed {seed} gives no network that is small enough")


def _values(module: ModuleOp) -> list[OpResult]:
    return [result for op in module.walk() for result in op.results]
