"""A builder of bodies: nodes in a function with names of its own, and values to write with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import FunctionProto, NodeProto, TensorProto, helper, numpy_helper

from .....dialects.dense import Array
from .body import BODY, Body, Scope, key_of

Attribute = int | float | str | Sequence[int] | Sequence[float] | TensorProto


def _binary(op: str) -> Callable[[Inner, Inner | float], Inner]:
    return lambda x, y: x.op(op, y)


@dataclass(frozen=True, eq=False)
class Inner:
    """A value inside a body, and the builder of the nodes that read it; a number takes its type."""

    name: str
    builder: FunctionBuilder

    def op(self, op: str, *others: Inner | float | None, **attributes: Attribute) -> Inner:
        """Add a node whose first input this is."""
        (result,) = self.ops(op, 1, *others, **attributes)
        return result

    def ops(
        self, op: str, count: int, *others: Inner | float | None, **attributes: Attribute
    ) -> list[Inner]:
        """Add a node of several outputs."""
        operands = (self.number(o) if isinstance(o, int | float) else o for o in others)
        return self.builder.emit(op, [self, *operands], count, attributes)

    def number(self, number: float) -> Inner:
        """Add a constant of one number, of the element type of this value."""
        return self.builder.const(np.asarray(number, np.float32)).op("CastLike", self)

    __add__, __sub__, __mul__ = _binary("Add"), _binary("Sub"), _binary("Mul")
    __and__, __lt__, __le__ = _binary("And"), _binary("Less"), _binary("LessOrEqual")
    __gt__, __ge__ = _binary("Greater"), _binary("GreaterOrEqual")

    def plus(self, term: Inner | None) -> Inner:
        """Return a sum; the value itself where the term is left out."""
        return self if term is None else self + term

    def cast(self, to: int) -> Inner:
        """Return the value in an element type of ONNX."""
        return self.op("Cast", to=to)

    def reshape(self, *dims: int) -> Inner:
        """Return the value under another shape, as Reshape says it."""
        return self.op("Reshape", self.builder.integers(*dims))

    def transpose(self, *order: int) -> Inner:
        """Return the value with its dims in another order."""
        return self.op("Transpose", perm=order)

    def parts(self, sizes: Sequence[int], axis: int, *, keep: bool) -> list[Inner]:
        """Cut the value along an axis, which parts of size 1 lose unless it is kept."""
        parts = self.ops("Split", len(sizes), self.builder.integers(*sizes), axis=axis)
        axes = None if keep else self.builder.integers(axis)
        return parts if keep else [part.op("Squeeze", axes) for part in parts]


def joined(parts: Sequence[Inner], axis: int, *, new: bool = False) -> Inner:
    """Join values along an axis, a new one if so said."""
    if new:
        axes = parts[0].builder.integers(axis)
        parts = [part.op("Unsqueeze", axes) for part in parts]
    return parts[0].op("Concat", *parts[1:], axis=axis)


class FunctionBuilder:
    """A function under construction for one node; its own names cannot clash with the model's."""

    def __init__(self, node: NodeProto, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.nodes: list[NodeProto] = []
        self._formals: dict[str, str] = {}

    def outer(self, name: str) -> Inner:
        """Return a value of the graph, as it is named inside."""
        return Inner(self._formals.setdefault(name, f"in.{len(self._formals)}"), self)

    def emit(
        self,
        op: str,
        inputs: Sequence[Inner | None],
        count: int,
        attributes: Mapping[str, Attribute],
        domain: str = "",
    ) -> list[Inner]:
        """Add a node; return its outputs."""
        names = [f"value.{len(self.nodes)}.{index}" for index in range(count)]
        operands = ["" if each is None else each.name for each in inputs]
        node = helper.make_node(op, operands, names, domain=domain)
        node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
        self.nodes.append(node)
        return [Inner(name, self) for name in names]

    def const(self, array: Array) -> Inner:
        """Add a constant of the array's own type."""
        tensor = numpy_helper.from_array(np.asarray(array))
        return self.emit("Constant", [], 1, {"value": tensor})[0]

    def integers(self, *numbers: int) -> Inner:
        """Add a constant of int64 numbers."""
        return self.emit("Constant", [], 1, {"value_ints": numbers})[0]

    def integer(self, number: int) -> Inner:
        """Add a constant of one int64 number without dims."""
        return self.emit("Constant", [], 1, {"value_int": number})[0]

    def body(self, results: Sequence[Inner], steps: Sequence[FunctionProto] = ()) -> Body:
        """Return the body whose outputs are these values."""
        outputs = [f"out.{index}" for index in range(len(self.node.output))]
        for result, output in zip(results, outputs, strict=False):
            self.nodes.append(helper.make_node("Identity", [result.name], [output]))
        function = helper.make_function(
            BODY, key_of(self.node), [*self._formals.values()], outputs, self.nodes, []
        )
        return Body(function, [*self._formals], steps=steps)
