"""Types of what ONNX's own inference does not know: of packages' ops, and of some of its own."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, helper

from .....dialects.value.dtypes import DType
from .....dialects.value.spec import TensorSpec
from ....conversion.builder import ConversionFault
from ...graph.arrays import UnknownType, spec_of_array
from ..custom import at_rank, given_inputs, results_of
from ..nodes import op_of
from ..support.attributes import params_of
from ..support.faults import NodeFault
from ..support.types import DTYPES, QUANTIZED, shape_of_onnx, spec_of_onnx
from ..supported import Supported
from .folding import Constants, Types, inferred, types_of
from .uninferred import is_uninferred, result_of

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
        if (is_uninferred(node) or supported.is_package(node.domain))
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
    if is_uninferred(node) and not supported.is_foreign(op_of(node)):
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
