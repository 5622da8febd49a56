"""Convolutional networks, data NHWC, batch 1; batch norms are folded into the weights."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from models.net import Net, shape_of

CLASSES = 1000
MOBILE_STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""Expansion, channels, blocks and stride of the first block of MobileNetV2's stages."""
RESIDUAL_STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
"""Width, blocks and stride of the first block of ResNet-50's stages."""


def conv(net: Net, name: str, x: SSAValue, channels: int, size: int, stride: int = 1) -> SSAValue:
    """A convolution with bias that keeps the extent but for its stride."""
    depth = shape_of(x)[3]
    filters = net.weights(size, size, depth, channels)
    bias = net.weights(channels, fan=depth)
    pads = same_pads(x, size, stride)
    return net.op(name, "Conv2d", x, filters, bias, stride=(stride, stride), pad_amount=pads)


def depthwise(net: Net, name: str, x: SSAValue, stride: int) -> SSAValue:
    """A 3x3 convolution of every channel on its own."""
    depth = shape_of(x)[3]
    operands = x, net.weights(3, 3, 1, depth, fan=9), net.weights(depth, fan=9)
    pads = same_pads(x, 3, stride)
    return net.op(name, "DepthWiseConv2d", *operands, stride=(stride, stride), pad_amount=pads)


def same_pads(x: SSAValue, size: int, stride: int) -> tuple[int, ...]:
    """Padding for ceil(extent / stride) outputs, the smaller half first."""
    pads: list[int] = []
    for extent in shape_of(x)[1:3]:
        total = max((-(-extent // stride) - 1) * stride + size - extent, 0)
        pads += [total // 2, total - total // 2]
    return tuple(pads)


def classified(net: Net, x: SSAValue, softmax: bool = True) -> ModuleOp:
    """Global average pool, a dense layer and, unless left out, softmax."""
    height, width, depth = shape_of(x)[1:]
    pooled = net.op("pool", "PoolAvg2d", x, filter_size=(height, width))
    row = net.op("flatten", "Reshape", pooled, shape=(1, depth))
    weights, bias = net.weights(CLASSES, depth, fan=depth), net.weights(CLASSES, fan=depth)
    logits = net.op("classifier", "FullyConnected", row, weights, bias)
    if not softmax:
        return net.model({"logits": logits})
    return net.model({"probabilities": net.op("softmax", "Softmax", logits)})


def _clipped(net: Net, name: str, x: SSAValue) -> SSAValue:
    return net.op(name, "ReluMinMax", x, min_value=0.0, max_value=6.0)


def mobilenet(size: int = 224) -> ModuleOp:
    """MobileNetV2, width 1.0: inverted residuals, ReLU6."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    x = _clipped(net, "stem.relu6", conv(net, "stem.conv", x, 32, 3, 2))
    for stage, (expansion, channels, blocks, stride) in enumerate(MOBILE_STAGES):
        for block in range(blocks):
            with net.within(f"stage{stage}.block{block}"):
                x = _inverted(net, x, expansion, channels, stride if block == 0 else 1)
    x = _clipped(net, "head.relu6", conv(net, "head.conv", x, 1280, 1))
    return classified(net, x)


def _inverted(net: Net, x: SSAValue, expansion: int, channels: int, stride: int) -> SSAValue:
    depth, y = shape_of(x)[3], x
    if expansion > 1:
        y = _clipped(net, "expand.relu6", conv(net, "expand", y, depth * expansion, 1))
    y = _clipped(net, "depthwise.relu6", depthwise(net, "depthwise", y, stride))
    y = conv(net, "project", y, channels, 1)
    return net.op("add", "ElementWiseAdd", x, y) if shape_of(x) == shape_of(y) else y


def resnet(size: int = 224, softmax: bool = True) -> ModuleOp:
    """ResNet-50: bottlenecks of 1x1, 3x3 (strided) and 1x1."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    x = net.op("stem.relu", "Relu", conv(net, "stem.conv", x, 64, 7, 2))
    pads = same_pads(x, 3, 2)
    window = {"filter_size": (3, 3), "stride": (2, 2), "pad_amount": pads}
    x = net.op("stem.pool", "PoolMax2d", x, **window)
    for stage, (width, blocks, stride) in enumerate(RESIDUAL_STAGES):
        for block in range(blocks):
            with net.within(f"stage{stage}.block{block}"):
                x = _bottleneck(net, x, width, stride if block == 0 else 1)
    return classified(net, x, softmax)


def _bottleneck(net: Net, x: SSAValue, width: int, stride: int) -> SSAValue:
    y = net.op("relu1", "Relu", conv(net, "conv1", x, width, 1))
    y = net.op("relu2", "Relu", conv(net, "conv2", y, width, 3, stride))
    y = conv(net, "conv3", y, 4 * width, 1)
    if shape_of(x) != shape_of(y):
        x = conv(net, "shortcut", x, 4 * width, 1, stride)
    return net.op("relu3", "Relu", net.op("add", "ElementWiseAdd", x, y))


def unet(size: int = 224, base: int = 32, depth: int = 4) -> ModuleOp:
    """A U-Net: `depth` levels down and up again, each joined to its like by a concat."""
    net = Net()
    x = net.input("image", 1, size, size, 3)
    skips: list[SSAValue] = []
    for level in range(depth):
        with net.within(f"down{level}"):
            skips.append(_pair(net, x, base << level))
            x = net.op("pool", "PoolMax2d", skips[-1], filter_size=(2, 2), stride=(2, 2))
    with net.within("bottom"):
        x = _pair(net, x, base << depth)
    for level in reversed(range(depth)):
        with net.within(f"up{level}"):
            x = _pair(net, _joined(net, x, skips[level], base << level), base << level)
    return net.model({"mask": net.op("sigmoid", "Sigmoid", conv(net, "head", x, 1, 1))})


def _pair(net: Net, x: SSAValue, channels: int) -> SSAValue:
    x = net.op("relu1", "Relu", conv(net, "conv1", x, channels, 3))
    return net.op("relu2", "Relu", conv(net, "conv2", x, channels, 3))


def _joined(net: Net, x: SSAValue, skip: SSAValue, channels: int) -> SSAValue:
    """Twice the extent by a transposed convolution, behind the skip along the depth."""
    filters = net.weights(2, 2, shape_of(x)[3], channels, fan=shape_of(x)[3])
    bias = net.weights(channels, fan=shape_of(x)[3])
    larger = net.op("grow", "TransposeConv2d", x, filters, bias, stride=(2, 2))
    return net.op("join", "Concat", [skip, larger], axis=3)
