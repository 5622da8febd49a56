"""Older opsets: ONNX's converter, and beforehand what it does not say of the ops of their time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from onnx import ModelProto, NodeProto, defs, helper, version_converter

from .....dialects.diagnostics import fail
from ..nodes import op_of, opsets_of, where
from ..support.registry import OpKey
from ..support.types import shape_of_onnx
from .contradictions import TOOL_ERRORS, one_line
from .folding import Types, inferred, types_of

LEAST_OPSET = 1
OPSET = min(23, defs.onnx_opset_version())
"""The opset that older models are brought to; newer ones stay as they are."""

_Nodes = list[NodeProto]


def converted(model: ModelProto) -> ModelProto:
    """Return the model in the opset that is imported; HtpError where there is no way to it."""
    if opsets_of(model)[""] >= OPSET:
        return model
    try:
        for change in _CHANGES:
            if any(op_of(node) in change.ops for node in model.graph.node):
                model = _changed(model, change)
        return version_converter.convert_version(model, OPSET)
    except TOOL_ERRORS as error:
        problem = f"cannot be brought to opset {OPSET}: {one_line(error)}"
        raise fail("model", problem, f"export it with opset {OPSET}") from error


@dataclass(frozen=True)
class _Change:
    """Ops that changed with an opset, and what a node of earlier ones is, told in the last."""

    ops: tuple[OpKey, ...]
    opset: int
    told: Callable[[NodeProto, Types], _Nodes]


def _changed(model: ModelProto, change: _Change) -> ModelProto:
    """Return the model in the opset before a change, with its nodes told in full."""
    version = opsets_of(model)[""]
    if version >= change.opset:
        return model
    if version < change.opset - 1:
        model = version_converter.convert_version(model, change.opset - 1)
    types = types_of(inferred(model, strict=False).graph)
    types |= {
        t.name: helper.make_tensor_type_proto(t.data_type, t.dims) for t in model.graph.initializer
    }
    nodes = [
        new
        for node in model.graph.node
        for new in (change.told(node, types) if op_of(node) in change.ops else [node])
    ]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def _first_selu(node: NodeProto, types: Types) -> _Nodes:
    """Selu of opset 1: its defaults had fewer digits."""
    stated = {attribute.name for attribute in node.attribute}
    defaults = {"alpha": 1.6732, "gamma": 1.0507}
    node.attribute.extend(
        helper.make_attribute(name, n) for name, n in defaults.items() if name not in stated
    )
    return [node]


def _first_prelu(node: NodeProto, types: Types) -> _Nodes:
    """PRelu of before opset 7: a slope of one dim has a number for each channel."""
    x, slope = (shape_of_onnx(types[name]) if name in types else None for name in node.input)
    if x is None or slope is None or len(slope) != 1 or len(x) < 3:
        return [node]
    wide = f"{node.output[0]}/slope"
    axes = range(1, len(x) - 1)
    node_slope = helper.make_node("Unsqueeze", [node.input[1]], [wide], node.name, axes=axes)
    node.input[1] = wide
    return [node_slope, node]


def _first_broadcast(node: NodeProto, types: Types) -> _Nodes:
    """Arithmetic of before opset 7: `axis` says which dim of the first the second begins at."""
    axis = next((a.i for a in node.attribute if a.name == "axis"), None)
    x, y = (shape_of_onnx(types[name]) if name in types else None for name in node.input)
    if axis is None or x is None or y is None:
        return [node]
    kept = [a for a in node.attribute if a.name not in ("axis", "broadcast")]
    del node.attribute[:]
    node.attribute.extend(kept)
    wide = f"{node.output[0]}/wide"
    axes = range(len(y), len(x) - axis % len(x))
    if not axes:
        return [node]
    node_wide = helper.make_node("Unsqueeze", [node.input[1]], [wide], node.name, axes=axes)
    node.input[1] = wide
    return [node_wide, node]


def _first_scan(node: NodeProto, types: Types) -> _Nodes:
    """Scan of opset 8: it runs over batches, whose dim the converter drops without a word."""
    problem = "is of opset 8, in which it runs over batches"
    raise fail(where(node), problem, f"export it with opset {OPSET}")


def _first_resize(node: NodeProto, types: Types) -> _Nodes:
    """Resize of opset 10: it reads from the left edge. Source: ONNX Runtime, Resize-10."""
    attributes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "simple"}
    node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
    return [node]


_BROADCASTING = tuple(("", op) for op in ("Add", "Sub", "Mul", "Div", "Pow"))
"""The ops that stated their broadcasting, and for which the converter has a way on."""

_CHANGES = (
    _Change((("", "Selu"),), 6, _first_selu),
    _Change((("", "PRelu"),), 7, _first_prelu),
    _Change(_BROADCASTING, 7, _first_broadcast),
    _Change((("", "Scan"),), 9, _first_scan),
    _Change((("", "Resize"), ("", "Upsample")), 11, _first_resize),
)
"""The changes that the converter leaves out, in the order of opsets."""
