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
from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue

from ....dialects.qti_aisw.base import CustomParam
from ....dialects.registrar import Registrar
from ....dialects.spec_of import Array
from ....dialects.value import TensorSpec
from ...conversion.builder import function_label
from ..graph.value import Emitter, Value

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto, TypeProto

_CHANGE = "change it in the model, or express the node in other ops"
MAKE_CONSTANT = "make it an initializer, or fix an input: htp-opt --const NAME=VALUE"
"""The remedy for what has to be known when a model is imported."""


class NodeFault(Exception):
    """A fault of the node at hand, with a remedy."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy or _CHANGE


class UnknownInput(Exception):
    """An input comes from a node that has a fault of its own: nothing more to say here."""


Refusal = NodeFault | UnknownInput


def require(condition: bool, problem: str, remedy: str = "") -> None:
    """Raise a NodeFault, which names the node at hand, unless the condition holds."""
    if not condition:
        raise NodeFault(problem, remedy)


def counted_axis(axis: int, rank: int) -> int:
    """Return the attribute `axis`, counted from the front; NodeFault where no dim is there."""
    require(-rank <= axis < rank, f"attribute 'axis' is {axis}, the rank is {rank}")
    return axis % rank


class NodeContext:
    """One node under import. It notes what is read: what nobody read is not supported."""

    def __init__(
        self, node: NodeProto, emitter: Emitter, outputs: Sequence[TensorSpec | None]
    ) -> None:
        self.node = node
        self.emitter = emitter
        self.outputs = outputs
        self._attributes = {attribute.name: attribute for attribute in node.attribute}
        self._read: set[str | int] = set()

    def has(self, index: int) -> bool:
        """Tell whether the input is given."""
        return index < len(self.node.input) and bool(self.node.input[index])

    def value(self, index: int) -> Value:
        """Return a mandatory input; NodeFault where it is left out."""
        value = self.emitter.value(self._name(index))
        if value is None:
            raise UnknownInput
        return Value(value, self.emitter)

    def optional(self, index: int) -> Value | None:
        """Return an optional input, None where it is left out.

        A constant becomes an op when it is first read, as it may be read in another form.
        """
        if not self.has(index):
            return None
        name = self._name(index)
        if name in self.emitter.values or name not in self.emitter.constants:
            return self.value(index)
        return Value(name, self.emitter)

    def constant(self, index: int) -> Array:
        """Return the data of a mandatory input; NodeFault where it is not constant."""
        name = self._name(index)
        array = self.emitter.constants.get(name)
        if array is None:
            value = self.emitter.value(name)
            if value is None or _is_of_faulty(value):
                raise UnknownInput
            raise NodeFault(f"input {index} ('{name}') is not constant", MAKE_CONSTANT)
        return array

    def optional_constant(self, index: int) -> Array | None:
        """Return the data of an optional input that must be constant, None where it is left out."""
        return self.constant(index) if self.has(index) else None

    def _name(self, index: int) -> str:
        """Return the name of an input that is read; NodeFault where it is left out."""
        self._read.add(index)
        if not self.has(index):
            raise NodeFault(f"input {index} is missing", "it is mandatory")
        return str(self.node.input[index])

    def attribute(self, name: str) -> AttributeProto | None:
        """Return an attribute; None where it is left out."""
        self._read.add(name)
        return self._attributes.get(name)

    def params(self) -> dict[str, CustomParam]:
        """Return all attributes, numbers, text and lists of numbers, as ops of packages do."""
        self._read.update(self._attributes)
        return params_of(self.node)

    def check_all_read(self) -> None:
        """Raise a NodeFault for an attribute or input that was not read: it is not supported."""
        for name in self._attributes:
            if name not in self._read:
                raise NodeFault(f"attribute '{name}' is not supported", "leave it out")
        for index, name in enumerate(self.node.input):
            if name and index not in self._read:
                raise NodeFault(f"input {index} ('{name}') is not supported", "leave it out")

    def uses(self, index: int) -> bool:
        """Tell whether somebody asks for this output."""
        return index < len(self.node.output) and self.node.output[index] in self.emitter.used

    def const(self, array: Array) -> Value:
        """Return a constant; equal ones are one op."""
        return Value(self.emitter.const(array), self.emitter)

    def out(self, index: int = 0) -> TensorSpec:
        """Return the inferred spec of an output; NodeFault where it is not static."""
        spec = self.outputs[index] if index < len(self.outputs) else None
        if spec is None:
            remedy = "make its shape follow from constants, or fix the model's dims"
            raise NodeFault(f"output {index} has no static shape or no known type", remedy)
        return spec


def _is_of_faulty(value: SSAValue) -> bool:
    """Tell whether a value is computed from one that replaces a faulty node's."""
    ops, seen = [value.owner], set[object]()
    while ops:
        op = ops.pop()
        if isinstance(op, UnrealizedConversionCastOp):
            return True
        if isinstance(op, Operation) and op not in seen:
            seen.add(op)
            ops += [operand.owner for operand in op.operands]
    return False


def params_of(node: NodeProto) -> dict[str, CustomParam]:
    """Return attributes as params of a package's op; NodeFault for one that cannot be one."""
    return {attribute.name: _param(attribute) for attribute in node.attribute}


def _param(attribute: AttributeProto) -> CustomParam:
    """Return an attribute's value; NodeFault where it is a matrix, a graph or a list of texts."""
    from onnx import AttributeProto as Proto

    kind = str(Proto.AttributeType.Name(attribute.type))
    if kind not in _PARAM_KINDS or attribute.ref_attr_name:
        allowed = ", ".join(_PARAM_KINDS)
        raise NodeFault(f"attribute '{attribute.name}' is {kind}", f"it may be {allowed}")
    return _PARAM_KINDS[kind](attribute)


def array_of(attribute: AttributeProto) -> Array:
    """Return the data of a tensor attribute; NodeFault where they are not sound."""
    from onnx import numpy_helper

    try:
        return numpy_helper.to_array(attribute.t)
    except (ValueError, TypeError, KeyError) as error:
        problem = f"attribute '{attribute.name}' holds data that do not fit its type: {error}"
        raise NodeFault(problem, "export the model again") from error


def _numbers(attribute: AttributeProto) -> CustomParam:
    """Return a tensor of one number or of a row of numbers."""
    array = array_of(attribute)
    if array.ndim > 1 or array.dtype.kind not in "biuf":
        problem = f"attribute '{attribute.name}' is a tensor {list(array.shape)} of {array.dtype}"
        raise NodeFault(problem, "it may be a number or one row of numbers")
    values: list[float] = array.reshape(-1).tolist()
    return tuple(values) if array.ndim else values[0]


_PARAM_KINDS: dict[str, Callable[[AttributeProto], CustomParam]] = {
    "INT": lambda attribute: int(attribute.i),
    "FLOAT": lambda attribute: float(attribute.f),
    "STRING": lambda attribute: str(attribute.s.decode(errors="replace")),
    "INTS": lambda attribute: tuple(int(number) for number in attribute.ints),
    "FLOATS": lambda attribute: tuple(float(number) for number in attribute.floats),
    "TENSOR": _numbers,
}
"""The readers of attributes, by the kinds that a package's op may have."""

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
