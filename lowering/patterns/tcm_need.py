"""How many bytes of TCM an op holds while it runs, as its tensor properties demand it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.htp.base import NativeOp
from ...dialects.place import FLAT_DDR, LAYOUTS, LayoutKind, Memory
from ...dialects.spec import spec_of
from ..rules.graph import Node
from ..rules.properties import TensorProperties
from .properties import PROPERTIES


def tcm_need(node: Node) -> int:
    """Bytes, padding included, of the tensors that the node's op wants in TCM."""
    op = node.op
    if not isinstance(op, NativeOp) or op.mnemonic() not in PROPERTIES:
        return 0
    properties = PROPERTIES[op.mnemonic()]
    follows = _layout_of(op.results[0])
    return sum(
        _bytes(value, properties.layout(tag) or follows)
        for tag, value in _tensors(op, properties)
        if properties.memory(tag) is Memory.TCM
    )


def _tensors(op: Operation, properties: TensorProperties) -> Iterator[tuple[str, SSAValue]]:
    yield from zip(properties.outputs, op.results, strict=False)
    yield from zip(properties.inputs, op.operands, strict=False)


def _layout_of(value: SSAValue) -> LayoutKind:
    """The layout that placement will give a tensor: its op's own, or that of the first operand."""
    while isinstance(op := value.owner, NativeOp) and op.mnemonic() in PROPERTIES:
        properties = PROPERTIES[op.mnemonic()]
        wanted = properties.layout(properties.outputs[Node(value).index])
        if wanted is not None:
            return wanted
        value = next(operand for operand in op.operands if _is_data(op, operand))
    return LayoutKind.FLAT


def _is_data(op: NativeOp, operand: SSAValue) -> bool:
    return op.operand_name(list(op.operands).index(operand)) not in op.PARAMS


def _bytes(value: SSAValue, layout: LayoutKind) -> int:
    spec = spec_of(value)
    if (layout, spec.dtype.itemsize) not in LAYOUTS:
        layout = LayoutKind.FLAT
    return spec.with_place(replace(FLAT_DDR, layout=layout)).nbytes
