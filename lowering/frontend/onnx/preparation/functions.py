"""The model's own functions: calls without circles, and no more nodes than can be worked with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from onnx import FunctionProto, ModelProto, NodeProto

from .....dialects.diagnostics import Fault, HtpError
from ..bodies.body import MAX_NODES
from ..nodes import where
from ..subgraphs import nodes_inside
from ..support.registry import domain_of

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
