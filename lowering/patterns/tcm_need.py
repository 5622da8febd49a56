"""How many bytes of TCM an op holds while it runs, as its tensor properties demand it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.htp.base import NativeOp
from ...dialects.htp.types import ShapeType
from ...dialects.place import FLAT_DDR, LAYOUTS, LayoutKind, Memory
from ...dialects.spec import spec_of
from ..rules.graph import Node
from ..rules.properties import TensorProperties
from .properties import PROPERTIES

_IN_USE: ContextVar[Mapping[str, TensorProperties] | None] = ContextVar("_IN_USE", default=None)


@contextmanager
def properties_in_use(held: Mapping[str, TensorProperties]) -> Iterator[None]:
    """Inside the block, ops demand what these say, by IR name; else what the project's own do."""
    token = _IN_USE.set(held)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def _properties(op: NativeOp) -> TensorProperties | None:
    held = _IN_USE.get()
    return PROPERTIES.get(op.mnemonic()) if held is None else held.get(op.name)


def tcm_need(node: Node) -> int:
    """Bytes, padding included, of the tensors that the node's op wants in TCM."""
    op = node.op
    properties = _properties(op) if isinstance(op, NativeOp) else None
    if op is None or properties is None:
        return 0
    follows = _layout_of(op.results[0])
    return sum(
        _bytes(value, properties.layout(tag) or follows)
        for tag, value in _tensors(op, properties)
        if properties.memory(tag) is Memory.TCM and not isinstance(value.type, ShapeType)
    )


def _tensors(op: Operation, properties: TensorProperties) -> Iterator[tuple[str, SSAValue]]:
    yield from zip(properties.outputs, op.results, strict=False)
    yield from zip(properties.inputs, op.operands, strict=False)


def _layout_of(value: SSAValue) -> LayoutKind:
    """The layout that placement will give a tensor: its op's own, or that of the first operand."""
    while isinstance(op := value.owner, NativeOp) and (properties := _properties(op)) is not None:
        index = Node(value).index
        tag = properties.outputs[index] if index < len(properties.outputs) else ""
        wanted = properties.layout(tag)
        data = next((operand for operand in op.operands if _is_data(op, operand)), None)
        if wanted is not None or data is None:
            return wanted or LayoutKind.FLAT
        value = data
    return LayoutKind.FLAT


def _is_data(op: NativeOp, operand: SSAValue) -> bool:
    name = op.operand_name(list(op.operands).index(operand))
    return name not in op.PARAMS and not isinstance(operand.type, ShapeType)


def _bytes(value: SSAValue, layout: LayoutKind) -> int:
    spec = spec_of(value)
    if (layout, spec.dtype.itemsize) not in LAYOUTS:
        layout = LayoutKind.FLAT
    return spec.with_place(replace(FLAT_DDR, layout=layout)).nbytes
