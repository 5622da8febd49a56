"""Constants of a model: initializers, Constant nodes, static shapes and all that follows.

Each round infers shapes and then folds what has become constant, until a round folds nothing; so
a Reshape target that is computed from a Shape is a plain constant afterwards.

Those are the weights of products and layers, and what an op reads beside a dequantised tensor.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Literal

import numpy as np
from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TypeProto,
    ValueInfoProto,
    helper,
)
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from onnx.shape_inference import infer_shapes

from .....dialects.diagnostics import Fault, HtpError, fail
from .....dialects.spec_of import Array
from .....dialects.value.limits import MAX_FOLDED
from ....importers.support.attributes import nodes_inside
from ....importers.support.codes import codes_of, in_bytes, is_encoding
from ....importers.support.registry import OpKey
from ....importers.support.types import DTYPES, shape_of_onnx
from ..reading.weights import Weights, array_of, stated
from .contradictions import TOOL_ERRORS, contradiction, one_line
from .nodes import op_of, where
from .sizes import MAX_SHAPE

_READERS = (("", "MatMul"), ("", "Gemm"), ("", "Conv"), ("", "ConvTranspose"))
_BESIDE = tuple(
    ("", name)
    for name in (
        *("Add", "Sub", "Mul", "Div", "Min", "Max", "Concat", "Where", "MatMul", "PRelu"),
        *("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "LayerNormalization"),
    )
)
_BETWEEN = (("", "Transpose"), ("", "Identity"))
_DEQUANTIZES = ("", "DequantizeLinear")
_CONSTANT = ("", "Constant")

Readers = Mapping[str, list[tuple[NodeProto | None, int]]]
"""The nodes that read a value and the place among their inputs; None for the graph itself."""


def stored_weights(graph: GraphProto) -> set[str]:
    """Return the dequantised values that only ops read which take stored integers."""
    readers: dict[str, list[tuple[NodeProto | None, int]]] = defaultdict(list)
    for node in nodes_inside(graph.node):
        for place, name in enumerate(node.input):
            readers[name].append((node, place))
    for output in graph.output:
        readers[output.name].append((None, 0))
    constants = {tensor.name for tensor in graph.initializer}
    constants |= {node.output[0] for node in graph.node if op_of(node) == _CONSTANT}
    dequantized = {
        node.output[0]: node.input[0] not in constants
        for node in graph.node
        if op_of(node) == _DEQUANTIZES
    }
    return {name for name in dequantized if _as_stored(name, readers, dequantized)}


def _as_stored(name: str, readers: Readers, dequantized: Mapping[str, bool]) -> bool:
    """Tell whether all that read a value take it as it is stored, maybe turned or by another name.

    `dequantized` says of each dequantised value whether it is computed.
    """
    names = [name]
    while names:
        uses = readers[names.pop()]
        if not uses:
            return False
        for node, place in uses:
            if node is None:
                return False
            op = op_of(node)
            if op in _BETWEEN:
                names.append(node.output[0])
            elif not (place == 1 and op in _READERS) and not (
                op in _BESIDE and any(dequantized.get(each) for each in node.input)
            ):
                return False
    return True


def is_stored(node: NodeProto, weights: set[str], known: Mapping[str, Array]) -> bool:
    """Tell whether a node dequantises numbers that the graph ops can take as they are stored."""
    if not weights.intersection(node.output) or op_of(node) != _DEQUANTIZES:
        return False
    attributes = {attribute.name: attribute.i for attribute in node.attribute}
    axis = attributes.get("axis", 1)
    stored, scale, *zeros = (known[name] for name in node.input if name)
    zero = zeros[0] if zeros else None
    if scale.dtype != np.float32:
        return False
    if stored.ndim > len(("rows", "columns")):
        return is_filter(stored, scale, axis)
    axis += stored.ndim if axis < 0 else 0
    return is_encoding(stored, scale) or codes_of(stored, scale, zero, axis) is not None


def is_filter(stored: Array, scale: Array, axis: int) -> bool:
    """Tell whether these are numbers of a filter, with a scale for each channel at most."""
    return is_encoding(in_bytes(stored), scale) and (scale.size == 1 or axis in (0, 1))


_SCALARS = (("", "CumSum"), ("", "CumProd"), ("", "OneHot"))
"""Ops that take a list of one behind their data, where onnx's evaluator wants a scalar."""

_ERRORS = (*TOOL_ERRORS, ArithmeticError, AssertionError)
"""Exceptions that onnx's evaluator raises on operands that it does not take."""


class GatherElements(OpRun):
    """GatherElements of any axis, and of fewer indices than the data has elements."""

    op_domain = ""

    def _run(self, data: Array, indices: Array, axis: int) -> tuple[Array]:
        places: list[Array] = [*np.indices(indices.shape, sparse=True)]
        places[axis] = indices
        return (data[tuple(places)],)


class Pad(OpRun):
    """Pad, where negative pads crop."""

    op_domain = ""

    def _run(
        self,
        data: Array,
        pads: Array,
        value: Array | None = None,
        axes: Array | None = None,
        mode: Literal["constant", "edge", "reflect", "wrap"] = "constant",
    ) -> tuple[Array]:
        pairs = np.zeros((data.ndim, 2), np.int64)
        pairs[slice(None) if axes is None else axes] = pads.reshape(2, -1).T
        cut = -np.minimum(pairs, 0)
        sizes = zip(cut, data.shape, strict=True)
        data = data[tuple(slice(low, size - high) for (low, high), size in sizes)]
        grown = np.maximum(pairs, 0)
        if mode != "constant":
            return (np.pad(data, grown, mode=mode),)
        filling = 0 if value is None else value.item()
        return (np.pad(data, grown, constant_values=np.asarray(filling, data.dtype)),)


_OURS = [GatherElements, Pad]
"""Ops that onnx's evaluator has for fewer operands than ONNX."""


def _evaluated(
    model: ModelProto, node: NodeProto, constants: Mapping[str, Array]
) -> Sequence[Array]:
    """Return the outputs of a node of the model whose inputs are all constants.

    Raises HtpError where the constants do not fit the op.
    """
    inputs = {name: constants[name] for name in node.input if name}
    if op_of(node) in _SCALARS:
        single = {n: a for n, a in inputs.items() if n in node.input[1:] and a.size == 1}
        inputs |= {name: array.reshape(()) for name, array in single.items()}
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in inputs.items()
    ]
    outputs = [ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "node", values, outputs)
    alone = helper.make_model(graph, opset_imports=model.opset_import)
    try:
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(alone, new_ops=_OURS).run(None, inputs)
    except _ERRORS as error:
        reason = str(error) or "they do not fit together"
        problem = f"its constant inputs cannot be evaluated: {reason}"
        raise fail(where(node), problem, "fix the model's constants") from error
    return [np.asarray(result) for result in results]


Types = dict[str, TypeProto]
Constants = dict[str, Array]
Complete = Callable[[ModelProto, Constants, Types], bool]
"""Writes types into a model that ONNX does not infer; says whether there were any."""
Expand = Callable[[ModelProto, Constants, Types], ModelProto | None]
"""Puts bodies in place of nodes; None where there is no such node."""

_CHOOSING = (("", "NonZero"), ("", "Unique"))
"""Ops whose outputs are places or elements of their input."""
_ONLY_FOLDED = (*_CHOOSING, ("", "Range"), ("", "MelWeightMatrix"))
"""Ops that no graph op computes."""


def fold(
    model: ModelProto,
    weights: Weights,
    *,
    foldable: Container[OpKey],
    strict: bool,
    complete: Complete,
    expand: Expand,
) -> tuple[GraphProto, Constants, Types]:
    """Fold constant nodes: the graph without them, its constants, the types of its values.

    `weights` are the data of initializers that have none; it takes up the constants.
    Ops in `foldable` are evaluated where their inputs are constant. `strict` makes a type or shape
    that contradicts its op an error. `complete` adds what ONNX cannot infer, `expand` what nodes
    represent, as soon as nothing else is left to fold.
    """
    constants = weights
    constants |= _initializers(model.graph, weights)
    left = MAX_FOLDED + sum(array.nbytes for array in constants.values())
    while True:
        model = inferred(model, strict)
        types = types_of(model.graph)
        if complete(model, constants, types):
            continue
        folding = _Round(model, constants, types, foldable, left)
        folded, left = folding.run(), folding.left
        if not folded:
            expanded = expand(model, constants, types)
            if expanded is None:
                return model.graph, constants, types
            model = expanded
            continue
        constants |= folded
        _replace(model.graph, folded)


def _replace(graph: GraphProto, folded: Constants) -> None:
    """Put constants in place of the nodes that compute them."""
    kept = [node for node in graph.node if not folded.keys() & set(node.output)]
    del graph.node[:]
    graph.node.extend(kept)
    # Inference would believe what was stated of a value before its size was known.
    open_values = [value for value in graph.value_info if value.name not in folded]
    del graph.value_info[:]
    graph.value_info.extend(open_values)
    graph.initializer.extend(stated(array, name) for name, array in folded.items())


def types_of(graph: GraphProto) -> Types:
    """Return the types that a graph states for its values."""
    return {v.name: v.type for v in (*graph.input, *graph.value_info, *graph.output)}


def _initializers(graph: GraphProto, weights: Weights) -> Constants:
    """Return the data of initializers, except of those that stand aside."""
    constants: Constants = {}
    faults: list[Fault] = []
    for tensor in graph.initializer:
        if tensor.name in weights:
            continue
        try:
            constants[tensor.name] = array_of(tensor, f"initializer '{tensor.name}'")
        except HtpError as error:
            faults += error.faults
    if faults:
        raise HtpError(*faults)
    return constants


def inferred(model: ModelProto, strict: bool) -> ModelProto:
    """Return the model with inferred types; numbers are followed only where they open shapes.

    ONNX's data propagation keeps every number of a tensor of rank 1, in about 400 bytes each, and
    all of a Range: beside such it is left out, and where it fails.
    """
    try:
        plain = infer_shapes(model, check_type=True, strict_mode=strict)
    except TOOL_ERRORS as error:
        raise contradiction(model, one_line(error)) from error
    types = types_of(plain.graph)
    names = {name for node in plain.graph.node for name in node.output if name}
    shapes = [shape_of_onnx(types.get(name, TypeProto())) for name in types.keys() | names]
    vectors = sum(shape[0] for shape in shapes if shape is not None and len(shape) == 1)
    ranges = any(op_of(node) == ("", "Range") for node in nodes_inside(model.graph.node))
    if None not in shapes or vectors > MAX_SHAPE or ranges:
        return plain
    try:
        return infer_shapes(model, check_type=True, strict_mode=strict, data_prop=True)
    except TOOL_ERRORS:
        return plain


class _Round:
    """One walk over the nodes that finds what has become constant, up to `left` bytes.

    An op that no graph op computes may take as many bytes once more, as what is left of it fails.
    """

    def __init__(
        self,
        model: ModelProto,
        constants: Constants,
        types: Types,
        foldable: Container[OpKey],
        left: int,
    ) -> None:
        self.model = model
        self.types = types
        self.foldable = foldable
        self.known = dict(constants)
        self.stored = stored_weights(model.graph)
        self.left = left

    def run(self) -> Constants:
        """Return the constants that this walk finds."""
        folded: Constants = {}
        for node in self.model.graph.node:
            outputs = self._fold(node)
            folded |= outputs
            self.known |= outputs
        return folded

    def _fold(self, node: NodeProto) -> Constants:
        """Return the node's outputs, or nothing where they are not constant."""
        op = op_of(node)
        if op == ("", "Constant"):
            return {node.output[0]: _constant(node)}
        if op == ("", "CastLike"):
            # The second input gives its element type and need not be constant.
            element = self.types.get(node.output[0], TypeProto()).tensor_type.elem_type
            cast = helper.make_node("Cast", node.input[:1], node.output, node.name, to=element)
            cast.attribute.extend(node.attribute)
            return self._evaluated(cast) if element and self._is_foldable(cast) else {}
        if op in (("", "Shape"), ("", "Size")):
            shape = self._shape_of(node.input[0])
            return {} if shape is None else {node.output[0]: _shape(node, shape)}
        return self._evaluated(node) if self._is_foldable(node) else {}

    def _shape_of(self, name: str) -> tuple[int, ...] | None:
        if name in self.known:
            return tuple(self.known[name].shape)
        return shape_of_onnx(self.types.get(name, TypeProto()))

    def _is_foldable(self, node: NodeProto) -> bool:
        if op_of(node) not in self.foldable or not any(node.input):
            return False
        if not all(name in self.known for name in node.input if name):
            return False
        if is_stored(node, self.stored, self.known):
            return False
        types = [self.types.get(name, TypeProto()) for name in node.output]
        most = self.left + (MAX_FOLDED if op_of(node) in _ONLY_FOLDED else 0)
        return sum(self._bytes(type_, node) for type_ in types) <= most

    def _bytes(self, type_: TypeProto, node: NodeProto) -> float:
        """Return the bytes, at most, of an output of a node; those of what has no size are 8."""
        shape, element = shape_of_onnx(type_), type_.tensor_type.elem_type
        size = DTYPES[element].storage.itemsize if element in DTYPES else 8
        return size * (self._most(node) if shape is None else math.prod(shape))

    def _most(self, node: NodeProto) -> float:
        """Return the elements, at most, of an output whose shape depends on data."""
        if op_of(node) not in _CHOOSING:
            return math.inf
        return sum(a.size * max(a.ndim, 1) for a in map(self.known.__getitem__, node.input))

    def _evaluated(self, node: NodeProto) -> Constants:
        """Return the outputs of a node whose inputs are all known."""
        results = _evaluated(self.model, node, self.known)
        self.left -= sum(result.nbytes for result in results)
        return dict(zip(node.output, results, strict=True))


def _constant(node: NodeProto) -> Array:
    if not node.attribute:
        raise fail(where(node), "holds no value", "export the model again")
    attribute = node.attribute[0]
    value = helper.get_attribute_value(attribute)
    match attribute.type:
        case AttributeProto.TENSOR:
            return array_of(value, where(node))
        case AttributeProto.FLOAT | AttributeProto.FLOATS:
            return np.asarray(value, np.float32)
        case AttributeProto.INT | AttributeProto.INTS:
            return np.asarray(value, np.int64)
        case _:
            remedy = "use value, value_int(s) or value_float(s)"
            raise fail(where(node), f"attribute '{attribute.name}' is not supported", remedy)


def _shape(node: NodeProto, shape: tuple[int, ...]) -> Array:
    if node.op_type == "Size":
        return np.asarray(math.prod(shape), np.int64)
    bounds = {attribute.name: attribute.i for attribute in node.attribute}
    return np.asarray(shape[bounds.get("start", 0) : bounds.get("end", len(shape))], np.int64)
