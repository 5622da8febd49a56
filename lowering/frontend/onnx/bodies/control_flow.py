"""Bodies of If, Loop and Scan, where what they depend on is constant. Source: ONNX spec.

The trips of a Loop are counted before the run. A condition that is computed from numbers alone,
such as i + 1 < 3 with a carried i that begins at 0, is followed: the nodes that it needs are
evaluated trip by trip, O(trips * nodes).
"""

from collections.abc import Iterator, Sequence

import numpy as np
from onnx import FunctionProto, GraphProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from .....dialects.spec_of import Array
from ....importers.support.attributes import graphs_of, key_of, nodes_inside
from ....importers.support.registry import BLOCK_OPS, NodeFault, domain_of
from ....importers.support.types import shape_of_onnx
from .body import MAX_NODES, STEP, Body, FunctionBuilder, Inner, Scope, joined

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


class InnerGraph:
    """The graph inside a node; what it takes from around it becomes inputs of the function.

    Its constants stay outside of the function: each is there once, however often it is called.
    `branch` tells it from another graph of the node.
    """

    def __init__(self, graph: GraphProto, builder: FunctionBuilder, branch: str = "") -> None:
        if graph.sparse_initializer:
            raise NodeFault("a graph inside it has a sparse initializer", "store it dense")
        self.builder = builder
        self.size = sum(1 for _ in nodes_inside(graph.node))
        self.counts = len(graph.input), len(graph.output)
        free = list(dict.fromkeys(_free(graph)))
        self._outer = [builder.outer(name) for name in free]
        for tensor in _constants(graph):
            self._outer += builder.emit("Constant", [], 1, {"value": tensor})
        self.keeps_state = any(node.domain == BLOCK_OPS for node in nodes_inside(graph.node))
        self.function = _function(graph, f"{key_of(builder.node)}{branch}", free)

    def require(self, inputs: int, least_outputs: int) -> None:
        """Refuse a graph with other numbers of inputs and outputs than its node asks for."""
        taken, returned = self.counts
        if taken != inputs or returned < least_outputs:
            problem = f"the graph inside it has {taken} inputs and {returned} outputs"
            raise NodeFault(problem, f"it must have {inputs} and at least {least_outputs}")

    def check_growth(self, trips: int) -> None:
        """Refuse more calls than can be worked with."""
        if trips * max(self.size, 1) > MAX_NODES:
            problem = f"its {trips} trips of {self.size} nodes each are too many to unroll"
            raise NodeFault(problem, f"at most {MAX_NODES} nodes are taken")

    def call(self, inputs: Sequence[Inner]) -> list[Inner]:
        """Add a call of the function; return the graph's outputs."""
        operands = [*inputs, *self._outer]
        return self.builder.emit(self.function.name, operands, self.counts[1], {}, STEP)


def _function(graph: GraphProto, name: str, free: Sequence[str]) -> FunctionProto:
    outputs = [f"htp.out.{index}" for index in range(len(graph.output))]
    inputs = [*(value.name for value in graph.input), *free]
    inputs += [tensor.name for tensor in _constants(graph)]
    ends = [
        helper.make_node("Identity", [value.name], [output])
        for value, output in zip(graph.output, outputs, strict=True)
    ]
    return helper.make_function(STEP, name, inputs, outputs, [*graph.node, *ends], [])


def _constants(graph: GraphProto) -> list[TensorProto]:
    """Return the initializers that are not defaults of inputs."""
    inputs = {value.name for value in graph.input}
    return [tensor for tensor in graph.initializer if tensor.name not in inputs]


def _free(graph: GraphProto) -> Iterator[str]:
    """Yield the names that a graph takes from around it."""
    own = {""} | {value.name for value in graph.input} | {t.name for t in graph.initializer}
    own |= {name for node in graph.node for name in node.output}
    for node in graph.node:
        yield from (name for name in _used(node) if name not in own)
    yield from (value.name for value in graph.output if value.name not in own)


def _used(node: NodeProto) -> Iterator[str]:
    yield from node.input
    for attribute in node.attribute:
        for graph in graphs_of(attribute):
            yield from _free(graph)


def branch(node: NodeProto, scope: Scope) -> Body:
    """If: the branch that its constant condition takes."""
    condition, builder = scope.integer(node, 0, "condition"), FunctionBuilder(node, scope)
    step = InnerGraph(_graph(node, "then_branch" if condition else "else_branch"), builder)
    step.require(0, len(node.output))
    return builder.body(step.call([]), [step.function])


def both_branches(node: NodeProto, scope: Scope) -> Body:
    """If: both branches are computed, and the condition chooses each output."""
    computed, remedy = f"its condition '{node.input[0]}' is computed", "make it constant"
    scope.shape(node.input[0])
    for name in filter(None, node.output):
        # Where would stretch one branch's result to the other's shape.
        if shape_of_onnx(scope.types.get(name, TypeProto())) is None:
            raise NodeFault(f"{computed} and its branches give '{name}' two shapes", remedy)
    builder = FunctionBuilder(node, scope)
    condition = builder.outer(node.input[0]).op("Squeeze")
    steps = [InnerGraph(_graph(node, f"{name}_branch"), builder, name) for name in ("then", "else")]
    for step in steps:
        step.require(0, len(node.output))
        if step.keeps_state:
            raise NodeFault(f"{computed} and one of its branches keeps a state", remedy)
    pairs = zip(*(step.call([]) for step in steps), strict=False)
    results = [condition.op("Where", *pair) for pair in pairs]
    return builder.body(results, [step.function for step in steps])


def loop(node: NodeProto, scope: Scope) -> Body:
    """Loop: its graph once for each trip, whose number must be known before the run."""
    graph, builder = _graph(node, "body"), FunctionBuilder(node, scope)
    step = InnerGraph(graph, builder)
    carried = [builder.outer(name) for name in node.input[2:]]
    step.require(2 + len(carried), 1 + len(carried))
    trips = trips_of(node, graph, scope)
    step.check_growth(trips)
    rows: list[list[Inner]] = []
    going = builder.integer(1).cast(_BOOL)
    for trip in range(trips):
        _, *results = step.call([builder.integer(trip), going, *carried])
        carried, row = results[: len(carried)], results[len(carried) :]
        rows.append(row)
    columns = _columns(rows, len(node.output) - len(carried))
    stacks = [joined(column, 0, new=True) for column in columns]
    return builder.body([*carried, *stacks], [step.function])


_BOOL = 9
"""The element type BOOL of ONNX."""


def scan(node: NodeProto, scope: Scope) -> Body:
    """Scan: its graph once for each slice of the inputs that are scanned."""
    builder = FunctionBuilder(node, scope)
    step = InnerGraph(_graph(node, "body"), builder)
    count = next(a.i for a in node.attribute if a.name == "num_scan_inputs")
    first = len(node.input) - count
    if not 0 <= first < len(node.input):
        problem = f"attribute 'num_scan_inputs' is {count}, it has {len(node.input)} inputs"
        raise NodeFault(problem, "export the model again")
    step.require(len(node.input), max(first, len(node.output)))
    carried = [builder.outer(name) for name in node.input[:first]]
    rows: list[list[Inner]] = []
    for parts in _trip_parts(node, builder, first, step):
        results = step.call([*carried, *parts])
        carried, row = results[:first], results[first:]
        rows.append(row)
    columns = _columns(rows, len(node.output) - first)
    axes, directions = (
        _numbers(node, f"scan_output_{name}", len(columns)) for name in ("axes", "directions")
    )
    stacks = [
        joined(column[::-1] if backwards else column, axis, new=True)
        for column, axis, backwards in zip(columns, axes, directions, strict=True)
    ]
    return builder.body([*carried, *stacks], [step.function])


def _trip_parts(
    node: NodeProto, builder: FunctionBuilder, first: int, step: InnerGraph
) -> list[tuple[Inner, ...]]:
    """Return the slices that each trip takes of the inputs from the first that is scanned."""
    names = node.input[first:]
    axes, directions = (
        _numbers(node, f"scan_input_{name}", len(names)) for name in ("axes", "directions")
    )
    lengths = [_length(builder.scope.shape(n), axis) for n, axis in zip(names, axes, strict=True)]
    if len(set(lengths)) != 1:
        raise NodeFault(f"its scanned inputs have the lengths {lengths}", "they must be equal")
    step.check_growth(lengths[0])
    parts = [
        builder.outer(name).parts([1] * length, axis, keep=False) if length else []
        for name, length, axis in zip(names, lengths, axes, strict=True)
    ]
    turned = (p[::-1] if back else p for p, back in zip(parts, directions, strict=True))
    return list(zip(*turned, strict=True))


def _length(shape: Sequence[int], axis: int) -> int:
    if not -len(shape) <= axis < len(shape):
        raise NodeFault(f"attribute 'scan_input_axes' holds {axis}, the rank is {len(shape)}")
    return shape[axis]


def _numbers(node: NodeProto, name: str, count: int) -> list[int]:
    """Return an attribute with one number for each of `count` inputs or outputs, 0 by default."""
    stated = [list(a.ints) for a in node.attribute if a.name == name]
    numbers = stated[0] if stated else [0] * count
    if len(numbers) != count:
        raise NodeFault(f"attribute '{name}' has {len(numbers)} numbers", f"it must have {count}")
    return numbers


def _columns(rows: Sequence[Sequence[Inner]], count: int) -> list[list[Inner]]:
    """Return the parts of each stacked output, of which there are a number."""
    if count and not rows:
        raise NodeFault("its trip count is 0, so what it stacks is empty", "take it out")
    return [[row[index] for row in rows] for index in range(count)]


def _graph(node: NodeProto, name: str) -> GraphProto:
    graphs: list[GraphProto] = [a.g for a in node.attribute if a.name == name]
    return graphs[0]
