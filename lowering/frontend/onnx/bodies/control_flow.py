"""Bodies of If, Loop and Scan, where what they depend on is constant. Source: ONNX spec."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import GraphProto, NodeProto, TypeProto

from ..support.faults import NodeFault
from ..support.types import shape_of_onnx
from .body import Body, Scope
from .builder import FunctionBuilder, Inner, joined
from .step import InnerGraph
from .trips import trips_of


def branch(node: NodeProto, scope: Scope) -> Body:
    """If: the branch that its constant condition takes."""
    condition, builder = scope.integer(node, 0, "condition"), FunctionBuilder(node, scope)
    step = InnerGraph(_graph(node, "then_branch" if condition else "else_branch"), builder)
    step.require(0, len(node.output))
    return builder.body(step.call([]), [step.function])


def both_branches(node: NodeProto, scope: Scope) -> Body:
    """If: both of its branches, and of each output the one that its condition takes."""
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
