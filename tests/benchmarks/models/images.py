"""Networks with large images and few channels: a super-resolution and a residual tower."""

from xdsl.dialects.builtin import ModuleOp

from models.net import Net
from models.vision import conv


def upscaler(rows: int = 560, columns: int = 960) -> ModuleOp:
    """FSRCNN with 56 and 12 channels, four layers between, twice the extent by depth to space."""
    net = Net()
    x = net.op(
        "relu0", "Relu", conv(net, "extract", net.input("image", 1, rows, columns, 1), 56, 5)
    )
    x = net.op("relu1", "Relu", conv(net, "shrink", x, 12, 1))
    for index in range(4):
        x = net.op(f"map{index}.relu", "Relu", conv(net, f"map{index}", x, 12, 3))
    x = net.op("relu2", "Relu", conv(net, "expand", x, 56, 1))
    x = conv(net, "last", x, 4, 3)
    return net.model({"image": net.op("grow", "DepthToSpace", x, block_size=(2, 2))})


def residual_tower(size: int = 256, channels: int = 64, blocks: int = 4) -> ModuleOp:
    """Residual blocks of two 3x3 convolutions that all keep the extent."""
    net = Net()
    x = conv(net, "first", net.input("image", 1, size, size, 3), channels, 3)
    for index in range(blocks):
        with net.within(f"block{index}"):
            y = net.op("relu", "Relu", conv(net, "conv1", x, channels, 3))
            x = net.op("add", "ElementWiseAdd", x, conv(net, "conv2", y, channels, 3))
    return net.model({"image": conv(net, "last", x, 3, 3)})
