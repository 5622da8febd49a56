"""A node of an op of ONNX Runtime, read by the signature of the op."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from onnx import NodeProto

from ......dialects.spec_of import Array
from .....importers.support.attributes import attribute_value
from .....importers.support.registry import MAKE_CONSTANT, NodeFault
from ..body import Attribute, Body, FunctionBuilder, Inner, Scope

T = TypeVar("T")


@dataclass(frozen=True)
class OpSignature:
    """The inputs and attributes of an op that are read, and the builder of its results.

    Inputs are named in their order, `bias?` may be left out, and `parts*` are all that follow.
    `attributes` gives defaults; those in `only` must have this value, which changes nothing.
    A result that is None is not computed.
    """

    inputs: str
    build: Callable[[NodeCall], Inner | Sequence[Inner | None]]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    only: Mapping[str, Attribute] = field(default_factory=dict)

    def body(self, node: NodeProto, scope: Scope) -> Body:
        """Return the body of a node; NodeFault for an input or attribute that is not read."""
        call = NodeCall(node, scope, self)
        results = self.build(call)
        outputs = [results] if isinstance(results, Inner) else [*results]
        outputs += [None] * (len(node.output) - len(outputs))
        for index, (name, result) in enumerate(zip(node.output, outputs, strict=False)):
            if name and result is None:
                raise NodeFault(f"output {index} ('{name}') is not supported", "do not use it")
        outputs = outputs[: len(node.output)]
        return call.body([call.integer(0) if each is None else each for each in outputs])


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

    def __getitem__(self, name: str) -> Inner:
        """Return an input that is there."""
        return self.outer(self._inputs[name])

    def optional(self, name: str) -> Inner | None:
        """Return an input, None where it is left out."""
        return self[name] if self._inputs.get(name) else None

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
