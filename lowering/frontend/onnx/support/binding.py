"""Importers as functions with ONNX's own signatures: inputs are positional, attributes by keyword.

    @ONNX.importer("LeakyRelu")
    def leaky_relu(x: Value, *, alpha: float = 0.01) -> Value: ...

An input is a `Value`, as is one without an annotation, `Value | None` where it may be left out,
`Ints` or `Array` where it must be constant, and `*Value` or `*Value | None` for all that follow. An
attribute has the default that ONNX gives it; one without a default must be there. A dataclass holds
attributes that several ops share, under the names of its fields. A parameter of the type
NodeContext is the node itself. An input or attribute that no parameter names is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .....dialects.dense import Array
from ...graph.value import Value
from .context import NodeContext

if TYPE_CHECKING:
    from onnx import AttributeProto

Ints = tuple[int, ...]
Reals = tuple[float, ...]
Texts = tuple[str, ...]

Importer = Callable[..., Value | Sequence[Value | None]]
"""Builds the graph ops of one node and gives its outputs, as many as are asked for or more.

One that nothing reads may be None."""


def built(importer: Importer, ctx: NodeContext) -> list[Value | None]:
    """Call an importer with what its parameters ask of a node."""
    inputs: list[object] = []
    attributes: dict[str, object] = {}
    count = 0
    for parameter in _parameters(importer):
        name, kind = parameter.name, parameter.annotation
        if kind is NodeContext:
            inputs.append(ctx)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            read, numbers = _INPUTS[kind], range(count, len(ctx.node.input))
            inputs += [read(ctx, number) for number in numbers]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            attributes[name] = _attribute(ctx, name, kind, parameter.default)
        else:
            inputs.append(_INPUTS[kind](ctx, count))
            count += 1
    results = importer(*inputs, **attributes)
    return [results] if isinstance(results, Value) else [*results]


@lru_cache(1024)
def _parameters(importer: Importer) -> list[inspect.Parameter]:
    """Return the parameters of an importer; TypeError for one whose type no node has."""
    parameters = []
    for each in inspect.signature(importer, eval_str=True).parameters.values():
        kind = Value if each.annotation is each.empty else each.annotation
        if each.kind is each.KEYWORD_ONLY:
            known = kind in _READERS or (is_dataclass(kind) and kind is not Value)
        else:
            known = kind in _INPUTS or kind is NodeContext
        if not known:
            raise TypeError(f"parameter '{each.name}' is of the type {kind}, which no node has")
        parameters.append(each.replace(annotation=kind))
    return parameters


def _attribute(ctx: NodeContext, name: str, kind: Any, default: Any) -> object:
    """Return an attribute, or the attributes that are the fields of a dataclass."""
    if isinstance(kind, type) and is_dataclass(kind):
        parameters = inspect.signature(kind, eval_str=True).parameters.values()
        return kind(
            **{p.name: _attribute(ctx, p.name, p.annotation, p.default) for p in parameters}
        )
    # Floats of ONNX are f32, their defaults too.
    default = float(np.float32(default)) if isinstance(default, float) else default
    return ctx.attribute(name, _READERS[kind], default)


def _ints(array: Array) -> Ints:
    return tuple(int(number) for number in array.reshape(-1))


def _optional_ints(ctx: NodeContext, index: int) -> Ints | None:
    array = ctx.optional_constant(index)
    return None if array is None else _ints(array)


def _array(attribute: AttributeProto) -> Array:
    from .attributes import array_of

    return array_of(attribute)


_INPUTS: Mapping[object, Callable[[NodeContext, int], object]] = {
    Value: NodeContext.value,
    Value | None: NodeContext.optional,
    Array: NodeContext.constant,
    Array | None: NodeContext.optional_constant,
    Ints: lambda ctx, index: _ints(ctx.constant(index)),
    Ints | None: _optional_ints,
}
"""The readers of an input by its number, by the type of the parameter."""

_ATTRIBUTES: Mapping[Any, Callable[[AttributeProto], object]] = {
    int: lambda attribute: attribute.i,
    bool: lambda attribute: bool(attribute.i),
    float: lambda attribute: attribute.f,
    str: lambda attribute: attribute.s.decode(errors="replace"),
    Ints: lambda attribute: tuple(attribute.ints),
    Reals: lambda attribute: tuple(attribute.floats),
    Texts: lambda attribute: tuple(s.decode(errors="replace") for s in attribute.strings),
    Array: _array,
}
_READERS = {kind: read for each, read in _ATTRIBUTES.items() for kind in (each, each | None)}
"""The readers of an attribute, by the type of the parameter."""
