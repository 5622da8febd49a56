"""Softmax with a mask in a module's own forward, replaced in its graph of torch.fx."""

from __future__ import annotations

from copy import copy
from typing import Any

import torch
from torch import nn
from torch.fx import Graph, GraphModule, Interpreter, Node, Tracer

from ..masked import MaskedShares
from .report import Left, Replaced
from .run import ModuleCall
from .spellings import SOFTMAX_NAMES, Masked, NoMask, masked, use_what_changed

KIND = "softmax"


def with_masked_softmax(
    part: nn.Module, path: str, calls: list[ModuleCall]
) -> tuple[nn.Module, list[Replaced | Left]]:
    """Replace each softmax with a mask in a module's forward; return the module to be there.

    It is the module itself where nothing is replaced, and a GraphModule of its forward otherwise.
    """
    try:
        traced, values = _traced(part, calls[0])
    except NoMask as reason:
        return part, [Left(path, KIND, str(reason))]
    parts = [_replace(traced, node, values, path) for node in _softmaxes(traced)]
    if not any(isinstance(each, Replaced) for each in parts):
        return part, parts
    traced.recompile()
    return traced, parts


class _OwnForward(Tracer):
    """A tracer of one forward: the modules that it calls stay unchanged."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return True


class _Values(Interpreter):
    """Keeps what each node gives."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.values: dict[Node, Any] = {}

    def run_node(self, n: Node) -> Any:
        self.values[n] = super().run_node(n)
        return self.values[n]


def _traced(part: nn.Module, call: ModuleCall) -> tuple[GraphModule, dict[Node, Any]]:
    """Trace a forward, and run it on the arguments that it had."""
    if type(part).__module__.startswith("torch.nn."):
        raise NoMask(f"it is inside of PyTorch's {type(part).__name__}")
    try:
        training, traced = (_graph(part, mode) for mode in (True, False))
        run = _Values(traced)
        with torch.no_grad():
            run.run(*_positional(traced.graph, call))
    except Exception as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise NoMask(f"torch.fx cannot trace its forward: {first}") from error
    if training.code != traced.code:
        raise NoMask("its forward is another one in training")
    traced.training = part.training
    return traced, run.values


def _graph(part: nn.Module, training: bool) -> GraphModule:
    """Trace the forward of one mode; constants that it makes are not part of the module."""
    root = copy(part)
    root.training = training
    graph = _OwnForward().trace(root)
    use_what_changed(graph)
    return GraphModule(root, graph, type(part).__name__)


def _positional(graph: Graph, call: ModuleCall) -> list[Any]:
    """Return the arguments of a call in the order of a graph's inputs; defaults fill the rest."""
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    values = list(call.args)
    for node in inputs[len(values) :]:
        default = node.args[0] if node.args else None
        values.append(call.kwargs.get(str(node.target), default))
    return values


def _softmaxes(traced: GraphModule) -> list[Node]:
    return [
        node
        for node in traced.graph.nodes
        if node.target in SOFTMAX_NAMES
        or (node.op == "call_module" and type(_module(traced, node)) is nn.Softmax)
    ]


def _module(traced: GraphModule, node: Node) -> nn.Module:
    return traced.get_submodule(str(node.target))


def _replace(
    traced: GraphModule, node: Node, values: dict[Node, Any], path: str
) -> Replaced | Left:
    """Put MaskedSoftmax in place of one softmax."""
    kind = f"{KIND} '{node.name}'"
    try:
        parts, dtype = _found(traced, node, values)
    except NoMask as reason:
        return Left(path, kind, str(reason))
    name = f"masked_{node.name}"
    traced.add_submodule(name, MaskedShares(parts.form, dtype))
    graph, source = traced.graph, node.all_input_nodes[0]
    # In front of the mask: behind it something may change the data in place.
    with graph.inserting_before(source):
        shares = graph.call_module(name, (parts.data, parts.mask))
    node.replace_all_uses_with(shares)
    for old in (node, source):
        if not old.users:
            graph.erase_node(old)
    return Replaced(path, kind, "MaskedSoftmax")


def _found(
    traced: GraphModule, node: Node, values: dict[Node, Any]
) -> tuple[Masked, torch.dtype | None]:
    """Return data and mask of a softmax, and the type that it computes in."""
    options = dict(node.kwargs)
    if node.op == "call_module":
        options["dim"] = _module(traced, node).dim
    else:
        options.update(zip(("input", "dim", "dtype"), node.args, strict=False))
    dim, result = options.get("dim"), values[node]
    if dim not in (-1, result.dim() - 1):
        raise NoMask(f"it is over dim {dim}, not over the last")
    if bool(result.isnan().any()):
        raise NoMask("a row of the example is masked as a whole, where it gives NaN")
    source = node.all_input_nodes[0]
    return masked(source, values), options.get("dtype")
