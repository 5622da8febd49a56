"""Transformer encoders, of tokens and of video, and a stack of LSTM layers."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from models.net import Net, shape_of


def transformer(tokens: int = 128, layers: int = 12, width: int = 768, heads: int = 12) -> ModuleOp:
    """An encoder that normalises after each residual sum; the hidden layer is 4 x as wide."""
    net = Net()
    x = net.input("tokens", 1, tokens, width)
    for layer in range(layers):
        with net.within(f"layer{layer}"):
            x = encoder_layer(net, x, heads)
    return net.model({"encoded": x})


def encoder_layer(net: Net, x: SSAValue, heads: int) -> SSAValue:
    """Attention and a dense part, normalised after each residual sum."""
    width = shape_of(x)[-1]
    x = _normed(net, "norm1", x, _attention(net, x, heads))
    hidden = net.op("gelu", "Gelu", _dense(net, "widen", x, 4 * width))
    return _normed(net, "norm2", x, _dense(net, "narrow", hidden, width))


def _dense(net: Net, name: str, x: SSAValue, width: int) -> SSAValue:
    depth = shape_of(x)[-1]
    weights, bias = net.weights(width, depth, fan=depth), net.weights(width, fan=depth)
    return net.op(name, "FullyConnected", x, weights, bias)


def _normed(net: Net, name: str, x: SSAValue, y: SSAValue) -> SSAValue:
    width = shape_of(x)[-1]
    gamma, beta = net.weights(width, fan=1), net.weights(width, fan=width)
    total = net.op(f"{name}.add", "ElementWiseAdd", x, y)
    return net.op(name, "LayerNorm", total, gamma, beta, axes=(2,))


def _attention(net: Net, x: SSAValue, heads: int, keys: SSAValue | None = None) -> SSAValue:
    sources = {"q": x, "k": keys or x, "v": keys or x}
    q, k, v = (
        _heads(net, name, _dense(net, name, source, shape_of(x)[-1]), heads)
        for name, source in sources.items()
    )
    scores = net.op("scores", "MatMul", q, k, transpose_in1=True)
    scale = net.scalar(shape_of(q)[-1] ** -0.5)
    chances = net.op("softmax", "Softmax", net.op("scale", "ElementWiseMultiply", scores, scale))
    turned = net.op("merge", "Transpose", net.op("mix", "MatMul", chances, v), perm=(0, 2, 1, 3))
    return _dense(
        net, "project", net.op("flat", "Reshape", turned, shape=shape_of(x)), shape_of(x)[-1]
    )


def _heads(net: Net, name: str, x: SSAValue, heads: int) -> SSAValue:
    """[1, tokens, width] to [1, heads, tokens, width / heads]."""
    _, tokens, width = shape_of(x)
    split = net.op(f"{name}.split", "Reshape", x, shape=(1, tokens, heads, width // heads))
    return net.op(f"{name}.turn", "Transpose", split, perm=(0, 2, 1, 3))


def video_transformer(frames: int = 8, side: int = 28, width: int = 96) -> ModuleOp:
    """Three stages on patches of frames; between two the grid is halved and the width doubled.

    All patches ask, and keys and values are of a grid that is pooled to the one of the last stage.
    """
    net = Net()
    x = net.input("patches", frames, side, side, width)
    for stage in range(3):
        with net.within(f"stage{stage}"):
            x = _video_layer(net, x, 4 >> stage, 1 << stage)
            if stage < 2:
                x = _pooled(net, "halve", _dense(net, "double", x, 2 * shape_of(x)[-1]), 2)
    return net.model({"encoded": x})


def _video_layer(net: Net, x: SSAValue, pool: int, heads: int) -> SSAValue:
    """Attention to a pooled grid and a dense part, normalised after each residual sum."""
    frames, side, _, width = shape_of(x)
    tokens = (1, frames * side * side, width)
    flat = net.op("tokens", "Reshape", x, shape=tokens)
    keys = _pooled(net, "pool", x, pool)
    pooled = net.op("keys", "Reshape", keys, shape=(1, tokens[1] // pool**2, width))
    y = _normed(net, "norm1", flat, _attention(net, flat, heads, pooled))
    hidden = net.op("gelu", "Gelu", _dense(net, "widen", y, 4 * width))
    y = _normed(net, "norm2", y, _dense(net, "narrow", hidden, width))
    return net.op("grid", "Reshape", y, shape=(frames, side, side, width))


def _pooled(net: Net, name: str, x: SSAValue, size: int) -> SSAValue:
    return net.op(name, "PoolAvg2d", x, filter_size=(size, size), stride=(size, size))


def lstm(steps: int = 64, inputs: int = 256, hidden: int = 512, layers: int = 3) -> ModuleOp:
    """LSTM layers on a sequence, batch 1; the last layer's states are outputs."""
    net = Net()
    x = net.input("sequence", steps, 1, inputs)
    for layer in range(layers):
        with net.within(f"layer{layer}"):
            x = recurrent_layer(net, x, hidden)
    return net.model({"last": x})


def recurrent_layer(net: Net, x: SSAValue, hidden: int) -> SSAValue:
    """An LSTM layer on [steps, 1, inputs]."""
    steps, _, inputs = shape_of(x)
    weights = (
        net.weights(1, 4 * hidden, inputs, fan=hidden),
        net.weights(1, 4 * hidden, hidden, fan=hidden),
        net.weights(1, 8 * hidden, fan=hidden),
    )
    y = net.op("lstm", "Lstm", x, *weights, hidden_size=hidden)
    return net.op("flatten", "Reshape", y, shape=(steps, 1, hidden))
