"""The number of trips of a Loop, counted before the run. Source: ONNX spec.

A condition that is computed from numbers alone, such as i + 1 < 3 with a carried i that begins at
0, is followed: the nodes that it needs are evaluated trip by trip, O(trips * nodes).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from onnx import GraphProto, NodeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from .....dialects.dense import Array
from ....importers.support.faults import NodeFault
from ....importers.support.registry import domain_of
from .body import MAX_NODES, Scope

_COUNTING = (
    *("Identity", "Cast", "CastLike", "Add", "Sub", "Mul", "Div", "Mod", "Neg", "Min", "Max"),
    *("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal", "And", "Or", "Xor", "Not"),
    *("Constant", "Squeeze", "Unsqueeze"),
)
"""Ops that make one number of single numbers."""


def trips_of(node: NodeProto, graph: GraphProto, scope: Scope) -> int:
    """Return the number of trips; NodeFault where it is not known before the run."""
    count = scope.integer(node, 0, "trip count")
    if scope.integer(node, 1, "condition") == 0:
        return 0
    going = _goes_on(graph, scope)
    if going is None:
        # One trip more than can be unrolled is as good as any number of them.
        most = MAX_NODES // max(len(graph.node), 1) + 1
        counted = _Count(node, graph, scope).trips(most if count is None else min(count, most))
        if counted is None:
            problem = f"its condition '{graph.output[0].name}' is computed, so its trips are not"
            raise NodeFault(f"{problem} known", "export it with a constant number of trips")
        return counted
    if count is None and going:
        raise NodeFault("it never ends", "give it a trip count")
    most = 1 if count is None else max(0, count)
    return most if going else min(most, 1)


def _goes_on(graph: GraphProto, scope: Scope) -> bool | None:
    """Tell whether a loop's graph always says to go on; None where that is computed."""
    makers = {name: node for node in graph.node for name in node.output}
    name = graph.output[0].name
    while name in makers and makers[name].op_type in ("Identity", "Cast"):
        name = makers.pop(name).input[0]
    if name == graph.input[1].name:
        return True
    if name in makers and makers[name].op_type == "Constant":
        values = [numpy_helper.to_array(a.t) for a in makers[name].attribute if a.name == "value"]
    else:
        values = [*_initial(graph, name)]
        values += [scope.constants[name]] if name in scope.constants else []
    return bool(values[0].reshape(-1)[0]) if values else None


def _initial(graph: GraphProto, name: str) -> Iterator[Array]:
    """Yield the data of a graph's initializer, if there is one of this name."""
    yield from (numpy_helper.to_array(t) for t in graph.initializer if t.name == name)


class _Count:
    """The nodes, numbers from outside and carried values that the condition of a loop needs."""

    def __init__(self, node: NodeProto, graph: GraphProto, scope: Scope) -> None:
        self.node, self.graph, self.scope = node, graph, scope
        self.known: dict[str, Array] = {}
        self.nodes: list[NodeProto] = []
        self.carried: dict[str, str] = {}
        """The output that gives each carried input its next value."""

    def trips(self, most: int) -> int | None:
        """Return the trips until the condition fails, `most` at most; None where it is data."""
        condition = self.graph.output[0].name
        if not self._collect([condition]):
            return None
        trip, going = (value.name for value in self.graph.input[:2])
        state = {name: self.known.pop(name) for name in self.carried}
        state |= {trip: np.asarray(0, np.int64), going: np.asarray(True)}
        step = self._step(state, [condition, *self.carried.values()])
        for count in range(most):
            state[trip] = np.asarray(count, np.int64)
            goes_on, *values = step.run(None, {**self.known, **state})
            state |= dict(zip(self.carried, map(np.asarray, values), strict=True))
            state[going] = np.asarray(goes_on)
            if not np.asarray(goes_on).reshape(-1)[0]:
                return count + 1
        return most

    def _collect(self, wanted: list[str]) -> bool:
        """Find all that the wanted values need; False where that is not a constant number."""
        makers = {name: node for node in self.graph.node for name in node.output}
        inputs = [value.name for value in self.graph.input]
        needed: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name in needed or not name:
                continue
            needed.add(name)
            if name in makers:
                maker = makers[name]
                if domain_of(maker.domain) or maker.op_type not in _COUNTING:
                    return False
                wanted += makers[name].input
            elif name in inputs[2:]:
                index = inputs.index(name)
                self.carried[name] = self.graph.output[index - 1].name
                wanted.append(self.carried[name])
                if not self._take(name, self.node.input[index]):
                    return False
            elif name not in inputs and not self._take(name, name):
                return False
        self.nodes = [node for node in self.graph.node if needed & set(node.output)]
        ready = {"", *inputs, *self.known}
        for node in self.nodes:
            if not ready >= {*node.input}:
                return False
            ready |= {*node.output}
        return True

    def _take(self, name: str, outer: str) -> bool:
        """Note the number that a value begins as; False where it is none."""
        own = next(_initial(self.graph, name), None) if name == outer else None
        number = self.scope.constants.get(outer) if own is None else own
        if number is None or number.size != 1:
            return False
        self.known[name] = number
        return True

    def _step(self, state: dict[str, Array], outputs: Sequence[str]) -> ReferenceEvaluator:
        """Return one trip as a model of its own."""
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for name, a in {**self.known, **state}.items()
        ]
        results = [helper.make_empty_tensor_value_info(name) for name in outputs]
        graph = helper.make_graph(self.nodes, "trip", inputs, results)
        opsets = [helper.make_opsetid(*opset) for opset in self.scope.opsets.items()]
        return ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets))
