"""Ops of a PyTorch module have the node, the user's line and the module, at each level."""

import inspect

import pytest
import torch
from htp_mlir.dialects.htp.ops.const import ShapeOp
from htp_mlir.dialects.locations import Origin, origins_of
from htp_mlir.dialects.text.constant import Constant
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch
from torch import Tensor, nn
from xdsl.dialects.builtin import FusedLoc
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

pytestmark = pytest.mark.needs("torch")


class TwoLines(nn.Module):
    """A layer on one line, its activation on the next."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 8)

    def forward(self, x: Tensor) -> Tensor:
        y = self.layer(x)
        return torch.relu(y)


FIRST = inspect.getsourcelines(TwoLines.forward)[1] + 1
LAYER = Origin("linear", f"{__file__}:{FIRST}:1", "layer")
ACTIVATION = Origin("relu", f"{__file__}:{FIRST + 1}:1")


def demanding(op: Operation) -> bool:
    return not isinstance(op, Constant | ShapeOp | FuncOp | ReturnOp)


@pytest.mark.one_per
@pytest.mark.parametrize("level", ["graph", "native", "placed", "allocated"])
def test_each_op_has_the_users_line(level: str) -> None:
    module = load_torch(TwoLines().eval(), (torch.zeros(2, 4),))
    if level != "graph":
        module = lower(module, level=level)
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    ops = [op for op in function.body.walk() if demanding(op)]
    assert {origin for op in ops for origin in origins_of(op)} == {LAYER, ACTIVATION}
    assert all(origins_of(op) for op in ops)
    # The activation is taken into the layer: the op has both lines.
    both = [op for op in ops if isinstance(op.location, FusedLoc) and len(op.operands) > 1]
    assert [origins_of(op) for op in both] == ([] if level == "graph" else [(ACTIVATION, LAYER)])
