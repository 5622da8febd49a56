"""The block op MaskedSoftmax as a module, for data of any rank, and in place of a masked Softmax.

The mask broadcasts to data of any rank. A Softmax with a mask in a module's own forward is replaced
in its graph of torch.fx. Source: QAIRT block op definitions.
"""

import operator
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.fx import Graph, GraphModule, Interpreter, Node, Tracer
from torch.nn import functional

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import MaskMode
from .buffer import BLOCKED, is_blocked
from .example_run import Left, ModuleCall, Replaced
from .ops import block, is_traced, masked_shares


class MaskedSoftmax(nn.Module):
    """Softmax over the last dim of data [b, h, w, c], within what a mask of integers leaves.

    UNCOMPRESSED: the mask [b, c] is added to the data; -10000 masks a column. COMPRESSED: the mask
    [b, n] holds the lengths of sequences that are packed back to back; softmax acts within each, w
    is c, and all else is 0.
    """

    def __init__(self, mode: MaskMode | str = MaskMode.UNCOMPRESSED) -> None:
        super().__init__()
        self.mode = MaskMode(mode)

    def forward(self, data: Tensor, mask: Tensor) -> Tensor:
        """Return shares that sum up to 1 over the last dim, where the mask leaves any."""
        if is_blocked(data, mask):
            return BLOCKED
        mask = mask.to(torch.int32)
        if is_traced():
            return block("MaskedSoftmax", (data, mask), {"mode": self.mode.code})[0]
        return masked_shares(data, mask, self.mode.code)

    def extra_repr(self) -> str:
        return f"mode={self.mode}"


MASKED = -10000
"""The number that masks a column; numbers to add count as a mask from here down."""


class Form(Enum):
    """The meaning of a mask: numbers to add or take away, or columns that stay or go."""

    ADDED = "added"
    TAKEN_AWAY = "taken away"
    KEPT = "kept"
    DROPPED = "dropped"

    def numbers(self, mask: Tensor) -> Tensor:
        """Turn a mask of this form into i32 numbers to add, 0 and MASKED."""
        match self:
            case Form.ADDED:
                return mask.clamp(min=MASKED).to(torch.int32)
            case Form.TAKEN_AWAY:
                return Form.ADDED.numbers(-mask)
            case Form.KEPT:
                return Form.DROPPED.numbers(mask.logical_not())
            case Form.DROPPED:
                return mask.to(torch.int32) * MASKED


class MaskedShares(nn.Module):
    """Softmax over the last dim of data of any rank, by one MaskedSoftmax.

    The dims along which the mask varies, and those in front of them, become the batch.
    """

    def __init__(self, form: Form, dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.form, self.dtype = form, dtype
        self.softmax = MaskedSoftmax()

    def forward(self, data: Tensor, mask: Tensor) -> Tensor:
        """Return shares in the shape of data and mask together."""
        shape = torch.broadcast_shapes(data.shape, mask.shape)
        rank, columns = len(shape), shape[-1]
        mask = self.form.numbers(mask).reshape([1] * (rank - mask.dim()) + list(mask.shape))
        varying = max([dim + 1 for dim in range(rank - 1) if mask.shape[dim] != 1], default=0)
        # The first dim of four is the batch in any case; of fewer the rest are rows.
        lead = max(varying, 1) if rank == 4 else varying
        batch, rows = prod(shape[:lead]), prod(shape[lead:-1])
        folded = shape if rank == 4 and lead == 1 else (batch, 1, rows, columns)
        data = data.expand(shape).reshape(folded)
        ones = [1] * (rank - 1 - lead)
        mask = mask.expand(*shape[:lead], *ones, columns).reshape(batch, columns)
        return self.softmax(data.to(self.dtype or data.dtype), mask).reshape(shape)

    def extra_repr(self) -> str:
        return f"mask={self.form.value}"


def masked_softmax(x: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """Compute `softmax(x + mask, dim)` over the last dim, by one MaskedSoftmax.

    x has any rank, and the mask broadcasts to it: numbers to add, whole ones or -10000 and less, or
    truth values that are true where a column takes part, as PyTorch's attention takes them. A row
    that is masked as a whole is that of softmax(x), not NaN. HtpError for another dim, and, outside
    of an exporter, for numbers that the op cannot add.
    """
    if dim not in (-1, x.dim() - 1):
        raise fail("masked_softmax", f"dim is {dim}, not the last of {x.dim()}", "transpose x")
    is_truth = mask.dtype == torch.bool
    if not is_truth and not is_traced():
        odd = mask[(mask > MASKED) & (mask != mask.round())]
        if odd.numel():
            problem = f"the mask holds {odd[0].item():g}, and MaskedSoftmax adds whole numbers"
            raise fail("masked_softmax", problem, "add it to x, and give the mask alone")
    shares: Tensor = MaskedShares(Form.KEPT if is_truth else Form.ADDED)(x, mask)
    return shares


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
