"""Types of what packages' ops make, which ONNX's own inference cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import GraphProto, NodeProto, TensorProto, TypeProto, helper

from ....dialects.dtypes import DType
from ....dialects.spec import TensorSpec
from ...conversion.builder import ConversionFault
from .context import NodeFault, params_of
from .custom import at_rank, given_inputs, results_of
from .folding import Constants, Types
from .supported import Supported
from .types import DTYPES, QUANTIZED, UnknownType, spec_of_array, spec_of_onnx

_ELEMENTS: dict[DType, int] = {
    **{dtype: element for element, dtype in DTYPES.items()},
    **{QUANTIZED[dtype]: element for element, dtype in DTYPES.items() if dtype in QUANTIZED},
}


def complete(graph: GraphProto, constants: Constants, types: Types, supported: Supported) -> bool:
    """Write into the graph what packages' ops infer from the types so far; whether there is any.

    A node with a fault is passed over: its import says what is wrong.
    """
    known = dict(types)
    for node in graph.node:
        if supported.is_package(node.domain) and not all(name in known for name in node.output):
            found = dict(_inferred(node, constants, known, supported))
            known |= {name: type_ for name, type_ in found.items() if name not in known}
    added = known.keys() - types.keys()
    outputs = {value.name: value for value in graph.output}
    for name in sorted(added):
        if name not in outputs:
            graph.value_info.add(name=name, type=known[name])
    return bool(added)


def _inferred(
    node: NodeProto, constants: Constants, types: Types, supported: Supported
) -> Iterator[tuple[str, TypeProto]]:
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
            yield name, _type(at_rank(spec, specs[0].rank if specs else spec.rank))


def _spec(name: str, constants: Constants, types: Types) -> TensorSpec | None:
    if name in constants:
        return spec_of_array(constants[name])
    return spec_of_onnx(types[name]) if name in types else None


def _type(spec: TensorSpec) -> TypeProto:
    element = _ELEMENTS.get(spec.dtype, TensorProto.UNDEFINED)
    return helper.make_tensor_type_proto(element, spec.shape)
