"""The model that a module came from, and its values as the import makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from onnx import ModelProto, defs, helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.diagnostics import fail
from ....dialects.locations import origins_of
from ....dialects.qti_aisw import ConstOp, GraphOp, const
from ....dialects.qti_aisw.base import param_value
from ....dialects.qti_aisw.ops.coded import CodedFullyConnectedOp, DecodeWeightsOp
from ....dialects.qti_aisw.ops.linear import FullyConnectedOp, MatMulOp
from ....dialects.qti_aisw.ops.movement import TransposeOp
from ....dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ....dialects.spec_of import Array, spec_of
from ....dialects.value import DType, TensorSpec
from ....runtime.functions.quantize import decode_weights
from ...frontend.onnx import ModelSource
from ...frontend.onnx.importer import Partial, import_partly
from ...frontend.onnx.preparation.nodes import op_of, opsets_of
from ...frontend.onnx.preparation.prepare import prepare
from ...frontend.onnx.preparation.supported import Supported
from ...frontend.onnx.preparation.versions import converted
from ...importers.graph.moves import Perm
from ...importers.support.attributes import graphs_of, key_of, nodes_inside
from ...quantization.groups import is_idle_on, stored

_OPSET = 21
"""The opset of a model without a source, by default; ONNX Runtime reads it from 1.18 on."""
LEAST_OPSET = 17
"""A model of an older opset is brought past it before it is edited."""

_MOST_PAIRS = 5_000
"""Values, at most, that are compared behind one."""


class Before:
    """A model, and what its names are in the module that the import makes of it anew.

    Without a source it is a model without nodes, of an opset that may be given.
    """

    def __init__(self, source: ModelSource | None, opset: int | None = None) -> None:
        self.source, self.opset = source, _OPSET if opset is None else opset
        most = defs.onnx_opset_version()
        if not LEAST_OPSET <= self.opset <= most:
            raise fail("opset", f"is {opset}", f"give one from {LEAST_OPSET} to {most}")
        version = helper.find_min_ir_version_for([helper.make_opsetid("", self.opset)])
        self.model = ModelProto(ir_version=version, producer_name="htp-mlir")
        self.weights, self.constants = dict[str, Array](), dict[str, Array]()
        self._partial = Partial(ModuleOp([]), (), frozenset(), {}, {}, {})
        if source is not None:
            self._read(source)
            self.opset = opsets_of(self.model).get("", self.opset)
        if opset not in (None, self.opset):
            problem = f"is {opset}, the model that the graph came from has {self.opset}"
            raise fail("opset", problem, "leave it out: the model is edited")
        self.nodes = [*self.model.graph.node]
        self.initializers = {tensor.name: tensor for tensor in self.model.graph.initializer}
        self.inputs = {value.name: value for value in self.model.graph.input}
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
        self.static = self._known()
        """The names that are constant, or follow from constants and shapes."""

    def _read(self, source: ModelSource) -> None:
        """Read and import the model, whose opset is not too old to be edited."""
        model, weights = source.read()
        if opsets_of(model).get("", LEAST_OPSET) < LEAST_OPSET:
            model = converted(model)
        self.model, self.weights = model, dict(weights)
        supported = Supported(source.packages)
        prepared = prepare(model, weights, source.dims, source.constants, supported)
        self.constants = dict(prepared.constants)
        self._partial = import_partly(prepared, supported)

    def _known(self) -> set[str]:
        """Find the static names."""
        known = {*self.constants, *self.initializers}
        for index, node in enumerate(self.nodes):
            of_shape = op_of(node) in (("", "Shape"), ("", "Size"))
            if of_shape or all(name in known for name in self.reads(index)):
                known.update(node.output)
        values = ((name, self._partial.values.get(name)) for name in self.makers)
        return known - {name for name, v in values if v and not isinstance(v.owner, ConstOp)}

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

    def grids(
        self, match: Alignment, names: Iterable[str]
    ) -> Iterator[tuple[str, TensorSpec, tuple[str, ...]]]:
        """Yield the constants, of some names, that a match has on grids, with grid and names."""
        wanted = {*names}
        for one, other in match.constants:
            every = (*self._partial.constants.get(other, ()),)
            for name in wanted.intersection(every):
                yield name, _laid(self.constants[name], array_of(other), spec_of(one)), every

    def ends(self, island: Sequence[int]) -> tuple[dict[str, SSAValue], list[str]]:
        """Return the values that nodes read of others, and the names whose values are gone."""
        ends, gone = dict[str, SSAValue](), list[str]()
        inside = {name for index in island for name in self.nodes[index].output}
        for name in (name for index in island for name in self.reads(index)):
            if name in inside or name in self.static:
                continue
            view = self.view(name)
            if view is None:
                gone.append(name)
            elif not isinstance(view[0].owner, ConstOp):
                ends[name] = view[0]
        return ends, gone

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


def array_of(constant: SSAValue) -> Array:
    """Return the data of a constant."""
    assert isinstance(constant.owner, ConstOp)
    return constant.owner.array


def _laid(data: Array, array: Array, grid: TensorSpec) -> TensorSpec:
    """Return the grid of an array for the same numbers in another order of dims."""
    spec, quant = grid.with_shape(data.shape), grid.quant
    if quant is None or quant.axis is None:
        return spec
    wanted = _ranges(array, quant.axis)
    axes = (axis for axis in range(data.ndim) if np.array_equal(_ranges(data, axis), wanted))
    return replace(spec, quant=replace(quant, axis=next(axes, 0)))


def _ranges(array: Array, axis: int) -> Array:
    """Return the smallest and the largest number, or 0, of each place along a dim."""
    others = tuple(dim for dim in range(array.ndim) if dim != axis)
    return np.array([array.min(others, initial=0), array.max(others, initial=0)])


@dataclass(frozen=True)
class Alignment:
    """The values in place of the ends of another value, and pairs of constants, the first on grids.

    Example: conv(Quantize(%x), %w on a grid) beside conv(%a, %b) with the end %a is the match
    {%a: %x} and [(%w, %b)]. `inside` are values between on grids of their own.
    """

    ends: dict[SSAValue, SSAValue] = field(default_factory=dict)
    constants: list[tuple[SSAValue, SSAValue]] = field(default_factory=list)
    inside: list[SSAValue] = field(default_factory=list)


def aligned(
    after: SSAValue, before: SSAValue, ends: set[SSAValue], *, floats: bool = False
) -> Alignment | None:
    """Return the match of a value that is computed as another is; else None.

    In `floats` the values that the first is computed of may be on grids, and a clip be absent
    that changes nothing on one. An op reads data on a grid as what Dequantize makes of them.
    """
    match = Alignment()
    inner, known = dict[SSAValue, TensorSpec](), [_off_grid(after)[1]]
    left, seen = [(after, before)], set[tuple[SSAValue, SSAValue]]()
    while left and len(seen) < _MOST_PAIRS:
        pair = one, other = left.pop()
        if pair in seen:
            continue
        seen.add(pair)
        one, grid = _off_grid(one) if floats else (one, None)
        maker = other.owner
        if other not in ends and isinstance(maker, DequantizeOp) and one.type == maker.inp.type:
            other = maker.inp
        if not is_form_of(one, other, floats):
            return None
        if other in ends:
            if match.ends.setdefault(other, one) is not one:
                return None
            known.append(grid)
            continue
        operands = _operands_of_same_op(one, other, ends)
        if operands is None and grid is not None:
            operands = _operands_on_grid(one, other, grid)
            if not operands:
                match.constants.append((one, other))
        if operands is None:
            return None
        if grid is not None and operands:
            inner[one] = grid
        left += operands
    own = (v for v, grid in inner.items() if not any(k and grid.same_encoding(k) for k in known))
    match.inside.extend(own)
    return None if left else match


def is_form_of(one: SSAValue, other: SSAValue, floats: bool) -> bool:
    """Tell whether a value has the type of another, or in `floats` is that float on a grid."""
    a, b = spec_of(one), spec_of(other)
    if floats and a.quant is not None:
        return b.dtype is DType.Float32 and a.shape == b.shape
    return one.type == other.type


def _off_grid(value: SSAValue) -> tuple[SSAValue, TensorSpec | None]:
    """Return what Quantize and Dequantize make a value of, and the last grid that it is on."""
    grid = None
    while True:
        spec = spec_of(value)
        grid = spec if grid is None and spec.quant is not None else grid
        if not isinstance(value.owner, QuantizeOp | DequantizeOp):
            return value, grid
        value = value.owner.inp


def _operands_on_grid(
    one: SSAValue, other: SSAValue, grid: TensorSpec
) -> list[tuple[SSAValue, SSAValue]] | None:
    """Pair a value with what an idle clip reads; nothing of equal constants; else None."""
    if isinstance(other.owner, GraphOp) and is_idle_on(other.owner, grid):
        return [(one, other.owner.operands[0])]
    if not isinstance(one.owner, ConstOp) or not isinstance(other.owner, ConstOp):
        return None
    return [] if np.array_equal(array_of(one), stored(array_of(other), grid)) else None


def _operands_of_same_op(
    one: SSAValue, other: SSAValue, ends: set[SSAValue]
) -> list[tuple[SSAValue, SSAValue]] | None:
    """Pair the operands of ops that compute two values alike; None where they do not."""
    a, b = one.owner, other.owner
    if not isinstance(a, Operation) or not isinstance(b, Operation):
        return None
    if isinstance(a, FullyConnectedOp) and isinstance(b, MatMulOp):
        return _operands_of_product(a, b)
    if isinstance(a, CodedFullyConnectedOp) and isinstance(b, MatMulOp | FullyConnectedOp):
        return _operands_of_coded(a, b, ends)
    alike = (
        a.name == b.name
        and a.results.index(one) == b.results.index(other)
        and len(a.operands) == len(b.operands)
        and a.properties == b.properties
    )
    return [*zip(a.operands, b.operands, strict=True)] if alike else None


def _operands_of_product(
    layer: FullyConnectedOp, product: MatMulOp
) -> list[tuple[SSAValue, SSAValue]] | None:
    """Pair the operands of a layer of constant weights, and no bias, with those of a product."""
    weights = layer.weights
    if layer.bias is not None or not isinstance(weights.owner, ConstOp):
        return None
    if param_value(product.transpose_in0):
        return None
    if not param_value(product.transpose_in1):
        weights = const(array_of(weights).T, spec_of(weights).transposed((1, 0))).out
    return [(layer.inp, product.in0), (weights, product.in1)]


def _operands_of_coded(
    layer: CodedFullyConnectedOp, product: MatMulOp | FullyConnectedOp, ends: set[SSAValue]
) -> list[tuple[SSAValue, SSAValue]] | None:
    """Pair data and bias of a layer of codes with those of a product of the decoded weights."""
    (data, weights, *rest), own = product.operands, [layer.bias] if layer.bias else []
    turned = isinstance(product, MatMulOp) and not param_value(product.transpose_in1)
    is_first_turned = isinstance(product, MatMulOp) and param_value(product.transpose_in0)
    turn = weights.owner
    if isinstance(turn, TransposeOp) and weights not in ends:
        weights, turned = turn.inp, not turned
    if weights in ends or is_first_turned or len(rest) != len(own):
        return None
    ours, theirs = _decoded(layer), _decoded(weights.owner)
    if ours is None or theirs is None or not np.array_equal(ours, theirs.T if turned else theirs):
        return None
    return [(layer.inp, data), *zip(own, rest, strict=True)]


def _decoded(op: Operation | Block) -> Array | None:
    """Return the weights that an op makes of constant codes."""
    if not isinstance(op, CodedFullyConnectedOp | DecodeWeightsOp):
        return None
    parts = (op.codes, op.table, op.scales, op.zeros)
    if not all(isinstance(part.owner, ConstOp) for part in parts):
        return None
    return decode_weights(*map(array_of, parts))
