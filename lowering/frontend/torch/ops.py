"""The block ops as ops of PyTorch, in the namespace `qti_aisw`, for its exporters.

They stand in traced graphs alone, for state lives in the modules: to run one of those with state on
its own is an error. Source: QAIRT block op definitions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.onnx.symbolic_helper import _get_const

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import MaskMode


def masked_shares(data: Tensor, mask: Tensor, mode: int) -> Tensor:
    """Compute MaskedSoftmax over data [b, h, w, c]; HtpError for lengths that do not fit."""
    if mode == MaskMode.UNCOMPRESSED.code:
        return torch.softmax(data + mask.to(data.dtype)[:, None, None, :], -1)
    seen = _seen(mask, data.shape[-1])[:, None]
    shares = torch.softmax(data.masked_fill(~seen, -torch.inf), -1)
    return shares.masked_fill(~seen, 0)


def _seen(lengths: Tensor, columns: int) -> Tensor:
    """Tell which columns a row sees, [b, columns, columns]: those of its own sequence."""
    ends = lengths.cumsum(1)
    if bool((lengths < 0).any() | (ends[:, -1:] > columns).any()):
        problem = f"lengths {lengths.tolist()} do not lie within {columns} columns"
        raise fail("MaskedSoftmax", problem, "each is 0 or more, their sum the columns at most")
    places = torch.arange(columns, device=lengths.device)
    # The sequence of a place is the number of sequences that end at it or before.
    sequence = (ends[:, None, :] <= places[None, :, None]).sum(2)
    inside = sequence < lengths.shape[1]
    return (sequence[:, :, None] == sequence[:, None, :]) & inside[:, :, None]


DOMAIN = "qti_aisw"
_SCHEMAS = (
    """Buffer(Tensor inp, Tensor? reset, *,
    int buffer_size, int buffer_dim, int buffer_padding, int stride, int mode) -> Tensor""",
    "MaskedSoftmax(Tensor data, Tensor mask, *, int mode) -> Tensor",
    """StatefulGru(Tensor X, Tensor W, Tensor R, Tensor? B, Tensor? sequence_lens,
    Tensor? initial_h, Tensor? reset, *, int hidden_size, str direction, float? clip=None,
    int linear_before_reset) -> (Tensor, Tensor)""",
    """StatefulLstm(Tensor X, Tensor W, Tensor R, Tensor? B, Tensor? sequence_lens,
    Tensor? initial_h, Tensor? initial_c, Tensor? P, Tensor? reset, *, int hidden_size,
    str direction, float? clip=None, int input_forget) -> (Tensor, Tensor, Tensor)""",
)
_KINDS = {"int": "i", "Optional[float]": "f", "str": "s"}
"""The letters by which that exporter tells the types of attributes apart."""

_TRACING: ContextVar[bool] = ContextVar("tracing", default=False)
"""Is an op asked for by a module, while a tracer that runs it follows?"""

Attributes = Mapping[str, int | float | str | None]
Results = tuple[Tensor, ...]


def is_traced() -> bool:
    """Tell whether an exporter follows the computation, so that its graph has the state."""
    return bool(torch.compiler.is_exporting() or torch.jit.is_tracing())


def block(op: str, inputs: Sequence[Tensor | None], attributes: Attributes) -> Results:
    """Put a block op into the graph that an exporter makes; return its outputs.

    The exporter that writes ONNX from a `torch.export` gets a node of ONNX, others an op.
    """
    stated = {name: value for name, value in attributes.items() if value is not None}
    if torch.onnx.is_in_onnx_export() and torch.compiler.is_exporting():
        results = _RESULTS[op](*inputs, **stated)
        dtypes, shapes = zip(*((each.dtype, each.shape) for each in results), strict=True)
        name = f"{DOMAIN}::{op}"
        return tuple(
            torch.onnx.ops.symbolic_multi_out(
                name, inputs, stated, dtypes=dtypes, shapes=shapes, version=1
            )
        )
    token = _TRACING.set(True)
    results = getattr(torch.ops.qti_aisw, op)(*inputs, **stated)
    _TRACING.reset(token)
    return results if isinstance(results, tuple) else (results,)


def _buffer(inp: Tensor, reset: object, *, buffer_size: int, buffer_dim: int, **_: int) -> Results:
    dims = [buffer_size if dim == buffer_dim else n for dim, n in enumerate(inp.shape)]
    return (inp.new_zeros(dims),)


def _same(data: Tensor, mask: Tensor, *, mode: int) -> Results:
    return (torch.zeros_like(data),)


def _recurrent(states: int) -> Callable[..., Results]:
    def results(X: Tensor, W: Tensor, R: Tensor, *others: object, **_: object) -> Results:
        (steps, batch, _inputs), (ways, _rows, hidden) = X.shape, R.shape
        final = [X.new_zeros(ways, batch, hidden) for _ in range(states)]
        return (X.new_zeros(steps, ways, batch, hidden), *final)

    return results


_RESULTS: dict[str, Callable[..., Results]] = {
    "Buffer": _buffer,
    "MaskedSoftmax": _same,
    "StatefulGru": _recurrent(1),
    "StatefulLstm": _recurrent(2),
}
"""Zeros in the shapes of an op's outputs."""


def _register(library: torch.library.Library, schema: str) -> None:
    """Define an op: its shapes for tracers, its numbers, and its node for TorchScript."""
    op = schema.partition("(")[0]
    library.define(" ".join(schema.split()))

    def shaped(*args: Any, **kwargs: Any) -> Any:
        results = _RESULTS[op](*args, **kwargs)
        return results if len(results) > 1 else results[0]

    def run(*args: Any, **kwargs: Any) -> Any:
        if op == "MaskedSoftmax":
            return masked_shares(*args, **kwargs)
        if not _TRACING.get():
            problem = f"{DOMAIN}.{op} keeps state, which an exported program has no place for"
            raise RuntimeError(f"{problem}; run the module, or lower the program")
        return shaped(*args, **kwargs)

    library.impl(op, shaped, "Meta")
    library.impl(op, run, "CPU")
    node = _Node(op, getattr(torch.ops.qti_aisw, op).default._schema)
    torch.onnx.register_custom_op_symbolic(f"{DOMAIN}::{op}", node, 1)


@dataclass(frozen=True)
class _Node:
    """The node of a block op in ONNX, and its body, as the TorchScript exporter asks for them."""

    op: str
    signature: Any

    def __call__(self, graph: Any, *values: Any) -> Any:
        inputs: list[Any] = []
        attributes: dict[str, Any] = {}
        for value, argument in zip(values, self.signature.arguments, strict=True):
            is_reset = argument.name == "reset" and self.op != "Buffer"
            if is_reset and value.node().mustBeNone():
                # The body of a recurrent op reads it, and this exporter brings the body.
                inputs.append(graph.op("Constant", value_t=torch.tensor(False)))
            elif not argument.kwarg_only:
                inputs.append(value)
            elif not value.node().mustBeNone():
                kind = _KINDS[str(argument.type)]
                attributes[f"{argument.name}_{kind}"] = _get_const(value, kind, argument.name)
        outputs = len(self.signature.returns)
        return graph.op(f"{DOMAIN}::{self.op}", *inputs, outputs=outputs, **attributes)

    def to_function_proto(self) -> object:
        """Return the body, which goes into the model beside the node."""
        from ..onnx.blocks.functions import BODIES

        return BODIES[self.op]


_LIBRARY = torch.library.Library(DOMAIN, "DEF")
for _schema in _SCHEMAS:
    _register(_LIBRARY, _schema)
