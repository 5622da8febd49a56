"""The graphs that a device's counters are known of, and the example of fused convolutions."""

from htp_mlir.dialects.value.dtypes import DType
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from models.net import Net, shape_of
from models.vision import CLASSES, classified, conv, depthwise, same_pads


def resnet18(size: int = 224) -> ModuleOp:
    """Blocks of two 3x3 convolutions with a sum around them."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    x = net.op("stem.relu", "Relu", conv(net, "stem.conv", x, 64, 7, 2))
    window = {"filter_size": (3, 3), "stride": (2, 2), "pad_amount": same_pads(x, 3, 2)}
    x = net.op("stem.pool", "PoolMax2d", x, **window)
    for stage in range(4):
        for block in range(2):
            with net.within(f"stage{stage}.block{block}"):
                x = _basic(net, x, 64 << stage, 2 if stage and not block else 1)
    return classified(net, x, softmax=False)


def _basic(net: Net, x: SSAValue, channels: int, stride: int) -> SSAValue:
    y = net.op("relu1", "Relu", conv(net, "conv1", x, channels, 3, stride))
    y = conv(net, "conv2", y, channels, 3)
    if shape_of(x) != shape_of(y):
        x = conv(net, "shortcut", x, channels, 1, stride)
    return net.op("relu2", "Relu", net.op("add", "ElementWiseAdd", x, y))


def vgg16(size: int = 224) -> ModuleOp:
    """Thirteen 3x3 convolutions with pools between, three dense layers."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    for stage, (channels, layers) in enumerate(((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))):
        x = _stage(net, x, f"stage{stage}", channels, layers)
        x = net.op(f"pool{stage}", "PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
    _, rows, columns, depth = shape_of(x)
    x = net.op("flatten", "Reshape", x, shape=(1, rows * columns * depth))
    for index, width in enumerate((4096, 4096, CLASSES)):
        depth = shape_of(x)[1]
        weights, bias = net.weights(width, depth, fan=depth), net.weights(width, fan=depth)
        x = net.op(f"dense{index}", "FullyConnected", x, weights, bias)
        x = net.op(f"dense{index}.relu", "Relu", x) if index < 2 else x
    return net.model({"logits": x})


def _stage(net: Net, x: SSAValue, name: str, channels: int, layers: int) -> SSAValue:
    with net.within(name):
        for layer in range(layers):
            x = net.op(f"relu{layer}", "Relu", conv(net, f"conv{layer}", x, channels, 3))
    return x


def vgg_start(size: int = 224) -> ModuleOp:
    """The first five convolutions of VGG-19, with the two pools between them."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    for stage, (channels, layers) in enumerate(((64, 2), (128, 2), (256, 1))):
        if stage:
            x = net.op(f"pool{stage}", "PoolMax2d", x, filter_size=(2, 2), stride=(2, 2))
        x = _stage(net, x, f"stage{stage}", channels, layers)
    return net.model({"features": x})


def attention(heads: int = 16, tokens: int = 512, width: int = 128) -> ModuleOp:
    """Attention in f16 whose scores, scaled scores and probabilities are outputs too."""
    net = Net(dtype=DType.Float16)
    q, k, v = (net.input(name, 1, heads, tokens, width) for name in "qkv")
    scores = net.op("scores", "MatMul", q, k, transpose_in1=True)
    scaled = net.op("scaled", "ElementWiseMultiply", scores, net.scalar(width**-0.5))
    chances = net.op("chances", "Softmax", scaled)
    mixed = net.op("mix", "MatMul", chances, v)
    return net.model({"mixed": mixed, "scores": scores, "scaled": scaled, "chances": chances})


def image_block(size: int = 512) -> ModuleOp:
    """Fifteen layers on a large image with a mean over all of it in the middle."""
    net = Net()
    first = conv(net, "first", net.input("image", 1, size, size, 4), 32, 3)
    wide = conv(net, "widen", net.op("tanh", "Tanh", first), 64, 1)
    gated = _halves(net, "halves", depthwise(net, "depthwise", wide, 1))
    mean = net.op("mean", "PoolAvg2d", gated, filter_size=(size, size))
    scaled = net.op("scaled", "ElementWiseMultiply", gated, conv(net, "mean.conv", mean, 32, 1))
    middle = _paired(net, "middle", conv(net, "mixed", scaled, 32, 1), first)
    wide = conv(net, "widen2", net.op("tanh2", "Tanh", middle), 64, 1)
    narrow = conv(net, "mixed2", _halves(net, "halves2", wide), 32, 1)
    return net.model({"result": _paired(net, "last", narrow, middle)})


def _halves(net: Net, name: str, x: SSAValue) -> SSAValue:
    """The product of the first and the second half of the channels."""
    _, rows, columns, depth = shape_of(x)
    parts = [
        net.op(
            f"{name}.{part}",
            "StridedSlice",
            x,
            ranges=(0, 1, 1, 0, rows, 1, 0, columns, 1, *bounds, 1),
        )
        for part, bounds in enumerate(((0, depth // 2), (depth // 2, depth)))
    ]
    return net.op(name, "ElementWiseMultiply", *parts)


def _paired(net: Net, name: str, x: SSAValue, y: SSAValue) -> SSAValue:
    """A convolution of two channels a group behind a concatenation."""
    joined = net.op(f"{name}.join", "Concat", [x, y], axis=3)
    depth = shape_of(x)[3]
    filters, bias = net.weights(1, 1, 2, depth), net.weights(depth, fan=2)
    return net.op(name, "Conv2d", joined, filters, bias, group=depth)
