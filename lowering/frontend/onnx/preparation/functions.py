"""The model's own functions: calls without circles, and no more nodes than can be worked with.

ONNX's inliner leaves out attributes that a call does not state, and outputs that are inputs: both
are written out beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from onnx import FunctionProto, ModelProto, NodeProto, helper

from .....dialects.diagnostics import Fault, HtpError
from ....importers.support.attributes import nodes_inside
from ....importers.support.registry import domain_of
from ..bodies.body import MAX_NODES
from .nodes import opsets_of, where
from .versions import OPSET

_Key = tuple[str, str, str]
_Sizes = Mapping[_Key, int]


def check_functions(model: ModelProto) -> None:
    """Refuse functions that call themselves, or that inline to too many nodes; HtpError."""
    functions = {_key(function): function for function in model.functions}
    sizes: dict[_Key, int] = {}
    for key in _callees_first(functions):
        sizes[key] = _size(functions[key].node, sizes)
    faults = [fault for node in model.graph.node for fault in _faults(node, sizes)]
    total = _size(model.graph.node, sizes)
    if not faults and total > MAX_NODES and functions:
        faults = [Fault("model", f"its functions inline to {total} nodes", _REMEDY)]
    if faults:
        raise HtpError(*faults)


def complete_functions(model: ModelProto) -> None:
    """State the defaults of functions in their calls; give an output that is an input a node."""
    functions = {_key(function): function for function in model.functions}
    bodies = [model.graph.node, *(function.node for function in model.functions)]
    for node in nodes_inside(chain(*bodies)):
        function = functions.get(_key(node))
        stated = {attribute.name for attribute in node.attribute}
        defaults = function.attribute_proto if function else ()
        node.attribute.extend(each for each in defaults if each.name not in stated)
    for function in model.functions:
        _separate(function, opsets_of(model).get("", OPSET))


def _separate(function: FunctionProto, opset: int) -> None:
    """Give each output of a function that is an input of it a name and a node of its own."""
    for index, name in enumerate(function.output):
        if name not in function.input:
            continue
        function.output[index] = f"{name}/out_{index}"
        function.node.append(helper.make_node("Identity", [name], [function.output[index]]))
        if all(domain_of(opset.domain) for opset in function.opset_import):
            function.opset_import.add(domain="", version=opset)


_REMEDY = f"at most {MAX_NODES} are taken"


def _key(call: FunctionProto | NodeProto) -> _Key:
    """Return the key of a function, or of the one that a node calls."""
    name = call.op_type if isinstance(call, NodeProto) else call.name
    return domain_of(call.domain), name, call.overload


def _callees_first(functions: Mapping[_Key, FunctionProto]) -> list[_Key]:
    calls = {
        key: {called for node in nodes_inside(function.node) if (called := _key(node)) in functions}
        for key, function in functions.items()
    }
    try:
        return list(TopologicalSorter(calls).static_order())
    except CycleError as error:
        names = [f"{domain}.{name}" for domain, name, _ in reversed(error.args[1][1:])]
        first = names.index(min(names))
        names = [*names[first:], *names[: first + 1]]
        problem = f"calls itself: {' calls '.join(names)}"
        raise HtpError(Fault(f"function '{names[0]}'", problem, "unroll it")) from error


def _size(nodes: Iterable[NodeProto], sizes: _Sizes) -> int:
    """Return the number of nodes that some become, those of their subgraphs included."""
    return sum(sizes.get(_key(node), 1) for node in nodes_inside(nodes))


def _faults(node: NodeProto, sizes: _Sizes) -> Iterable[Fault]:
    size = _size([node], sizes)
    if size > MAX_NODES:
        yield Fault(where(node), f"its function inlines to {size} nodes", _REMEDY)
