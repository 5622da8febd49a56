"""Types of what ONNX's own inference does not know: of packages' ops, and of some of its own."""

from collections.abc import Callable, Iterator, Mapping

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper

from .....dialects.value import DType, Shape, TensorSpec
from ....conversion.builder import ConversionFault
from ....importers.graph.value import UnknownType, spec_of_array
from ....importers.support.context import NodeFault, params_of
from ....importers.support.registry import OpKey
from ....importers.support.types import DTYPES, QUANTIZED, shape_of_onnx, spec_of_onnx
from .folding import Constants, Types, inferred, types_of
from .nodes import op_of
from .supported import Supported, at_rank, given_inputs, results_of

BOUNDED = {("", "NonMaxSuppression")}
"""Ops whose results have as many rows as the data says."""


def state_bounds(graph: GraphProto, constants: Constants, types: Types) -> bool:
    """Write the types of results whose number of rows follows from data; tell whether one is new.

    The graph pads such a result to its bound: ONNX infers [?, 3] for the result of a
    NonMaxSuppression; of 2 classes, 6 boxes and at most 4 boxes per class, the graph's has 8 rows.
    """
    news = False
    for node in graph.node:
        if op_of(node) not in BOUNDED:
            continue
        rows = _rows(node, constants, types)
        (name,) = node.output
        # A number of rows that the model states is that of one input.
        if rows is not None and shape_of_onnx(types.get(name, TypeProto())) != (rows, 3):
            values = [v for v in (*graph.value_info, *graph.output) if v.name == name]
            for value in values or [graph.value_info.add(name=name)]:
                value.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.INT64, (rows, 3)))
            news = True
    return news


def _rows(node: NodeProto, constants: Constants, types: Types) -> int | None:
    """Return batch * classes * the most boxes of a class; None where one is not known."""
    scores = types.get(node.input[1], TypeProto())
    shape = shape_of_onnx(scores)
    if node.input[1] in constants:
        shape = constants[node.input[1]].shape
    most = 0
    if len(node.input) > 2 and node.input[2]:
        if node.input[2] not in constants:
            return None
        most = int(constants[node.input[2]].reshape(-1)[0])
    if shape is None or len(shape) != 3:
        return None
    return shape[0] * shape[1] * max(min(shape[2], most), 0)


_Shaped = Callable[[NodeProto, Shape], Shape]
"""Gives the shape of a node's result from that of its first input."""


def result_of(node: NodeProto, types: Mapping[str, TypeProto]) -> TypeProto | None:
    """Return the type of a node's result; None where its data has no shape yet."""
    data = types.get(node.input[0], TypeProto())
    shape = shape_of_onnx(data)
    if not shape:
        return None
    element = data.tensor_type.elem_type if op_of(node) in _OF_ANY_TYPE else TensorProto.FLOAT
    return helper.make_tensor_type_proto(element, UNINFERRED[op_of(node)](node, shape))


def _same(_: NodeProto, shape: Shape) -> Shape:
    return shape


def _scores(node: NodeProto, shape: Shape) -> Shape:
    """Return one row for each of the data, with a number for each target."""
    targets = next((a.i for a in node.attribute if a.name == "targets"), 1)
    return (shape[0] if len(shape) > 1 else 1, targets)


def _side_by_side(node: NodeProto, shape: Shape) -> Shape:
    widths = (sum(a.ints) for a in node.attribute if a.name == "inputdimensions")
    return (shape[0], next(widths, 0))


_ML = "ai.onnx.ml"
UNINFERRED: Mapping[OpKey, _Shaped] = {
    ("", "GroupNormalization"): _same,
    (_ML, "Scaler"): _same,
    (_ML, "Normalizer"): _same,
    (_ML, "Imputer"): _same,
    (_ML, "LinearRegressor"): _scores,
    (_ML, "FeatureVectorizer"): _side_by_side,
}
"""Ops whose shapes ONNX does not infer."""
_OF_ANY_TYPE = {("", "GroupNormalization"), (_ML, "Imputer")}
"""Ops whose result has the type of their data; that of the others is f32."""


_ELEMENTS: dict[DType, int] = {
    **{dtype: element for element, dtype in DTYPES.items()},
    **{QUANTIZED[dtype]: element for element, dtype in DTYPES.items() if dtype in QUANTIZED},
}


def complete(model: ModelProto, constants: Constants, types: Types, supported: Supported) -> bool:
    """Write into a model what follows from the types so far; tell whether there is any.

    What ONNX infers from that in turn may be news for further ops, so it goes in rounds,
    on a copy. A node with a fault is passed over: its import says what is wrong.
    """
    completed: Types = {}
    copy = ModelProto()
    if _open_nodes(model.graph, types, supported):
        copy.CopyFrom(model)
    while more := _round(copy.graph, constants, types, supported):
        completed |= more
        _state(copy.graph, more)
        copy = inferred(copy, strict=False)
        types = types_of(copy.graph)
    _state(model.graph, completed)
    return bool(completed)


def _open_nodes(graph: GraphProto, types: Types, supported: Supported) -> list[NodeProto]:
    """Return the nodes that ONNX cannot infer, with outputs that have no shape yet."""
    return [
        node
        for node in graph.node
        if (op_of(node) in UNINFERRED or supported.is_package(node.domain))
        and any(name and _is_open(name, types) for name in node.output)
    ]


def _is_open(name: str, types: Types) -> bool:
    """Tell whether a value's shape is not known."""
    return shape_of_onnx(types.get(name, TypeProto())) is None


def _round(graph: GraphProto, constants: Constants, types: Types, supported: Supported) -> Types:
    """Return the types that the open nodes' results have, one after the other."""
    known = dict(types)
    for node in _open_nodes(graph, types, supported):
        results = dict(_results(node, constants, known, supported))
        known |= {name: type_ for name, type_ in results.items() if _is_open(name, known)}
    return {name: type_ for name, type_ in known.items() if type_ is not types.get(name)}


def _state(graph: GraphProto, types: Types) -> None:
    """Write types of values into a graph."""
    values = {value.name: value for value in (*graph.value_info, *graph.output)}
    for name, type_ in types.items():
        if name in values:
            values[name].type.CopyFrom(type_)
        else:
            graph.value_info.add(name=name, type=type_)


def _results(
    node: NodeProto, constants: Constants, types: Types, supported: Supported
) -> Iterator[tuple[str, TypeProto]]:
    if op_of(node) in UNINFERRED and not supported.is_foreign(op_of(node)):
        result = result_of(node, types)
        if result is not None:
            yield node.output[0], result
        return
    names = node.input[: given_inputs(node.input)]
    try:
        specs = [spec for name in names if (spec := _spec(name, constants, types)) is not None]
        if len(specs) != len(names):
            return
        target = f"{node.domain}.{node.op_type}"
        results = results_of(supported.packages, target, specs, params_of(node))
    except (ConversionFault, NodeFault, UnknownType):
        return
    for name, spec in zip(node.output, results, strict=False):
        if name and spec is not None:
            element = _ELEMENTS.get(spec.dtype, TensorProto.UNDEFINED)
            shape = at_rank(spec, specs[0].rank if specs else spec.rank).shape
            yield name, helper.make_tensor_type_proto(element, shape)


def _spec(name: str, constants: Constants, types: Types) -> TensorSpec | None:
    if name in constants:
        return spec_of_array(constants[name])
    return spec_of_onnx(types[name]) if name in types else None
