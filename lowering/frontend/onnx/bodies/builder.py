"""A builder of bodies: nodes in a function with names of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import FunctionProto, NodeProto, TensorProto, helper

from .body import BODY, Body, Scope, key_of

Attribute = int | float | str | Sequence[int] | Sequence[float] | TensorProto


class FunctionBuilder:
    """A function under construction for one node; its own names cannot clash with the model's."""

    def __init__(self, node: NodeProto, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.nodes: list[NodeProto] = []
        self._formals: dict[str, str] = {}

    def outer(self, name: str) -> str:
        """Return the name inside of a value of the graph."""
        return self._formals.setdefault(name, f"in.{len(self._formals)}") if name else ""

    def emit(self, op: str, *inputs: str, **attributes: Attribute) -> str:
        """Add a node of one output; return its name."""
        return self.emit_all(op, inputs, 1, attributes)[0]

    def emit_all(
        self,
        op: str,
        inputs: Sequence[str],
        count: int,
        attributes: Mapping[str, Attribute],
        domain: str = "",
    ) -> list[str]:
        """Add a node; return the names of its outputs."""
        names = [f"value.{len(self.nodes)}.{index}" for index in range(count)]
        node = helper.make_node(op, inputs, names, domain=domain)
        node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
        self.nodes.append(node)
        return names

    def integers(self, *numbers: int) -> str:
        """Add a constant of int64 numbers."""
        return self.emit("Constant", value_ints=numbers)

    def integer(self, number: int) -> str:
        """Add a constant of one int64 number without dims."""
        return self.emit("Constant", value_int=number)

    def parts(self, value: str, sizes: Sequence[int], axis: int, keep: bool) -> list[str]:
        """Cut a value along an axis, which parts of size 1 lose unless it is kept."""
        cuts = self.integers(*sizes)
        parts = self.emit_all("Split", [value, cuts], len(sizes), {"axis": axis})
        axes = "" if keep else self.integers(axis)
        return parts if keep else [self.emit("Squeeze", part, axes) for part in parts]

    def joined(self, parts: Sequence[str], axis: int, new: bool) -> str:
        """Join values along an axis, a new one if so said."""
        axes = self.integers(axis) if new else ""
        parts = [self.emit("Unsqueeze", part, axes) for part in parts] if new else parts
        return self.emit("Concat", *parts, axis=axis)

    def body(self, results: Sequence[str], steps: Sequence[FunctionProto] = ()) -> Body:
        """Return the body whose outputs are these values."""
        outputs = [f"out.{index}" for index in range(len(self.node.output))]
        for result, output in zip(results, outputs, strict=False):
            self.nodes.append(helper.make_node("Identity", [result], [output]))
        function = helper.make_function(
            BODY, key_of(self.node), [*self._formals.values()], outputs, self.nodes, []
        )
        return Body(function, [*self._formals], steps=steps)
