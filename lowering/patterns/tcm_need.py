"""The bytes of TCM that an op holds while it runs: tensors where its properties demand, scratch."""

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import HtpError
from ...dialects.htp import NativeOp, ShapeType
from ...dialects.spec_of import spec_of
from ...dialects.value import LAYOUTS, LayoutKind, Memory, Place, TensorSpec, round_up
from ...runtime import Operand, ShapeParam
from ...runtime.kernel.library import KernelRegistry
from ..rules.graph.graph import Node, OpTables, TensorProperties


def tcm_need(tables: OpTables, node: Node, unit: int = 1) -> int:
    """Count the bytes, with padding, of the tensors and scratch that a node's op wants in TCM.

    Each counts in whole units.
    """
    return _need(tables, node.op, _layout_of(tables, node.value), unit) if node.op else 0


def needs_more(tables: OpTables, node: Node, limit: int) -> bool:
    """Check that a node's op wants more bytes of TCM than the limit.

    The chain of producers is walked only where flat and crouton give different answers: rules ask
    this of every op, and chains of ops that follow each other are long.
    """
    op = node.op
    if op is None:
        return False
    layouts = (LayoutKind.FLAT, LayoutKind.CROUTON)
    flat, croutons = (_need(tables, op, layout) > limit for layout in layouts)
    return flat if flat is croutons else tcm_need(tables, node) > limit


def _need(tables: OpTables, op: Operation, follows: LayoutKind, unit: int = 1) -> int:
    """Count the bytes where tensors that may have any layout have this one."""
    properties = tables.properties.get(op.name)
    if properties is None:
        return 0
    placed = _placed(op, properties, follows)
    wanted = [spec.nbytes for spec in placed.values() if spec.memory is Memory.TCM]
    sizes = [*wanted, *scratch_sizes(tables.kernels, op, placed)]
    return sum(round_up(size, unit) for size in sizes)


def _placed(
    op: Operation, properties: TensorProperties, follows: LayoutKind
) -> dict[SSAValue, TensorSpec]:
    """Place the op's tensors as its properties say; in DDR where they leave that open."""
    named = [
        *zip(op.results, properties.outputs, strict=False),
        *zip(op.operands, properties.inputs, strict=False),
    ]
    return {
        value: _in(spec_of(value), properties.layout(tag) or follows, properties.memory(tag))
        for value, tag in reversed(named)
        if not isinstance(value.type, ShapeType)
    }


def scratch_sizes(
    kernels: KernelRegistry, op: Operation, placed: Mapping[SSAValue, TensorSpec]
) -> list[int]:
    """List the bytes of each scratch tensor in TCM of the kernel for these tensors, if any."""
    if not kernels.has_scratch(op.name):
        return []
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
        return []
    specs = kernel.scratch_specs(outputs, operands)
    return [spec.nbytes for spec in specs if spec.memory is Memory.TCM]


def _layout_of(tables: OpTables, value: SSAValue) -> LayoutKind:
    """Predict the layout of a tensor: that of its op, or of the op's first operand."""
    while isinstance(op := value.owner, NativeOp):
        properties = tables.properties.get(op.name)
        if properties is None:
            break
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
