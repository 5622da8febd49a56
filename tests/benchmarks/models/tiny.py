"""Tiny programs, by seed: three to five ops on images of two crouton rows."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from models.drawn import Draw
from models.net import Net, shape_of
from models.vision import conv

TCM = (80 << 10, 200 << 10)
"""Bytes of TCM, in which the tiles of a step just fit or nearly all tiles do."""


def tiny(seed: int) -> tuple[ModuleOp, int]:
    """Draw a program and the bytes of TCM to plan it for."""
    draw, net = Draw(seed), Net(seed)
    rows, depth = 16, 32
    x = net.input("image", 1, rows, 8 * draw.number(1, 2), depth)
    for index in range(draw.number(3, 5)):
        x = _op(net, draw, f"op{index}", x)
    return net.model({"result": x}), draw.size(*TCM) // 2048 * 2048


def _op(net: Net, draw: Draw, name: str, x: SSAValue) -> SSAValue:
    match draw.number(0, 3):
        case 0:
            return net.op(name, "Relu", conv(net, name, x, shape_of(x)[3], 1))
        case 1:
            return conv(net, name, x, shape_of(x)[3], 3)
        case 2:
            y = conv(net, name, x, shape_of(x)[3], 1)
            return net.op(f"{name}.add", "ElementWiseAdd", x, y)
        case _:
            return net.op(name, "Sigmoid", x)
