"""Functions with the signatures of ops: inputs are positional, attributes by keyword.

    @ONNX.importer("LeakyRelu")
    def leaky_relu(x: Value, *, alpha: float = 0.01) -> Value: ...

An input is a `Value`, as is one without an annotation, `Value | None` where it may be left out,
`Ints` or `Array` where it must be constant, and `*Value` or `*Value | None` for all that follow. An
attribute has the default that the op gives it; one without a default must be there, and one of a
`Literal` must be one of its values. A dataclass holds attributes that several ops share, under the
names of its fields. A parameter of the type NodeContext is the node itself. An input or attribute
of a node that no parameter names is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import numpy as np

from ....dialects.dense import Array
from ..graph.value import Value
from .context import NodeContext
from .faults import require

if TYPE_CHECKING:
    from onnx import AttributeProto

Ints = tuple[int, ...]
Reals = tuple[float, ...]
Texts = tuple[str, ...]


def bound(function: Callable[..., Any], ctx: NodeContext) -> tuple[list[Any], dict[str, Any]]:
    """Return what the parameters of a function take of a node, by position and by keyword."""
    inputs: list[object] = []
    attributes: dict[str, object] = {}
    count = 0
    for parameter in _parameters(function):
        if parameter.annotation is NodeContext:
            inputs.append(ctx)
        elif parameter.kind is Parameter.VAR_POSITIONAL:
            read = _reader(_INPUTS, parameter, parameter.annotation)
            inputs += [read(ctx, number) for number in range(count, len(ctx.node.input))]
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            attributes[parameter.name] = _attribute(ctx, parameter)
        else:
            inputs.append(_reader(_INPUTS, parameter, parameter.annotation)(ctx, count))
            count += 1
    return inputs, attributes


@lru_cache(1024)
def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    return list(inspect.signature(function, eval_str=True).parameters.values())


def _reader(table: Mapping[Any, Any], parameter: Parameter, kind: object) -> Any:
    """Return the reader of a type; TypeError for one that nothing of a node has."""
    if kind not in table:
        raise TypeError(f"parameter '{parameter.name}' is {kind}, which nothing of a node is")
    return table[kind]


def _attribute(ctx: NodeContext, parameter: Parameter) -> object:
    """Return an attribute, or the attributes that are the fields of a dataclass."""
    name, kind, default = parameter.name, parameter.annotation, parameter.default
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{each.name: _attribute(ctx, each) for each in _parameters(kind)})
    allowed = get_args(kind) if get_origin(kind) is Literal else ()
    read = _reader(_ATTRIBUTES, parameter, type(allowed[0]) if allowed else kind)
    attribute = ctx.attribute(name)
    if attribute is None:
        problem = f"attribute '{name}' is missing"
        require(default is not Parameter.empty, problem, "it has no default")
        # Floats of nodes are f32, and so are defaults.
        return float(np.float32(default)) if isinstance(default, float) else default
    value: object = read(attribute)
    problem = f"attribute '{name}' is {value}, only {' or '.join(map(str, allowed))} is supported"
    require(not allowed or value in allowed, problem)
    return value


def _array(attribute: AttributeProto) -> Array:
    from .attributes import array_of

    return array_of(attribute)


def _ints(array: Array) -> Ints:
    return tuple(int(number) for number in array.reshape(-1))


def _optional_ints(ctx: NodeContext, index: int) -> Ints | None:
    array = ctx.optional_constant(index)
    return None if array is None else _ints(array)


_INPUTS: Mapping[object, Callable[[NodeContext, int], object]] = {
    Value: NodeContext.value,
    Parameter.empty: NodeContext.value,
    Value | None: NodeContext.optional,
    Array: NodeContext.constant,
    Array | None: NodeContext.optional_constant,
    Ints: lambda ctx, index: _ints(ctx.constant(index)),
    Ints | None: _optional_ints,
}
"""The readers of an input by its number, by the type of the parameter."""

_KINDS: Mapping[Any, Callable[[AttributeProto], object]] = {
    int: lambda attribute: attribute.i,
    bool: lambda attribute: bool(attribute.i),
    float: lambda attribute: attribute.f,
    str: lambda attribute: attribute.s.decode(errors="replace"),
    Ints: lambda attribute: tuple(attribute.ints),
    Reals: lambda attribute: tuple(attribute.floats),
    Texts: lambda attribute: tuple(s.decode(errors="replace") for s in attribute.strings),
    Array: _array,
}
_ATTRIBUTES = {kind: read for each, read in _KINDS.items() for kind in (each, each | None)}
"""The readers of an attribute, by the type of the parameter."""
