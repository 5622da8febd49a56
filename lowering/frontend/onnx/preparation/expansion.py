"""Expansion by ONNX's inliner: calls of the model's functions, and nodes without importers.

Each becomes the call of a function, and the inliner, which renames what would clash, puts its
nodes in place. They remember the node that they come from, for messages.

ONNX's inliner leaves out attributes that a call does not state, and outputs that are inputs: both
are written out beforehand.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from onnx import FunctionProto, ModelProto, NodeProto, helper, inliner

from .....dialects.diagnostics import Fault, HtpError, fail
from ....importers.support.attributes import key_of, nodes_inside
from ....importers.support.registry import NodeFault, Refusal, UnknownInput, domain_of
from ..bodies.body import BODY, MAX_NODES, STEP, Body, Scope, write_defaults
from .contradictions import TOOL_ERRORS, one_line
from .folding import Constants, Types
from .nodes import ORIGIN, op_of, opsets_of, where
from .supported import body_of, costly_body_of
from .versions import OPSET


def expand(
    model: ModelProto, left: Sequence[int], constants: Constants, types: Types
) -> tuple[ModelProto | None, Mapping[str, Refusal]]:
    """Return the model with bodies in place of the nodes `left`; None where none has a body.

    And say why each that stays does, by its first output.
    """
    makers = {name: node for node in model.graph.node for name in node.output}
    scope = Scope(model.graph, opsets_of(model), constants, types, makers)
    refusals: dict[str, Refusal] = {}
    # A condition may become constant yet: both branches only where nothing else is left.
    for build in (body_of, costly_body_of):
        if bodies := _bodies(left, scope, build, refusals):
            return _inlined(model, bodies), refusals
    return None, refusals


def _bodies(
    left: Sequence[int],
    scope: Scope,
    build: Callable[[NodeProto, Scope], Body | None],
    refusals: dict[str, Refusal],
) -> dict[int, Body]:
    """Return the bodies of nodes, by their index; note the refusal of each that gets none."""
    bodies: dict[int, Body] = {}
    for index in left:
        node = scope.graph.node[index]
        write_defaults(node, scope.opsets[op_of(node)[0]])
        try:
            body = build(node, scope)
            if body is not None:
                bodies[index] = body
        except (NodeFault, UnknownInput) as refusal:
            refusals[key_of(node)] = refusal
        except (*TOOL_ERRORS, LookupError) as error:
            problem = f"ONNX cannot build its body: {one_line(error)}"
            refusals[key_of(node)] = NodeFault(problem, "express it in other ops")
    return bodies


def _inlined(model: ModelProto, bodies: Mapping[int, Body]) -> ModelProto:
    """Return the model with calls of functions in place of nodes, and with the calls inlined."""
    called = ModelProto()
    called.CopyFrom(model)
    called.opset_import.extend(helper.make_opsetid(domain, 1) for domain in (BODY, STEP))
    for index, body in bodies.items():
        node = called.graph.node[index]
        for function in (body.function, *body.steps):
            _sign(function, where(node))
            del function.opset_import[:]
            function.opset_import.extend(called.opset_import)
        called.functions.extend([body.function, *body.steps])
        call = helper.make_node(body.function.name, body.inputs, node.output, domain=BODY)
        call.attribute.extend(body.attributes)
        node.CopyFrom(call)
    _check_growth(called)
    try:
        inlined = inliner.inline_local_functions(called)
    except TOOL_ERRORS as error:
        nodes = ", ".join(where(model.graph.node[index]) for index in bodies)
        problem = f"its body cannot be put in its place: {one_line(error)}"
        raise fail(nodes, problem, "express it in other ops") from error
    del inlined.opset_import[:]
    inlined.opset_import.extend(model.opset_import)
    return inlined


def _check_growth(model: ModelProto) -> None:
    sizes = {(f.domain, f.name): len(f.node) for f in model.functions}
    calls = [*model.graph.node, *(node for f in model.functions for node in f.node)]
    total = sum(sizes.get((node.domain, node.op_type), 1) for node in calls)
    if total > MAX_NODES:
        problem = f"expands to {total} nodes, with the bodies of its ops in their places"
        raise fail("model", problem, f"at most {MAX_NODES} are taken")


def _sign(function: FunctionProto, origin: str) -> None:
    """Write into each node of a function where it comes from."""
    for node in function.node:
        del node.metadata_props[:]
        node.metadata_props.add(key=ORIGIN, value=origin)


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
