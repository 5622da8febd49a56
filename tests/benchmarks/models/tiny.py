"""Tiny programs, by seed: three to five ops on images of two crouton rows."""

from __future__ import annotations

from htp_mlir.dialects.spec_of import spec_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from models.drawn import Draw
from models.net import Net, shape_of
from models.vision import conv


def tiny(seed: int) -> tuple[ModuleOp, int]:
    """Draw a program and the bytes of TCM to plan it for."""
    draw, net = Draw(seed), Net(seed)
    rows, depth = 16, 32
    x = net.input("image", 1, rows, 8 * draw.number(1, 4), depth)
    for index in range(draw.number(3, 5)):
        x = _op(net, draw, f"op{index}", x)
    module = net.model({"result": x})
    sizes = [spec_of(r).elements * 4 for op in module.walk() for r in op.results]
    return module, draw.size(max(sizes) * 1.2, sum(sizes)) // 2048 * 2048


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
