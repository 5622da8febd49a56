"""Importers of ONNX ops, as an op package brings them: functions with the signatures of ops.

    @ONNX.importer("LeakyRelu")
    def leaky_relu(x: Value, *, alpha: float = 0.01) -> Value: ...

Inputs are positional, attributes by keyword. An input is a `Value`, as is one without an
annotation, `Value | None` where it may be left out, `Ints` or `Array` where it must be constant,
and `*Value` or `*Value | None` for all that follow. An attribute has the default that the op gives
it; one without a default must be there, and one of a `Literal` must be one of its values. A
dataclass holds attributes that several ops share, under the names of its fields. A parameter of
the type NodeContext is the node itself. An input or attribute of a node that no parameter names is
refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import lru_cache
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import numpy as np

from ....dialects.dense import Array
from ....dialects.registrar import Registrar
from ...conversion.builder import function_label
from ..graph.value import Value
from .context import NodeContext, array_of, require

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto, TypeProto

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
    Array: array_of,
}
_ATTRIBUTES = {kind: read for each, read in _KINDS.items() for kind in (each, each | None)}
"""The readers of an attribute, by the type of the parameter."""


OpKey = tuple[str, str]
"""Domain ("" for ONNX's own) and op type."""

BLOCK_OPS = "qti_aisw"
"""The domain of the block ops."""

Importer = Callable[..., Value | Sequence[Value | None]]
"""Builds the graph ops of one node and gives its outputs, as many as are asked for or more.

One that nothing reads may be None."""

Function = TypeVar("Function", bound=Importer)

Leaves = Callable[["NodeProto", Mapping[str, "TypeProto"]], bool]
"""Tells of a node and the types of values whether the op's body is to take the node's place."""


@dataclass(frozen=True)
class OnnxImporter:
    """The importer of one op of ONNX models.

    A node of an op that `folds` is evaluated before the import where all its inputs are constant.
    An op that `keeps_stored` takes quantised inputs as the integers that are stored. Nodes that it
    `leaves` become the body that ONNX has for the op.
    """

    domain: str
    op: str
    function: Importer
    folds: bool = False
    keeps_stored: bool = True
    leaves: Leaves | None = None

    @property
    def key(self) -> OpKey:
        """The key in tables."""
        return self.domain, self.op

    def build(self, ctx: NodeContext) -> list[Value | None]:
        """Build the graph ops of a node."""
        inputs, attributes = bound(self.function, ctx)
        results = self.function(*inputs, **attributes)
        return [results] if isinstance(results, Value) else [*results]

    @property
    def label(self) -> str:
        """The function's name, for people."""
        return function_label(self.function)


class ImporterSet(Registrar[OnnxImporter]):
    """The importers of one module; the decorator is `ImporterSet().importer`.

    `keeps_stored` holds for those that do not say otherwise.
    """

    def __init__(self, *, keeps_stored: bool = True) -> None:
        super().__init__()
        self._keeps_stored = keeps_stored

    def importer(
        self,
        *ops: str,
        domain: str = "",
        folds: bool = False,
        keeps_stored: bool | None = None,
        leaves: Leaves | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as the importer of ops; the domain "" is that of ONNX itself.

        Its positional parameters are the inputs: `Value`, `Value | None` where one may be left out,
        an array or a tuple of ints where it must be constant, and `*Value` for all that follow. Its
        keyword-only ones are attributes with their defaults. A NodeContext is the node itself.
        """
        stored = self._keeps_stored if keeps_stored is None else keeps_stored

        domain = domain_of(domain)
        return self._declaring(
            lambda function: [
                OnnxImporter(domain, op, function, folds, stored, leaves) for op in ops
            ]
        )


def domain_of(name: str) -> str:
    """Return a domain's one spelling: ONNX's own has two."""
    return "" if name == "ai.onnx" else name


def importer_sketch(key: OpKey) -> str:
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
