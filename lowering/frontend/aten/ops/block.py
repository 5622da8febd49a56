"""The block ops, which modules put into a program as one op each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion(
    *(f"qti_aisw.{op}" for op in ("Buffer", "MaskedSoftmax", "StatefulGru", "StatefulLstm"))
)
def block(node: AtenNode) -> list[SSAValue]:
    """A block op: tensors are its inputs, all else its attributes."""
    info = node.info
    inputs = [node.optional(name) for name in info.args if name in info.tensors]
    attributes = {name: value for name, value in info.args.items() if name not in info.tensors}
    op = info.op.split(".")[1]
    return node.onnx(op, *inputs, outputs=len(info.outputs), domain="qti_aisw", **attributes)
