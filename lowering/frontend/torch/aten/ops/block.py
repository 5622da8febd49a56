"""The block ops, which modules put into a program as one op each."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..node import AtenNode
from ..registry import TorchConversions

ATEN = TorchConversions()


@ATEN.conversion(
    *(f"qti_aisw.{op}" for op in ("Buffer", "MaskedSoftmax", "StatefulGru", "StatefulLstm"))
)
def block(node: AtenNode) -> list[SSAValue]:
    """A block op: tensors are its inputs, all else its attributes."""
    arguments = node.info.args
    op = node.info.op.split(".")[1]
    inputs = [node.optional(name) for name in arguments if node.is_tensor(name)]
    attributes = {name: value for name, value in arguments.items() if not node.is_tensor(name)}
    return node.onnx(op, *inputs, outputs=len(node.info.outputs), domain="qti_aisw", **attributes)
