"""A node of an op of ONNX Runtime, read by the signature of the op."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from onnx import NodeProto, numpy_helper

from ......dialects.dense import Array
from ...support.attributes import attribute_value
from ...support.faults import MAKE_CONSTANT, NodeFault
from ..body import Body, Scope
from ..builder import Attribute, FunctionBuilder

T = TypeVar("T")


@dataclass(frozen=True)
class OpSignature:
    """The inputs and attributes of an op that are read, and the builder of its results.

    Inputs are named in their order, `bias?` may be left out, and `parts*` are all that follow.
    `attributes` gives defaults; those in `only` must have this value, which changes nothing.
    A result "" is one that is not computed.
    """

    inputs: str
    build: Callable[[NodeCall], Sequence[str]]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    only: Mapping[str, Attribute] = field(default_factory=dict)

    def body(self, node: NodeProto, scope: Scope) -> Body:
        """Return the body of a node; NodeFault for an input or attribute that is not read."""
        call = NodeCall(node, scope, self)
        results = [*self.build(call)]
        for index, name in enumerate(node.output):
            computed = index < len(results) and bool(results[index])
            if name and not computed:
                raise NodeFault(f"output {index} ('{name}') is not supported", "do not use it")
            if not computed:
                results[index:] = [call.integer(0), *results[index + 1 :]]
        return call.body(results)


class NodeCall(FunctionBuilder):
    """The nodes that replace one, whose inputs and attributes go by name."""

    def __init__(self, node: NodeProto, scope: Scope, signature: OpSignature) -> None:
        super().__init__(node, scope)
        self._attributes = {a.name: attribute_value(a) for a in node.attribute}
        self._defaults = signature.attributes
        for name, value in self._attributes.items():
            if name not in (*signature.attributes, *signature.only):
                raise NodeFault(f"attribute '{name}' is not supported", "leave it out")
            wanted = signature.only.get(name, value)
            if value != wanted:
                raise NodeFault(f"attribute '{name}' is {value}, only {wanted} is supported")
        self._inputs = self._named(signature.inputs.split())

    def _named(self, names: Sequence[str]) -> dict[str, str]:
        """Return the inputs by name; NodeFault for a missing one, or one too many."""
        inputs = [*self.node.input]
        *first, last = names
        if last.endswith("*"):
            names = [*first, *(f"{last[:-1]}{n}" for n in range(len(inputs) - len(first)))]
        for index, name in enumerate(inputs[len(names) :], len(names)):
            if name:
                raise NodeFault(f"input {index} ('{name}') is not supported", "leave it out")
        inputs += [""] * (len(names) - len(inputs))
        for name, value in zip(names, inputs, strict=False):
            if not value and not name.endswith("?"):
                raise NodeFault(f"input '{name}' is missing", "it is mandatory")
        plain = (name.rstrip("?") for name in names)
        return dict(zip(plain, inputs, strict=False))

    def __getitem__(self, name: str) -> str:
        """Return an input as it is named inside, "" where it is left out."""
        return self.outer(self._inputs.get(name, ""))

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an input."""
        return self.scope.shape(self._inputs[name])

    def data(self, name: str) -> Array:
        """Return the data of an input; NodeFault where it is not constant."""
        outer = self._inputs[name]
        self.scope.shape(outer)
        if outer not in self.scope.constants:
            raise NodeFault(f"input '{name}' ('{outer}') is not constant", MAKE_CONSTANT)
        return self.scope.constants[outer]

    def get(self, name: str, kind: type[T]) -> T:
        """Return an attribute; NodeFault where it is of another kind."""
        value = self._attributes.get(name, self._defaults[name])
        if not isinstance(value, kind):
            kinds = f"{type(value).__name__}, it must be {kind.__name__}"
            raise NodeFault(f"attribute '{name}' is {kinds}")
        return value

    def stated(self, *names: str) -> dict[str, Attribute]:
        """Return the attributes among these that the node has, to hand them on."""
        stated = {name: self._attributes[name] for name in names if name in self._attributes}
        return cast("dict[str, Attribute]", stated)

    def require(self, condition: bool, problem: str, remedy: str = "") -> None:
        """Raise a NodeFault unless the condition holds."""
        if not condition:
            raise NodeFault(problem, remedy)

    def constant(self, array: Array) -> str:
        """Add a constant."""
        return self.emit("Constant", value=numpy_helper.from_array(np.asarray(array)))

    def scalar(self, number: float, like: str) -> str:
        """Add a constant of one number, of the element type of a value."""
        return self.emit("CastLike", self.constant(np.asarray(number, np.float32)), like)

    def plus(self, value: str, term: str) -> str:
        """Return a sum; the value itself where the term is left out."""
        return self.emit("Add", value, term) if term else value
