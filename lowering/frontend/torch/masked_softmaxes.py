"""Softmax with a mask in a module's own forward, replaced in its graph of torch.fx."""

import operator
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.fx import Graph, GraphModule, Interpreter, Node, Tracer
from torch.nn import functional

from .example_run import Left, ModuleCall, Replaced
from .masked import MASKED, Form, MaskedShares

Values = Mapping[Node, Any]
"""The value of each node in the example."""


class NoMask(Exception):
    """The reason why a softmax has no mask that MaskedSoftmax could take."""


@dataclass(frozen=True)
class Masked:
    """Data and mask of a softmax."""

    data: Node
    mask: Node
    form: Form


def _masked(node: Node, values: Values) -> Masked:
    """Find data and mask in the input of a softmax; NoMask with the reason otherwise."""
    spelling = _SPELLINGS.get(node.target)
    if spelling is None:
        raise NoMask(f"its input is {_called(node)}, which puts no mask on")
    data = node.args[0]
    if _is_in_place(node) and isinstance(data, Node) and len(data.users) > 1:
        raise NoMask(f"{_called(node)} changes in place what something else reads")
    return spelling(node, values)


def _is_in_place(node: Node) -> bool:
    name = _called(node)
    method = node.op == "call_method" and name.endswith("_") and not name.endswith("__")
    return method or node.target in (operator.iadd, operator.isub, operator.imul, operator.itruediv)


def _sum(node: Node, values: Values) -> Masked:
    if node.kwargs:
        raise NoMask(f"{_called(node)} has options: {', '.join(node.kwargs)}")
    left, right = node.args
    reasons: list[str] = []
    for data, mask in ((left, right), (right, left)):
        if isinstance(data, Node) and isinstance(mask, Node):
            reason = _why_no_mask(mask, values[mask])
            if reason is None:
                return Masked(data, mask, Form.ADDED)
            reasons.append(reason)
    raise NoMask("; ".join(reasons) or "a number is added, no mask")


def _difference(node: Node, values: Values) -> Masked:
    data, mask = node.args
    if not isinstance(data, Node) or not isinstance(mask, Node) or node.kwargs:
        raise NoMask("a number is taken away, no mask")
    taken = values[mask]
    reason = _why_no_mask(mask, -taken if isinstance(taken, Tensor) else taken)
    if reason is not None:
        raise NoMask(reason)
    return Masked(data, mask, Form.TAKEN_AWAY)


def _why_no_mask(node: Node, value: object) -> str | None:
    """Say why a value is not a mask of numbers to add, by what it was in the example."""
    if isinstance(value, nn.Parameter):
        return f"{node.name} is trained"
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return f"{node.name} holds no floats"
    others = value[(value != 0) & ~(value <= MASKED)]
    if others.numel():
        return f"{node.name} holds {others.flatten()[0].item():g}, a mask 0 and {MASKED} or less"
    return None if bool((value != 0).any()) else f"{node.name} masks nothing in the example"


def _filled(node: Node, values: Values) -> Masked:
    data, mask, number = _three(node, "mask", "value")
    return _chosen(data, mask, number, Form.DROPPED, values)


def _where(node: Node, values: Values) -> Masked:
    if node.op == "call_method":
        data, keep, other = _three(node, "condition", "other")
    else:
        keep, data, other = _three(node, "input", "other")
    if _number(data, values) is not None:
        return _chosen(other, keep, data, Form.DROPPED, values)
    return _chosen(data, keep, other, Form.KEPT, values)


def _three(node: Node, second: str, third: str) -> tuple[Any, Any, Any]:
    """Return three arguments, of which the last two may have names."""
    named = [node.kwargs[name] for name in (second, third) if name in node.kwargs]
    arguments = [*node.args, *named]
    if len(arguments) != 3:
        raise NoMask(f"{_called(node)} has {len(arguments)} arguments")
    return arguments[0], arguments[1], arguments[2]


def _chosen(data: object, mask: object, other: object, form: Form, values: Values) -> Masked:
    if not isinstance(data, Node) or not isinstance(mask, Node):
        raise NoMask("data or mask is no tensor")
    number = _number(other, values)
    if number is None:
        raise NoMask("what stands in masked columns is no single number")
    if number > MASKED:
        raise NoMask(f"masked columns get {number:g}, which is more than {MASKED}")
    return Masked(data, mask, form)


def _number(part: object, values: Values) -> float | None:
    value = values.get(part) if isinstance(part, Node) else part
    if isinstance(value, Tensor):
        return float(value) if value.numel() == 1 else None
    return float(value) if isinstance(value, int | float) else None


def _called(node: Node) -> str:
    if node.op == "placeholder":
        return "an argument"
    return getattr(node.target, "__name__", str(node.target))


_SPELLINGS: dict[object, Callable[[Node, Values], Masked]] = {
    **dict.fromkeys([operator.add, operator.iadd, torch.add, "add", "add_"], _sum),
    **dict.fromkeys([operator.sub, operator.isub, torch.sub, "sub", "sub_"], _difference),
    **dict.fromkeys([torch.masked_fill, "masked_fill", "masked_fill_"], _filled),
    **dict.fromkeys([torch.where, "where"], _where),
}
"""The readers of a mask, by the function or the method that puts it on."""

SOFTMAX_NAMES = frozenset([functional.softmax, torch.softmax, "softmax"])
"""Softmax in a graph, but for the module."""


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
    # What reads a value after it changed in place reads the result of that change.
    for node in graph.nodes:
        if _is_in_place(node) and isinstance(node.args[0], Node):
            changed = node.args[0]
            for user in [user for user in changed.users if user > node]:
                user.replace_input_with(changed, node)
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
    return _masked(source, values), options.get("dtype")
