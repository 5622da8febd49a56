"""Attributes of ONNX nodes as Python values.

Nodes are walked with the graphs inside their attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from onnx import AttributeProto, GraphProto, NodeProto, helper, numpy_helper

from ....dialects.dense import Array
from ....dialects.qti_aisw.base import CustomParam
from .context import NodeFault


def nodes_inside(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Yield the nodes, and those of all graphs inside them, however deep."""
    left = [*nodes]
    while left:
        node = left.pop()
        yield node
        for attribute in node.attribute:
            for graph in graphs_of(attribute):
                left += graph.node


def graphs_of(attribute: AttributeProto) -> list[GraphProto]:
    """Return the graphs that an attribute holds, whatever kind it says to be."""
    return [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]


def attribute_value(attribute: AttributeProto) -> object:
    """Return an attribute's value, text as str."""
    value: object = helper.get_attribute_value(attribute)
    if attribute.type == AttributeProto.STRINGS:
        return [text.decode(errors="replace") for text in attribute.strings]
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def params_of(node: NodeProto) -> dict[str, CustomParam]:
    """Return attributes as params of a package's op; NodeFault for one that cannot be one."""
    return {attribute.name: _param(attribute) for attribute in node.attribute}


def _param(attribute: AttributeProto) -> CustomParam:
    """Return an attribute's value; NodeFault where it is a matrix, a graph or a list of texts."""
    kind = str(AttributeProto.AttributeType.Name(attribute.type))
    if kind not in _PARAM_KINDS or attribute.ref_attr_name:
        allowed = ", ".join(_PARAM_KINDS)
        raise NodeFault(f"attribute '{attribute.name}' is {kind}", f"it may be {allowed}")
    return _PARAM_KINDS[kind](attribute)


def array_of(attribute: AttributeProto) -> Array:
    """Return the data of a tensor attribute; NodeFault where they are not sound."""
    try:
        return numpy_helper.to_array(attribute.t)
    except (ValueError, TypeError, KeyError) as error:
        problem = f"attribute '{attribute.name}' holds data that do not fit its type: {error}"
        raise NodeFault(problem, "export the model again") from error


def _numbers(attribute: AttributeProto) -> CustomParam:
    """Return a tensor of one number or of a row of numbers."""
    array = array_of(attribute)
    if array.ndim > 1 or array.dtype.kind not in "biuf":
        problem = f"attribute '{attribute.name}' is a tensor {list(array.shape)} of {array.dtype}"
        raise NodeFault(problem, "it may be a number or one row of numbers")
    values: list[float] = array.reshape(-1).tolist()
    return tuple(values) if array.ndim else values[0]


_PARAM_KINDS: dict[str, Callable[[AttributeProto], CustomParam]] = {
    "INT": lambda attribute: int(attribute.i),
    "FLOAT": lambda attribute: float(attribute.f),
    "STRING": lambda attribute: str(attribute.s.decode(errors="replace")),
    "INTS": lambda attribute: tuple(int(number) for number in attribute.ints),
    "FLOATS": lambda attribute: tuple(float(number) for number in attribute.floats),
    "TENSOR": _numbers,
}
"""The readers of attributes, by the kinds that a package's op may have."""


def key_of(node: NodeProto) -> str:
    """Return the name of a node's function: its first output's, which no other node has."""
    return next((name for name in node.output if name), "")
