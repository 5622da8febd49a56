"""The output targets `dot` and `model-explorer`.

Both draw the functions of a module, at any level. Source: Model Explorer's published JSON of graphs
and of custom node data.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import count
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail, listed
from ....dialects.htp.ops.const import ShapeOp
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.spec_of import spec_of
from ....dialects.text.constant import Constant
from ....dialects.text.printer import ELIDED, ModulePrinter
from ....dialects.value import Memory
from ....runtime.program.boundary import inputs_of, outputs_of
from ...conversion.convert import functions_of
from ...levels import operand_label
from ..elide import elided
from ..residencies import only_param
from ..sources import sources
from .view import Cluster, Edge, GraphView, Look, Output, Vertex, clusters

_LIGHT, _DARK = "#e8f1fb", "#1d5fa8"
"""Colours of the fewest and of the most bytes."""
_COLOURS = {"tcm": "#9fd9b8", "ddr": "#d8dde6", "flat": "#d8dde6", "crouton": "#f2cf8a"}
"""Colours of memories and layouts; others have none."""

Value = str | int
_READERS: dict[str, Callable[[Output], Value | None]] = {
    "bytes": lambda output: output.spec.nbytes if output.spec else None,
    "layout": lambda output: output.attrs().get("layout"),
    "memory": lambda output: output.attrs().get("memory"),
}
"""Readers of a result for each kind of node data."""
DATA = tuple(_READERS)


def as_graph_json(label: str, graphs: Sequence[GraphView]) -> str:
    """Write the collection of graphs, which the tool opens as a model."""
    drawn = [
        {"id": graph.name, "nodes": [_node(vertex) for vertex in graph.vertices]}
        for graph in graphs
    ]
    return json.dumps({"label": label, "graphs": drawn}, indent=1) + "\n"


def as_node_data(kind: str, graphs: Sequence[GraphView]) -> str:
    """Write the bytes, layouts or memories of the nodes' results, which the tool lays over a graph.

    HtpError where no result has any.
    """
    data = {graph.name: _values(kind, graph) for graph in graphs}
    if not any(data.values()):
        remedy = "lower it to level=placed first"
        raise fail("model-explorer", f"no tensor of the module has a {kind}", remedy)
    return json.dumps({name: _data(values) for name, values in data.items()}, indent=1) + "\n"


def _node(vertex: Vertex) -> dict[str, object]:
    edges = [
        {
            "sourceNodeId": edge.source,
            "sourceNodeOutputId": str(edge.output),
            "targetNodeInputId": str(index),
        }
        for index, edge in enumerate(vertex.edges)
    ]
    inputs = [
        {"id": str(index), "attrs": _pairs({"__tensor_tag": edge.operand})}
        for index, edge in enumerate(vertex.edges)
    ]
    outputs = [
        {"id": str(index), "attrs": _pairs({"tensor_shape": output.label, **output.attrs()})}
        for index, output in enumerate(vertex.outputs)
    ]
    return {
        "id": vertex.id,
        "label": vertex.label,
        "namespace": "/".join(vertex.namespace),
        "attrs": _pairs(vertex.attrs),
        "incomingEdges": edges,
        "inputsMetadata": inputs,
        "outputsMetadata": outputs,
    }


def _pairs(facts: dict[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in facts.items()]


def _values(kind: str, graph: GraphView) -> dict[str, Value]:
    """Return the value of each vertex: its bytes added up, else that of its first result."""
    read = _READERS[kind]
    values: dict[str, Value] = {}
    for vertex in graph.vertices:
        each = [value for output in vertex.outputs if (value := read(output)) is not None]
        if each:
            numbers = [value for value in each if isinstance(value, int)]
            values[vertex.id] = sum(numbers) if numbers else each[0]
    return values


def _data(values: dict[str, Value]) -> dict[str, object]:
    results = {key: _result(value) for key, value in values.items()}
    if any(isinstance(value, str) for value in values.values()):
        return {"results": results}
    ends = [{"stop": 0, "bgColor": _LIGHT}, {"stop": 1, "bgColor": _DARK}]
    return {"results": results, "gradient": ends}


def _result(value: Value) -> dict[str, Value]:
    colour = _COLOURS.get(value) if isinstance(value, str) else None
    return {"value": value, **({"bgColor": colour} if colour else {})}


_SHOWN = 8
"""Elements; constants of more are left out."""


def graphs(module: ModuleOp) -> tuple[GraphView, ...]:
    """Draw each function with a body; HtpError for one of several blocks."""
    functions = functions_of(module)
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


_STYLES = {
    Look.INPUT: 'shape=ellipse, fillcolor="#e8eef9"',
    Look.CONSTANT: 'shape=box, fillcolor="#eceff3", fontcolor="#5b6678"',
    Look.DDR: 'shape=box, fillcolor="#ffffff"',
    Look.TCM: 'shape=box, fillcolor="#d9f0e3"',
    Look.OUTPUT: 'shape=ellipse, fillcolor="#fdf0d5"',
}


def as_dot(graphs: Sequence[GraphView]) -> str:
    """Write one digraph for each function; clusters are the parts of node names.

    Types stand in the vertices: with labels at edges, dot fails on some graphs with clusters.
    """
    return "\n".join("\n".join(_graph(graph)) for graph in graphs) + "\n"


def _quoted(text: str) -> str:
    """Return text as a string of the language; line breaks stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _graph(graph: GraphView) -> Iterator[str]:
    yield f"digraph {_quoted(graph.name)} {{"
    yield '  graph [fontname="Helvetica", color="#98a3b5", style=rounded, newrank=true];'
    yield '  node [fontname="Helvetica", style="filled,rounded", color="#5b6678"];'
    yield '  edge [fontname="Helvetica", color="#5b6678"];'
    yield from _cluster(clusters(graph.vertices), "  ", count())
    for vertex in graph.vertices:
        for edge in vertex.edges:
            yield f"  {_quoted(edge.source)} -> {_quoted(vertex.id)};"
    yield "}"


def _cluster(cluster: Cluster, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    for vertex in cluster.vertices:
        results = [output.label for output in vertex.outputs]
        kernel = vertex.attrs.get("kernel", "").strip('"')
        label = "\n".join(filter(None, [vertex.label, *results, kernel]))
        yield f"{indent}{_quoted(vertex.id)} [label={_quoted(label)}, {_STYLES[vertex.look]}];"
    for inner in cluster.inner.values():
        yield f'{indent}subgraph "cluster_{next(numbers)}" {{'
        yield f"{indent}  label={_quoted(inner.name)};"
        yield from _cluster(inner, f"{indent}  ", numbers)
        yield f"{indent}}}"


@dataclass(frozen=True)
class DotTarget(Target):
    """The graph of each function in the language of Graphviz, at any level.

    Ops are clustered by the parts of their nodes' names; large constants are elided.
    Example: `htp-opt model.onnx -t dot -o model.dot`
    """

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(as_dot(graphs(module)))


@dataclass(frozen=True)
class ModelExplorerTarget(Target):
    """JSON of Model Explorer: the graphs, or `bytes`, `layout` or `memory` as node data for them.

    HtpError for other data, and for layouts or memories of a module without places.
    Example: `htp-opt lowered.mlir -t 'model-explorer{data=bytes}' -o bytes.json`
    """

    name = "model-explorer"

    data: str = "graph"

    def __post_init__(self) -> None:
        known = ("graph", *DATA)
        if self.data not in known:
            raise fail(self.name, f"data '{self.data}' is not known", listed(self.data, known))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        drawn = graphs(module)
        is_graph = self.data == "graph"
        text = as_graph_json("module", drawn) if is_graph else as_node_data(self.data, drawn)
        output.write(text)
