"""Nodes of a model: their names in messages, where they come from, the faults by schema alone.

Where a node comes from is the node of the model that was read, and the line of Python and the
module, which PyTorch's exporter keeps in the metadata of nodes.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, defs, helper
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, LocationAttr, StringAttr

from .....dialects.diagnostics import Fault, listed
from .....dialects.faults.op_faults import OpFault
from .....dialects.locations import Origin, inside, named
from ....importers.support.attributes import graphs_of, key_of, nodes_inside
from ....importers.support.registry import OpKey, domain_of
from ..bodies.microsoft import refusal

_FRAME = re.compile(r'File "(.+?)", line (\d{1,9})')
_OURS = Path(__file__).parents[2] / "torch"
_LIBRARY = re.compile(
    r"-packages[/\\]torch[/\\]|[/\\]torch[/\\](nn[/\\]|_)|"
    r"htp_mlir[/\\]lowering[/\\]frontend[/\\]torch[/\\]|" + re.escape(str(_OURS))
)
"""In the path of a file of PyTorch, installed or in its sources, or of the block ops as modules.

A user may have a folder torch.
"""


@dataclass(frozen=True)
class UserPlace:
    """`file:line` of the user's Python, and the path of the module; each is empty if unknown."""

    line: str = ""
    module: str = ""

    def __str__(self) -> str:
        """Return the place for the end of a name: ` in encoder.gru at net.py:7`."""
        return inside(self.module) + (f" at {self.line}" if self.line else "")

    @property
    def location(self) -> LocationAttr:
        """The place as a location, at the first column."""
        file, _, number = self.line.rpartition(":")
        at = UNKNOWN_LOC
        if file:
            at = FileLineColLoc(StringAttr(file), IntAttr(int(number)), IntAttr(1))
        return named(self.module, at) if self.module else at


def user_line(trace: str) -> str:
    """Return `file:line` of the innermost frame of a trace that is the user's; else empty."""
    frames = _FRAME.findall(trace)
    own = [frame for frame in frames if not _LIBRARY.search(frame[0])]
    return ":".join((own or frames)[-1]) if frames else ""


TRACE = "pkg.torch.onnx.stack_trace"
"""The key of the lines of Python, innermost last."""
SCOPES = "pkg.torch.onnx.name_scopes"
"""The key of the modules that a node is inside of, outermost first, and its name in the program."""
_SCOPE = re.compile(r"'([^'\n]*)'")


def scopes_of(node: NodeProto) -> list[str]:
    """Return the paths of the modules around a node, then its name; nothing where none are kept."""
    scopes = (entry.value for entry in node.metadata_props if entry.key == SCOPES)
    return _SCOPE.findall(next(scopes, ""))


def user_place(node: NodeProto) -> UserPlace:
    """Return the user's line of Python and the module that a node comes from."""
    traces = (entry.value for entry in node.metadata_props if entry.key == TRACE)
    return UserPlace(user_line(next(traces, "")), *scopes_of(node)[-2:-1])


def copy_place(source: NodeProto, node: NodeProto) -> None:
    """Give a node the place of another one, unless it has its own."""
    if user_place(node) == UserPlace():
        kept = [entry for entry in source.metadata_props if entry.key in (TRACE, SCOPES)]
        node.metadata_props.extend(kept)


def write_place(origin: Origin, node: NodeProto) -> None:
    """Write the place of an origin into a node."""
    if origin.position:
        file, line, _ = origin.position.rsplit(":", 2)
        node.metadata_props.add(key=TRACE, value=f'File "{file}", line {line}')
    if origin.module:
        scopes = ["", origin.module, origin.node]
        node.metadata_props.add(key=SCOPES, value=str(scopes))


Owned = list[tuple[NodeProto, int]]
"""Prepared nodes, each with the index of the node of the model that it represents."""


def node_owners(original: GraphProto, prepared: GraphProto) -> tuple[Owned, dict[str, int]]:
    """Return the owners of the prepared nodes, and of the values that these read.

    A node belongs to the one that makes its output. What only a function, a body or the conversion
    of opsets makes belongs to the node that the next known value down the graph belongs to.
    """
    makers = {name: index for index, node in enumerate(original.node) for name in node.output}
    readers: dict[str, int] = {}
    owned: Owned = []
    for node in reversed(prepared.node):
        written = [makers[name] for name in node.output if name and name in makers]
        read = [readers[name] for name in node.output if name in readers]
        for owner in (written + read)[:1]:
            owned.append((node, owner))
            for name in node.input:
                readers.setdefault(name, owner)
    return owned, readers


def node_locations(original: GraphProto, prepared: GraphProto) -> dict[str, LocationAttr]:
    """Map the first output of each prepared node to the location of its node of the model.

    The location has the user's place where the exporter kept it; so gets the node.
    """
    owned, _ = node_owners(original, prepared)
    for node, index in owned:
        copy_place(original.node[index], node)
    owners = {index: original.node[index] for _, index in owned}
    locations = {index: location_of_node(node) for index, node in owners.items()}
    return {key_of(node): locations[index] for node, index in owned}


def location_of_node(node: NodeProto) -> LocationAttr:
    """Return the location of a node: its name, or its first output's, and the user's place."""
    return named(node.name or key_of(node), user_place(node).location)


ORIGIN = "htp.origin"
"""The key of a node's metadata that says which node it represents a part of."""


def opsets_of(model: ModelProto) -> dict[str, int]:
    """Return the opset version of each domain that a model uses."""
    return {domain_of(opset.domain): opset.version for opset in model.opset_import}


class Known(Protocol):
    """The ops that can be imported."""

    def __contains__(self, op: OpKey) -> bool: ...

    def is_foreign(self, op: OpKey) -> bool:
        """Tell whether ONNX need not know an op."""

    def has_body(self, op: OpKey, version: int) -> bool:
        """Tell whether simpler nodes may replace an op's."""


def op_of(node: NodeProto) -> OpKey:
    """Return the key in tables."""
    return domain_of(node.domain), node.op_type


def uses(graph: GraphProto, ops: Container[OpKey]) -> bool:
    """Tell whether a graph has a node of some ops; graphs inside its nodes are not looked at."""
    return any(op_of(node) in ops for node in graph.node)


def where(node: NodeProto) -> str:
    """Return a node in a message: its name, or its first output's where a tool left it nameless.

    A part of another node's body names that node too, one that PyTorch wrote its place.
    """
    named = f"node '{node.name}'" if node.name else f"node of '{next(iter(node.output), '?')}'"
    domain, op = op_of(node)
    inside = "".join(f" inside {p.value}" for p in node.metadata_props if p.key == ORIGIN)
    place = f"{inside}{user_place(node)}"
    return f"{named} ({domain}.{op}){place}" if domain else f"{named} ({op}){place}"


def node_fault(node: NodeProto, problem: str, remedy: str) -> Fault:
    """Make a fault of a node."""
    name = node.name or next(iter(node.output), "?")
    op = ".".join(filter(None, op_of(node)))
    return OpFault(
        where(node), problem, remedy, op=op, nodes=(name,), places=(str(user_place(node)),)
    )


def faults_by_node(
    graph: GraphProto, opsets: Mapping[str, int], supported: Known
) -> dict[int, list[Fault]]:
    """Return the faults of ops, attributes, counts and names, by the node's index in the graph."""
    known = {""} | {value.name for value in graph.input} | {t.name for t in graph.initializer}
    faulty: dict[int, list[Fault]] = {}
    for index, node in enumerate(graph.node):
        faults = [*_node_faults(node, opsets, supported), *_name_faults(node, known)]
        if faults:
            faulty[index] = faults
        known |= set(node.output)
    return faulty


def is_text(model: ModelProto) -> bool:
    """Tell whether every name is text; protobuf gives names that are not UTF-8 as bytes."""
    return all(isinstance(name, str) for name in _names(model))


def _names(model: ModelProto) -> Iterator[object]:
    nodes = [*model.graph.node, *(node for f in model.functions for node in f.node)]
    graphs = [model.graph]
    for node in nodes_inside(nodes):
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
        for attribute in node.attribute:
            yield from (attribute.name, attribute.ref_attr_name)
            graphs += graphs_of(attribute)
    for graph in graphs:
        for value in (*graph.input, *graph.output, *graph.value_info):
            yield value.name
            yield from (dim.dim_param for dim in value.type.tensor_type.shape.dim)
        yield from (tensor.name for tensor in graph.initializer)
    yield from (opset.domain for opset in model.opset_import)
    for function in model.functions:
        yield from (function.name, function.domain, *function.input, *function.output)


def drop_dangling(graph: GraphProto) -> list[Fault]:
    """Remove dangling outputs and constants of a form that is not read; a fault each.

    An input replaces such a constant, so that its readers have no fault.
    """
    known = {value.name for value in graph.input} | {t.name for t in graph.initializer}
    known |= {name for node in graph.node for name in node.output}
    dangling = [output for output in graph.output if output.name not in known]
    sparse = [tensor.values.name for tensor in graph.sparse_initializer]
    for output in dangling:
        graph.output.remove(output)
    for tensor in graph.sparse_initializer:
        type_ = helper.make_tensor_type_proto(tensor.values.data_type, tensor.dims)
        graph.input.add(name=tensor.values.name, type=type_)
    del graph.sparse_initializer[:]
    remedy = "export the model again"
    return [
        *(Fault(f"output '{value.name}'", "is made by no node", remedy) for value in dangling),
        *(Fault(f"initializer '{name}'", "is sparse", "store it dense") for name in sparse),
    ]


def _name_faults(node: NodeProto, known: Container[str]) -> Iterator[Fault]:
    for name in node.input:
        if name not in known:
            yield node_fault(node, f"input '{name}' is made by nothing", "export the model again")
    for name in node.output:
        if name and name in known:
            yield node_fault(node, f"output '{name}' has a maker already", "rename one of them")


def _node_faults(node: NodeProto, opsets: Mapping[str, int], supported: Known) -> Iterator[Fault]:
    domain, op = op_of(node)
    version = opsets.get(domain, 1)
    if (domain, op) not in supported and not supported.has_body((domain, op), version):
        kinds = (kind for kind, ops in _KINDS.items() if not domain and op in ops)
        unsupported = ("the op is not supported", _importer_sketch((domain, op)))
        unknown = refusal((domain, op)) or unsupported
        yield node_fault(node, *next(kinds, unknown))
        return
    try:
        schema = defs.get_schema(op, version, domain)
    except defs.SchemaError:
        own = supported.is_foreign((domain, op)) or supported.has_body((domain, op), version)
        if domain and own:
            return
        yield node_fault(node, f"opset {version} has no such op", "export the model again")
        return
    yield from _attribute_faults(node, schema)
    yield from _count_faults(node, "inputs", node.input, schema.min_input, schema.max_input)
    yield from _count_faults(node, "outputs", node.output, schema.min_output, schema.max_output)


_KINDS = {
    ("strings are not supported", "prepare the text before the model"): (
        *("StringNormalizer", "StringConcat", "StringSplit", "RegexFullMatch"),
    ),
}
"""Ops that no graph op can say, by problem and remedy."""


def _attribute_faults(node: NodeProto, schema: defs.OpSchema) -> Iterator[Fault]:
    attributes = {attribute.name: attribute for attribute in node.attribute}
    for name, attribute in attributes.items():
        declared = schema.attributes.get(name)
        if declared is None:
            allowed = listed(name, schema.attributes, "allowed are")
            yield node_fault(node, f"unknown attribute '{name}'", allowed)
        elif attribute.ref_attr_name or _kind(attribute) != _wanted(declared):
            problem = f"attribute '{name}' is {_kind(attribute)}, it must be {_wanted(declared)}"
            yield node_fault(node, problem, "export the model again")
    for name, declared in schema.attributes.items():
        if declared.required and name not in attributes:
            yield node_fault(node, f"attribute '{name}' is missing", "it has no default")


def _kind(attribute: AttributeProto) -> str:
    """Return the kind of an attribute's value as schemas name it."""
    return str(AttributeProto.AttributeType.Name(attribute.type))


def _wanted(declared: defs.OpSchema.Attribute) -> str:
    return str(declared.type).rpartition(".")[2]


def _count_faults(
    node: NodeProto, kind: str, names: Sequence[str], least: int, most: int
) -> Iterator[Fault]:
    if not least <= len(names) <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        problem = f"has {len(names)} {kind}, the op takes {allowed}"
        yield node_fault(node, problem, "export the model again")


def _importer_sketch(key: OpKey) -> str:
    """Return the remedy for an op without an importer: the three lines of one."""
    domain, op = key
    where = f', domain="{domain}"' if domain else ""
    load = f"load the op package {domain}, " if domain else ""
    lines = (
        f"express it in supported ops, {load}or give it an importer in an op package",
        f'  @IMPORTERS.importer("{op}"{where})  # IMPORTERS = ImporterSet()',
        '  def build(x: Value) -> Value: return x.op("Relu")',
        '  PACKAGE = op_package("Name", importers=[IMPORTERS])',
    )
    return "\n".join(lines)
