"""How many bytes of TCM an op holds while it runs, as its tensor properties demand it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import HtpError
from ...dialects.htp.base import NativeOp
from ...dialects.htp.types import ShapeType
from ...dialects.value.place import LAYOUTS, LayoutKind, Memory, Place
from ...dialects.value.spec import TensorSpec, spec_of
from ...runtime.kernel.registry import KernelRegistry, Operand
from ...runtime.tensors.tensors import ShapeParam
from ..rules.graph.graph import Node
from ..rules.language.properties import TensorProperties
from .properties import PROPERTIES

_IN_USE: ContextVar[Mapping[str, TensorProperties] | None] = ContextVar("_IN_USE", default=None)
_KERNELS: ContextVar[KernelRegistry | None] = ContextVar("_KERNELS", default=None)


@contextmanager
def properties_in_use(
    held: Mapping[str, TensorProperties], kernels: KernelRegistry | None = None
) -> Iterator[None]:
    """Inside the block, ops demand what these say, by IR name; else what the project's own do.

    With `kernels` the scratch of the kernel that takes an op as it demands to be placed counts too.
    """
    token, other = _IN_USE.set(held), _KERNELS.set(kernels)
    try:
        yield
    finally:
        _IN_USE.reset(token)
        _KERNELS.reset(other)


def _properties(op: NativeOp) -> TensorProperties | None:
    held = _IN_USE.get()
    return PROPERTIES.get(op.mnemonic()) if held is None else held.get(op.name)


def tcm_need(node: Node) -> int:
    """Bytes, padding included, of the tensors that the node's op wants in TCM, and of scratch."""
    return _need(node.op, _layout_of(node.value)) if node.op else 0


def needs_more(node: Node, limit: int) -> bool:
    """The node's op wants more bytes of TCM than the limit.

    From how far up its layout comes is looked at only where the layouts differ in the answer:
    rules ask this of every op, and chains of ops that follow each other are long.
    """
    op = node.op
    if op is None:
        return False
    flat, croutons = (_need(op, layout) > limit for layout in (LayoutKind.FLAT, LayoutKind.CROUTON))
    return flat if flat is croutons else tcm_need(node) > limit


def _need(op: Operation, follows: LayoutKind) -> int:
    """The bytes where tensors that may have any layout have this one."""
    properties = _properties(op) if isinstance(op, NativeOp) else None
    if properties is None:
        return 0
    placed = _placed(op, properties, follows)
    wanted = [spec.nbytes for spec in placed.values() if spec.memory is Memory.TCM]
    return sum(wanted) + _scratch_bytes(op, placed)


def _placed(
    op: Operation, properties: TensorProperties, follows: LayoutKind
) -> dict[SSAValue, TensorSpec]:
    """The op's tensors as its properties place them; in main memory where they leave that open."""
    named = [
        *zip(op.results, properties.outputs, strict=False),
        *zip(op.operands, properties.inputs, strict=False),
    ]
    return {
        value: _in(spec_of(value), properties.layout(tag) or follows, properties.memory(tag))
        for value, tag in reversed(named)
        if not isinstance(value.type, ShapeType)
    }


def _scratch_bytes(op: Operation, placed: Mapping[SSAValue, TensorSpec]) -> int:
    """The scratch in TCM of the kernel that takes these tensors; 0 where none does."""
    kernels = _KERNELS.get()
    if kernels is None or not kernels.has_scratch(op.name):
        return 0
    outputs = [placed.get(value) or spec_of(value) for value in op.results]
    operands: list[Operand] = [
        ShapeParam(value.type.get_shape())
        if isinstance(value.type, ShapeType)
        else placed.get(value) or spec_of(value)
        for value in op.operands
    ]
    try:
        kernel = kernels.select(op.name, outputs, operands)
    except HtpError:
        return 0
    specs = kernel.scratch_specs(outputs, operands)
    return sum(spec.nbytes for spec in specs if spec.memory is Memory.TCM)


def _layout_of(value: SSAValue) -> LayoutKind:
    """The layout that placement will give a tensor: its op's own, or that of the first operand."""
    while isinstance(op := value.owner, NativeOp) and (properties := _properties(op)) is not None:
        index = Node(value).index
        tag = properties.outputs[index] if index < len(properties.outputs) else ""
        wanted = properties.layout(tag)
        data = next((value for at, value in enumerate(op.operands) if _is_data(op, at)), None)
        if wanted is not None or data is None:
            return wanted or LayoutKind.FLAT
        value = data
    return LayoutKind.FLAT


def _is_data(op: NativeOp, index: int) -> bool:
    shape = isinstance(op.operands[index].type, ShapeType)
    return not shape and op.operand_name(index) not in op.PARAMS


def _in(spec: TensorSpec, layout: LayoutKind, memory: Memory | None) -> TensorSpec:
    if (layout, spec.dtype.itemsize) not in LAYOUTS:
        layout = LayoutKind.FLAT
    return spec.with_place(Place(layout, memory or Memory.DDR))
