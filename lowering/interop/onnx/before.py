"""The model that a module came from, and its values as the import makes them."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ....dialects.locations import origins_of
from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.spec_of import spec_of
from ...frontend.onnx.bodies.body import key_of
from ...frontend.onnx.importer import import_partly
from ...frontend.onnx.preparation.nodes import op_of, opsets_of
from ...frontend.onnx.preparation.prepare import prepare
from ...frontend.onnx.preparation.supported import Supported
from ...frontend.onnx.preparation.versions import converted
from ...frontend.onnx.source import ModelSource
from ...importers.graph.moves import Perm
from ...importers.support.attributes import graphs_of, nodes_inside

LEAST_OPSET = 17
"""A model of an older opset is brought past it before it is edited."""


_MOST_PAIRS = 5_000
"""Values, at most, that are compared behind one."""


class Before:
    """A model, and what its names are in the module that the import makes of it anew."""

    def __init__(self, source: ModelSource) -> None:
        model, weights = source.read()
        if opsets_of(model).get("", LEAST_OPSET) < LEAST_OPSET:
            model = converted(model)
        self.model, self.weights = model, dict(weights)
        supported = Supported(source.packages)
        prepared = prepare(model, weights, source.dims, source.constants, supported)
        self.constants = dict(prepared.constants)
        self._partial = import_partly(prepared, supported)
        self.nodes = [*model.graph.node]
        self.initializers = {tensor.name: tensor for tensor in model.graph.initializer}
        self.inputs = {value.name: value for value in model.graph.input}
        self.makers = {name: i for i, node in enumerate(self.nodes) for name in node.output if name}
        self._by_node: dict[str, list[int]] = {}
        for index, node in enumerate(self.nodes):
            self._by_node.setdefault(node.name or key_of(node), []).append(index)
        self.transposes = {
            (node.input[0], tuple(attribute.ints)): index
            for index, node in enumerate(self.nodes)
            if op_of(node) == ("", "Transpose")
            for attribute in node.attribute
        }
        self._static = self._known()

    def _known(self) -> set[str]:
        """Return the names that are constant, or follow from constants and shapes."""
        known = {*self.constants, *self.initializers}
        for index, node in enumerate(self.nodes):
            of_shape = op_of(node) in (("", "Shape"), ("", "Size"))
            if of_shape or all(name in known for name in self.reads(index)):
                known.update(node.output)
        values = ((name, self._partial.values.get(name)) for name in self.makers)
        return known - {name for name, v in values if v and not isinstance(v.owner, ConstOp)}

    def is_static(self, name: str) -> bool:
        """Tell whether a name is constant, or follows from constants and shapes."""
        return name in self._static

    def view(self, name: str) -> tuple[SSAValue, Perm] | None:
        """Return the value that a name is, with its dims in an order; None where it is gone."""
        value = self._partial.values.get(name)
        if value is None:
            return None
        perm: Perm = tuple(range(spec_of(value).rank))
        while value in self._partial.gone:
            value, order = self._partial.gone[value]
            perm = tuple(order[dim] for dim in perm)
        if isinstance(value.owner, Operation) and value.owner.parent is None:
            return None
        return value, perm

    def origins(self, op: Operation) -> list[int]:
        """Return the nodes that an op comes from, by their numbers."""
        names = (origin.node for origin in origins_of(op))
        return [index for name in names for index in self._by_node.get(name, ())]

    def reads(self, index: int) -> list[str]:
        """Return the names that a node reads, those inside its graphs included."""
        node = self.nodes[index]
        inner = [each for each in nodes_inside([node]) if each is not node]
        graphs = [g for each in (node, *inner) for a in each.attribute for g in graphs_of(a)]
        own = {value.name for graph in graphs for value in (*graph.input, *graph.initializer)}
        own |= {name for each in inner for name in each.output}
        outside = [name for each in inner for name in each.input if name not in own]
        return [name for name in (*node.input, *outside) if name]


def aligned(
    after: SSAValue, before: SSAValue, ends: set[SSAValue]
) -> dict[SSAValue, SSAValue] | None:
    """Return the value for each end, where a value is computed as another is; else None."""
    matches: dict[SSAValue, SSAValue] = {}
    left, seen = [(after, before)], set[tuple[SSAValue, SSAValue]]()
    while left and len(seen) < _MOST_PAIRS:
        pair = one, other = left.pop()
        if pair in seen:
            continue
        seen.add(pair)
        if one.type != other.type:
            return None
        if other in ends:
            if matches.setdefault(other, one) is not one:
                return None
            continue
        operands = _operands_of_same_op(one, other)
        if operands is None:
            return None
        left += operands
    return None if left else matches


def _operands_of_same_op(one: SSAValue, other: SSAValue) -> list[tuple[SSAValue, SSAValue]] | None:
    """Pair the operands of ops that compute two values alike; None where they do not."""
    a, b = one.owner, other.owner
    if not isinstance(a, Operation) or not isinstance(b, Operation):
        return None
    alike = (
        a.name == b.name
        and a.results.index(one) == b.results.index(other)
        and len(a.operands) == len(b.operands)
        and a.properties == b.properties
    )
    return [*zip(a.operands, b.operands, strict=True)] if alike else None
