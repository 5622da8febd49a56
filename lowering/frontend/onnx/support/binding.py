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
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import lru_cache
from inspect import Parameter
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import numpy as np

from .faults import NodeFault, require

if TYPE_CHECKING:
    from onnx import NodeProto

Ints = tuple[int, ...]
Reals = tuple[float, ...]
Texts = tuple[str, ...]


class NodeReader(ABC):
    """One node. It notes what is read: what nobody read is not supported."""

    def __init__(self, node: NodeProto) -> None:
        self.node = node
        self.attributes = {attribute.name: attribute for attribute in node.attribute}
        self.read: set[str | int] = set()

    def has(self, index: int) -> bool:
        """Tell whether the input is given."""
        return index < len(self.node.input) and bool(self.node.input[index])

    @abstractmethod
    def input(self, index: int, parameter: Parameter) -> object:
        """Return an input as a parameter takes it; TypeError for a type that no input has."""

    @abstractmethod
    def attribute(self, name: str, kind: Any) -> object:
        """Return an attribute that is there; TypeError for a type that none has."""

    def check_all_read(self) -> None:
        """Raise a NodeFault for an attribute or input that was not read: it is not supported."""
        for name in self.attributes:
            if name not in self.read:
                raise NodeFault(f"attribute '{name}' is not supported", "leave it out")
        for index, name in enumerate(self.node.input):
            if name and index not in self.read:
                raise NodeFault(f"input {index} ('{name}') is not supported", "leave it out")


def bound(function: Callable[..., Any], node: NodeReader) -> tuple[list[Any], dict[str, Any]]:
    """Return what the parameters of a function take of a node, by position and by keyword."""
    inputs: list[object] = []
    attributes: dict[str, object] = {}
    count = 0
    for parameter in _parameters(function):
        if parameter.annotation is type(node):
            inputs.append(node)
        elif parameter.kind is Parameter.VAR_POSITIONAL:
            numbers = range(count, len(node.node.input))
            inputs += [node.input(number, parameter) for number in numbers]
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            attributes[parameter.name] = _attribute(node, parameter)
        else:
            inputs.append(node.input(count, parameter))
            count += 1
    return inputs, attributes


@lru_cache(1024)
def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    return list(inspect.signature(function, eval_str=True).parameters.values())


def _attribute(node: NodeReader, parameter: Parameter) -> object:
    """Return an attribute, or the attributes that are the fields of a dataclass."""
    name, kind, default = parameter.name, parameter.annotation, parameter.default
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{each.name: _attribute(node, each) for each in _parameters(kind)})
    allowed = get_args(kind) if get_origin(kind) is Literal else ()
    node.read.add(name)
    if name not in node.attributes:
        problem = f"attribute '{name}' is missing"
        require(default is not Parameter.empty, problem, "it has no default")
        # Floats of nodes are f32, and so are defaults.
        return float(np.float32(default)) if isinstance(default, float) else default
    value = node.attribute(name, type(allowed[0]) if allowed else kind)
    problem = f"attribute '{name}' is {value}, only {' or '.join(map(str, allowed))} is supported"
    require(not allowed or value in allowed, problem)
    return value
