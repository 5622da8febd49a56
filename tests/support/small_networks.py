"""Small networks, each of which is lowered at many sizes of the TCM."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from xdsl.ir import SSAValue

from .graph import F16, F32, Element, Graph, Model, u8

Small = Callable[[], Model]
PAD = (1, 1, 1, 1)


def _given(graph: Graph, value: SSAValue) -> Model:
    graph.give("out", value)
    return graph.model()


def _conv(
    graph: Graph, x: SSAValue, kernel: int, inputs: int, outputs: int, stride: int = 1
) -> SSAValue:
    weights = graph.weights(kernel, kernel, inputs, outputs)
    return graph.op("Conv2d", x, weights, stride=(stride, stride), pad_amount=(kernel // 2,) * 4)


def _convs(
    *channels: int, side: int = 20, kernels: Sequence[int] = (3,), batch: int = 1, stride: int = 1
) -> Small:
    """Convolutions in a row with Relu between them."""

    def build() -> Model:
        graph = Graph()
        x = graph.input(batch, side, side, channels[0])
        for index, (inputs, outputs) in enumerate(pairwise(channels)):
            kernel = kernels[index % len(kernels)]
            x = graph.op("Relu", _conv(graph, x, kernel, inputs, outputs, stride))
        return _given(graph, x)

    return build


def _product(rows: int, depth: int, columns: int, of: Element = F32) -> Small:
    def build() -> Model:
        graph = Graph()
        x = graph.input(rows, depth, of=of)
        out = u8(0.2) if of != F32 and of != F16 else None
        return _given(
            graph, graph.op("FullyConnected", x, graph.weights(columns, depth, of=of), out=out)
        )

    return build


def _over_time(steps: int, channels: int, dilations: Sequence[int], skip: bool) -> Small:
    def build() -> Model:
        graph = Graph()
        x = graph.op("Relu", graph.input(1, 1, steps, channels))
        for dilation in dilations:
            y = graph.op(
                "Conv2d",
                x,
                graph.weights(1, 3, channels, channels),
                stride=(1, 1),
                pad_amount=(0, 0, 2 * dilation, 0),
                dilation=(1, dilation),
            )
            y = graph.op("Relu", y)
            x = graph.op("ElementWiseAdd", y, x) if skip else y
        return _given(graph, x)

    return build


def _attention(heads: int, tokens: int, depth: int, turned: bool = False) -> Small:
    """Queries, keys and values as inputs; keys that are turned come with their axes swapped."""

    def build() -> Model:
        graph = Graph()
        queries = graph.input(1, heads, tokens, depth)
        if turned:
            scores = graph.op("MatMul", queries, graph.input(1, heads, depth, tokens))
        else:
            scores = graph.op(
                "MatMul", queries, graph.input(1, heads, tokens, depth), transpose_in1=True
            )
        values = graph.input(1, heads, tokens, depth)
        return _given(graph, graph.op("MatMul", graph.op("Softmax", scores), values))

    return build


def _feed_forward(tokens: int, depth: int, hidden: int) -> Small:
    def build() -> Model:
        graph = Graph()
        x = graph.input(1, 1, tokens, depth)
        y = graph.op("Gelu", graph.op("FullyConnected", x, graph.weights(hidden, depth)))
        y = graph.op("FullyConnected", y, graph.weights(depth, hidden))
        return _given(graph, graph.op("ElementWiseAdd", x, y))

    return build


def _normalised() -> Model:
    """A layer norm, a product and a skip."""
    graph = Graph()
    x = graph.input(1, 1, 100, 192)
    y = graph.op("LayerNorm", x, graph.weights(192), graph.weights(192), axes=(3,))
    y = graph.op("FullyConnected", y, graph.weights(192, 192))
    return _given(graph, graph.op("ElementWiseAdd", x, y))


def _pooled() -> Model:
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 40, 40, 16), 3, 16, 48))
    x = graph.op("PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
    return _given(graph, _conv(graph, x, 3, 48, 64))


def _averaged() -> Model:
    """A mean over the image, and a classifier."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 33, 33, 24), 3, 24, 96))
    x = graph.op("ReduceMean", x, axes=(1, 2), keep_dims=True)
    return _given(graph, graph.op("Conv2d", x, graph.weights(1, 1, 96, 120)))


def _gated() -> Model:
    """An image that is scaled by what its mean gives."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 20, 20, 24), 1, 24, 144))
    mean = graph.op("ReduceMean", x, axes=(1, 2), keep_dims=True)
    gate = graph.op("Sigmoid", graph.op("Conv2d", mean, graph.weights(1, 1, 144, 144)))
    return _given(graph, _conv(graph, graph.op("ElementWiseMultiply", x, gate), 1, 144, 32))


def _bottleneck() -> Model:
    graph = Graph()
    x = graph.input(1, 40, 40, 16)
    y = graph.op("Relu", _conv(graph, x, 1, 16, 96))
    y = graph.op(
        "Relu",
        graph.op("DepthWiseConv2d", y, graph.weights(3, 3, 1, 96), stride=(1, 1), pad_amount=PAD),
    )
    return _given(graph, graph.op("ElementWiseAdd", x, _conv(graph, y, 1, 96, 16)))


def _residual() -> Model:
    graph = Graph()
    x = _conv(graph, graph.input(1, 33, 33, 3), 3, 3, 24)
    for _ in range(2):
        y = graph.op("Relu", _conv(graph, x, 3, 24, 24))
        x = graph.op("Relu", graph.op("ElementWiseAdd", x, _conv(graph, y, 3, 24, 24)))
    return _given(graph, x)


def _dense(ends: bool) -> Small:
    """Three convolutions, each of all that came before it, and one that ends them, or all of it."""

    def build() -> Model:
        graph = Graph()
        x, channels = graph.input(1, 28, 28, 24), 24
        for _ in range(3):
            y = graph.op("Relu", _conv(graph, x, 3, channels, 16))
            x, channels = graph.op("Concat", [x, y], axis=3), channels + 16
        return _given(graph, _conv(graph, x, 1, channels, 32) if ends else x)

    return build


def _grouped() -> Model:
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 28, 28, 64), 1, 64, 64))
    x = graph.op("Conv2d", x, graph.weights(3, 3, 16, 64), stride=(1, 1), pad_amount=PAD, group=4)
    return _given(graph, _conv(graph, graph.op("Relu", x), 1, 64, 64))


def _mirrored() -> Model:
    """Two convolutions, with margins of the image's own rows and columns between them."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 48, 48, 3), 3, 3, 32))
    sizes = [1, 48, 48, 32]
    for axis in (1, 2):
        edges = []
        for at in (1, 46):
            ranges = [(0, size, 1) for size in sizes]
            ranges[axis] = at, at + 1, 1
            edges.append(graph.op("StridedSlice", x, ranges=[n for one in ranges for n in one]))
        x = graph.op("Concat", [edges[0], x, edges[1]], axis=axis)
        sizes[axis] += 2
    weights = graph.weights(3, 3, 32, 8)
    return _given(graph, graph.op("Conv2d", x, weights, stride=(1, 1), pad_amount=(0,) * 4))


def _transposed() -> Model:
    """An image that gets twice as large, and a convolution."""
    graph = Graph()
    x = graph.op(
        "TransposeConv2d",
        graph.input(1, 14, 14, 64),
        graph.weights(2, 2, 64, 32),
        stride=(2, 2),
        pad_amount=(0, 0, 0, 0),
    )
    return _given(graph, _conv(graph, graph.op("Relu", x), 3, 32, 32))


def _resized() -> Model:
    """An image of twice the side by its nearest pixels, between two convolutions."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 14, 14, 48), 3, 48, 48))
    x = graph.op("Resize", x, size=(28, 28))
    return _given(graph, _conv(graph, x, 3, 48, 32))


def _shuffled() -> Model:
    """Depth to space: an image of three times the side."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 30, 30, 12), 3, 12, 32))
    x = _conv(graph, x, 3, 32, 27)
    return _given(graph, graph.op("DepthToSpace", x, block_size=(3, 3)))


def _channels_first() -> Model:
    graph = Graph()
    x = graph.op("Transpose", graph.input(1, 16, 40, 40), perm=(0, 2, 3, 1))
    x = graph.op("Relu", _conv(graph, x, 3, 16, 24))
    return _given(graph, graph.op("Transpose", x, perm=(0, 3, 1, 2)))


def _branches() -> Model:
    """Layers of one image, joined along the depth, and the channels first at the end."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 40, 40, 8), 3, 8, 32))
    first, second = _conv(graph, x, 1, 32, 32), _conv(graph, x, 3, 32, 48)
    joined = graph.op("Concat", [first, second], axis=3)
    return _given(graph, graph.op("Transpose", joined, perm=(0, 3, 1, 2)))


def _pre_activated() -> Model:
    """A residual block whose norms come before its layers."""
    graph = Graph()
    x = _conv(graph, graph.input(1, 40, 40, 3), 3, 3, 32)
    y = graph.op("Batchnorm", x, graph.weights(32), graph.weights(32))
    y = _conv(graph, graph.op("Relu", y), 3, 32, 32)
    return _given(graph, graph.op("ElementWiseAdd", x, y))


def _quantised() -> Model:
    graph = Graph()
    x = graph.op("Quantize", graph.input(1, 64, 64, 3), out=u8(), to=u8())
    for inputs, outputs in ((3, 32), (32, 48)):
        weights = graph.weights(3, 3, inputs, outputs, of=u8())
        x = graph.op("Conv2d", x, weights, out=u8(0.2), stride=(1, 1), pad_amount=PAD)
        x = graph.op("Relu", x)
    return _given(graph, graph.op("Dequantize", x))


def _gru() -> Model:
    graph = Graph()
    weights = [graph.weights(1, 3 * 96, n) for n in (64, 96)]
    outputs = graph.ops("Gru", graph.input(24, 1, 64), *weights, hidden_size=96)
    return _given(graph, outputs[0])


def _lstms() -> Model:
    """Two LSTMs, one over the other's steps."""
    graph = Graph()
    x = graph.input(16, 1, 64)
    for inputs in (64, 80):
        weights = [graph.weights(1, 4 * 80, n) for n in (inputs, 80)]
        y = graph.ops("Lstm", x, *weights, hidden_size=80)[0]
        x = graph.op("Reshape", y, shape=(16, 1, 80))
    return _given(graph, x)


def _forked() -> Model:
    """Two branches of other kernels, joined by their channels."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 26, 26, 32), 1, 32, 32))
    one = graph.op("Relu", _conv(graph, x, 1, 32, 40))
    three = graph.op("Relu", _conv(graph, x, 3, 32, 40))
    return _given(graph, _conv(graph, graph.op("Concat", [one, three], axis=3), 1, 80, 32))


def _skipped() -> Model:
    """An encoder and a decoder of one level with a skip."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 32, 32, 3), 3, 3, 24))
    down = graph.op("PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
    down = graph.op("Relu", _conv(graph, down, 3, 24, 48))
    up = graph.op(
        "TransposeConv2d", down, graph.weights(2, 2, 48, 24), stride=(2, 2), pad_amount=(0,) * 4
    )
    joined = graph.op("Concat", [x, up], axis=3)
    return _given(graph, _conv(graph, joined, 3, 48, 16))


def _two_outputs() -> Model:
    """An image of half the side that is repeated and joined, and an output of each side."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 40, 40, 16), 3, 16, 32))
    down = graph.op("Relu", _conv(graph, x, 3, 32, 48, stride=2))
    joined = graph.op("Concat", [x, graph.op("Resize", down, size=(40, 40))], axis=3)
    large = graph.op("Relu", _conv(graph, joined, 3, 80, 32))
    graph.give("large", _conv(graph, large, 1, 32, 21))
    graph.give("small", _conv(graph, down, 1, 48, 21))
    return graph.model()


def _windows() -> Model:
    """An image in windows of 7x7, a layer of each pixel in them, and the image again."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 28, 28, 24), 1, 24, 48))
    rows = graph.op("Transpose", graph.op("Reshape", x, shape=(4, 7, 4, 336)), perm=(0, 2, 1, 3))
    wide = graph.op(
        *("FullyConnected", graph.op("Reshape", rows, shape=(784, 48)), graph.weights(96, 48))
    )
    back = graph.op("Reshape", graph.op("Relu", wide), shape=(4, 4, 7, 672))
    turned = graph.op("Transpose", back, perm=(0, 2, 1, 3))
    image = graph.op("Reshape", turned, shape=(1, 28, 28, 96))
    return _given(graph, _conv(graph, image, 1, 96, 24))


def _mixed_channels() -> Model:
    """A layer whose channels are put into another order, between two of the same."""
    graph = Graph()
    x = graph.op("Relu", _conv(graph, graph.input(1, 28, 28, 24), 3, 24, 48))
    turned = graph.op("Transpose", graph.op("Reshape", x, shape=(784, 2, 24)), perm=(0, 2, 1))
    return _given(
        graph, _conv(graph, graph.op("Reshape", turned, shape=(1, 28, 28, 48)), 3, 48, 48)
    )


def _dilated() -> Model:
    """An image that is seen at two distances, joined."""
    graph = Graph()
    x = graph.op("Relu", graph.input(1, 33, 33, 64))
    seen = [
        graph.op(
            "Conv2d",
            *(x, graph.weights(3, 3, 64, 32)),
            **{"dilation": (by, by), "pad_amount": (by,) * 4},
        )
        for by in (4, 9)
    ]
    return _given(graph, _conv(graph, graph.op("Concat", seen, axis=3), 1, 64, 32))


SMALL: dict[str, Small] = {
    "conv 3x3": _convs(64, 96),
    "conv 1x1": _convs(96, 256, kernels=(1,)),
    "conv 7x7 of 3 channels": _convs(3, 48, side=49, kernels=(7,)),
    "two convs": _convs(32, 64, 32),
    "three convs": _convs(8, 24, 40, 16, side=40),
    "wide convs": _convs(96, 160, 96, side=12, kernels=(3, 1)),
    "strided convs": _convs(8, 24, 40, 64, side=65, stride=2),
    "batch of 3": _convs(16, 40, 24, side=24, batch=3),
    "product": _product(200, 300, 400),
    "product, u8": _product(200, 512, 700, of=u8()),
    "product of one row": _product(1, 600, 500),
    "over time": _over_time(300, 40, (1, 2), skip=True),
    "over time, long": _over_time(1000, 24, (1, 2, 4), skip=False),
    "over 65 steps": _over_time(65, 96, (1,), skip=False),
    "attention": _attention(2, 96, 64),
    "attention, turned keys": _attention(2, 96, 64, turned=True),
    "attention, 8 heads": _attention(8, 64, 32),
    "attention, long": _attention(1, 300, 64),
    "feed-forward": _feed_forward(64, 96, 384),
    "feed-forward, long": _feed_forward(260, 64, 256),
    "normalised": _normalised,
    "pooled": _pooled,
    "averaged": _averaged,
    "gated": _gated,
    "bottleneck": _bottleneck,
    "residual": _residual,
    "dense": _dense(ends=True),
    "dense, joined": _dense(ends=False),
    "dilated": _dilated,
    "grouped": _grouped,
    "mirrored": _mirrored,
    "transposed": _transposed,
    "resized": _resized,
    "shuffled": _shuffled,
    "channels first": _channels_first,
    "branches": _branches,
    "pre-activated": _pre_activated,
    "quantised": _quantised,
    "gru": _gru,
    "lstms": _lstms,
    "forked": _forked,
    "skipped": _skipped,
    "two outputs": _two_outputs,
    "mixed channels": _mixed_channels,
    "windows": _windows,
}
