"""Graphs of the functions of a module, at any level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import fail
from ....dialects.htp.ops.const import ShapeOp
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.spec_of import spec_of
from ....dialects.text.constant import Constant
from ....dialects.text.printer import ELIDED, ModulePrinter
from ....dialects.value.place import Memory
from ....runtime.program.boundary import inputs_of, outputs_of
from ...levels import operand_label
from ..elide import elided
from ..residencies import only_param
from ..sources import sources
from .view import Edge, GraphView, Look, Output, Vertex

_SHOWN = 8
"""Elements; constants of more are left out."""


def graphs(module: ModuleOp) -> tuple[GraphView, ...]:
    """Draw each function with a body; HtpError for one of several blocks."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]
    for op in functions:
        if len(op.body.blocks) > 1:
            name, count = op.sym_name.data, len(op.body.blocks)
            raise fail(f"@{name}", f"its body has {count} blocks", "draw one without branches")
    return tuple(
        GraphView(op.sym_name.data, tuple(_GraphReader(op).vertices())) for op in functions
    )


class _GraphReader:
    """A reader of one function that gives its values the ids of vertices.

    Constants that ops read as params only are facts of those ops, not vertices.
    """

    def __init__(self, function: FuncOp) -> None:
        self._function = function
        body = list(function.body.block.ops)
        self._sources = sources(body)
        self._ops = [op for op in body if not isinstance(op, ReturnOp)]
        self._ids = {op: f"op{index}" for index, op in enumerate(self._ops)}
        self._inputs: dict[SSAValue, int] = {
            value: index for index, value in enumerate(function.body.block.args)
        }
        self._counts = Counter(self._sources[op].node for op in self._ops if not _is_param(op))

    def vertices(self) -> Iterator[Vertex]:
        """Yield the inputs, the ops and the outputs."""
        for index, (name, value) in enumerate(inputs_of(self._function).items()):
            yield Vertex(f"in{index}", name, Look.INPUT, outputs=(_output(value),))
        yield from (self._vertex(op) for op in self._ops if not _is_param(op))
        for index, (name, value) in enumerate(outputs_of(self._function).items()):
            yield Vertex(f"out{index}", name, Look.OUTPUT, edges=(self._edge(value, "value"),))

    def _vertex(self, op: Operation) -> Vertex:
        names = _operand_names(op)
        params = [index for index, value in enumerate(op.operands) if _is_param(value.owner)]
        node, origins = self._sources[op].node, self._sources[op].origins
        # A node of one op is not a cluster of its own.
        parts = tuple(filter(None, node.split("/")))
        namespace = parts if self._counts[node] > 1 else parts[:-1]
        attrs = {"from": origins} if origins else {}
        facts = {**op.properties, **op.attributes}
        attrs |= {name: shown(value) for name, value in facts.items()}
        attrs |= {names[index]: _param(op.operands[index].owner) for index in params}
        edges = (
            self._edge(value, names[index])
            for index, value in enumerate(op.operands)
            if index not in params
        )
        return Vertex(
            self._ids[op],
            op.name.partition(".")[2] or op.name,
            _look(op),
            namespace,
            {"op": op.name, **attrs},
            tuple(edges),
            tuple(map(_output, op.results)),
        )

    def _edge(self, value: SSAValue, operand: str) -> Edge:
        if isinstance(value, OpResult):
            return Edge(self._ids[value.op], value.index, operand)
        return Edge(f"in{self._inputs[value]}", 0, operand)


def shown(attribute: Attribute) -> str:
    """Write an attribute for reading, large constants elided."""
    stream = StringIO()
    ModulePrinter(stream, handle_of=elided(_SHOWN)).print_attribute(attribute)
    return stream.getvalue().replace(f"dense_resource<{ELIDED}>", "elided")


def _is_param(owner: Operation | Block) -> bool:
    if isinstance(owner, ShapeOp):
        return True
    return isinstance(owner, Constant) and only_param(owner.results[0])


def _param(owner: Operation | Block) -> str:
    if isinstance(owner, Constant):
        return shown(owner.value)
    return shown(owner.results[0].type) if isinstance(owner, Operation) else ""


def _operand_names(op: Operation) -> list[str]:
    names = list(op.named_operands()) if isinstance(op, GraphOp) else []
    if len(names) == len(op.operands):
        return names
    return [operand_label(op, index) for index in range(len(op.operands))]


def _output(value: SSAValue) -> Output:
    try:
        return Output(shown(value.type), spec_of(value))
    except VerifyException:
        return Output(shown(value.type))


def _look(op: Operation) -> Look:
    if isinstance(op, Constant):
        return Look.CONSTANT
    specs = (output.spec for output in map(_output, op.results))
    in_tcm = any(spec and spec.place and spec.memory is Memory.TCM for spec in specs)
    return Look.TCM if in_tcm else Look.DDR
