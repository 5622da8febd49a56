"""Older opsets: ONNX's converter, and beforehand what it does not say of the ops of their time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from onnx import ModelProto, NodeProto, TensorProto, TypeProto, defs, helper, version_converter

from .....dialects.diagnostics import fail
from .....dialects.value import Shape
from ....importers.support.registry import OpKey
from ....importers.support.types import shape_of_onnx
from .contradictions import TOOL_ERRORS, one_line
from .folding import Types, inferred, types_of
from .nodes import op_of, opsets_of, uses, where

LEAST_OPSET = 1
OPSET = min(23, defs.onnx_opset_version())
"""The opset that older models are brought to; newer ones stay unchanged."""

_Nodes = list[NodeProto]
_Rewrite = Callable[[NodeProto, Types], _Nodes]


def converted(model: ModelProto) -> ModelProto:
    """Return the model in the opset that is imported; HtpError where there is no way to it."""
    if opsets_of(model)[""] >= OPSET:
        return model
    try:
        for change in _CHANGES:
            if uses(model.graph, change.rewrites):
                model = _changed(model, change)
        return version_converter.convert_version(model, OPSET)
    except TOOL_ERRORS as error:
        problem = f"cannot be brought to opset {OPSET}: {one_line(error)}"
        raise fail("model", problem, f"export it with opset {OPSET}") from error


@dataclass(frozen=True)
class _Change:
    """An opset that changed ops, and by op the function that writes an older node in the new form.

    Where the converter has `no_way` for an op, its nodes are written in the form of `opset` itself.
    """

    opset: int
    rewrites: Mapping[OpKey, _Rewrite]
    no_way: bool = False


def _changed(model: ModelProto, change: _Change) -> ModelProto:
    """Return the model in the opset before a change, with its nodes written in full."""
    version = opsets_of(model)[""]
    if version >= change.opset:
        return model
    if version < change.opset - 1:
        model = version_converter.convert_version(model, change.opset - 1)
    model = inferred(model, strict=False)
    types = types_of(model.graph)
    types |= {
        t.name: helper.make_tensor_type_proto(t.data_type, t.dims) for t in model.graph.initializer
    }
    nodes = [
        new
        for node in model.graph.node
        for new in change.rewrites.get(op_of(node), _same)(node, types)
    ]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return _carried(model, change) if change.no_way else model


def _same(node: NodeProto, types: Types) -> _Nodes:
    """Keep a node unchanged: its op did not change, or the next opset has its form too."""
    return [node]


def _carried(model: ModelProto, change: _Change) -> ModelProto:
    """Return the model in the opset of a change, past a converter that has no way for its ops.

    It leaves nodes of domains that it does not know unchanged, and reads their types.
    """
    for node in model.graph.node:
        if op_of(node) in change.rewrites:
            node.domain = _CARRIED
    model.opset_import.append(helper.make_opsetid(_CARRIED, 1))
    model = version_converter.convert_version(model, change.opset)
    for node in model.graph.node:
        if node.domain == _CARRIED:
            node.domain = ""
    kept = [opset for opset in model.opset_import if opset.domain != _CARRIED]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return model


_CARRIED = "carried"
"""The domain of nodes on their way past the converter."""


def _drop(node: NodeProto, *names: str) -> None:
    """Take attributes off a node."""
    kept = [attribute for attribute in node.attribute if attribute.name not in names]
    del node.attribute[:]
    node.attribute.extend(kept)


def _shapes(node: NodeProto, types: Types) -> Iterator[Shape | None]:
    """Yield the shapes of a node's inputs, None for one that is not known."""
    for name in node.input:
        yield shape_of_onnx(types.get(name, TypeProto()))


def _widened(node: NodeProto, axes: range) -> _Nodes:
    """Give the second input of a node more dims of extent 1; axes count in the widened one."""
    if not axes:
        return [node]
    wide = f"{node.output[0]}/wide"
    unsqueeze = helper.make_node("Unsqueeze", [node.input[1]], [wide], node.name, axes=axes)
    node.input[1] = wide
    return [unsqueeze, node]


def _first_cast(node: NodeProto, types: Types) -> _Nodes:
    """Cast of before opset 6: it names the element type."""
    for attribute in node.attribute:
        if attribute.name == "to":
            code = TensorProto.DataType.Value(attribute.s.decode())
            attribute.CopyFrom(helper.make_attribute("to", code))
    return [node]


def _first_lp_pool(node: NodeProto, types: Types) -> _Nodes:
    """LpPool of opset 1: its power is a float."""
    for attribute in node.attribute:
        if attribute.name == "p":
            attribute.CopyFrom(helper.make_attribute("p", int(attribute.f)))
    return [node]


def _first_pad(node: NodeProto, types: Types) -> _Nodes:
    """Pad of opset 1: its pads are called paddings."""
    for attribute in node.attribute:
        attribute.name = {"paddings": "pads"}.get(attribute.name, attribute.name)
    return [node]


def _first_recurrence(node: NodeProto, types: Types) -> _Nodes:
    """GRU, LSTM and RNN of before opset 7: output_sequence said that Y is wanted."""
    _drop(node, "output_sequence")
    return [node]


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
    x, slope = _shapes(node, types)
    if x is None or slope is None or len(slope) != 1:
        return [node]
    return _widened(node, range(1, len(x) - 1))


def _first_broadcast(node: NodeProto, types: Types) -> _Nodes:
    """Arithmetic of before opset 7: `axis` says which dim of the first the second begins at."""
    axis = next((a.i for a in node.attribute if a.name == "axis"), None)
    x, y = _shapes(node, types)
    _drop(node, "axis", "broadcast")
    if axis is None:
        return [node]
    if x is None or y is None:
        problem = "has the attribute 'axis', and the rank of an input is not known"
        raise fail(where(node), problem, f"export it with opset {OPSET}")
    return _widened(node, range(len(y), len(x) - axis % len(x)))


_MOST_RUNS = 1024


def _first_scan(node: NodeProto, types: Types) -> _Nodes:
    """Scan of opset 8: it runs once for each index of a batch, the first dim of all its tensors."""
    shapes, names = [*_shapes(node, types)], node.input[1:]
    batch = shapes[1][0] if len(shapes) > 1 and shapes[1] else 0
    if not 0 < batch <= _MOST_RUNS or node.input[0] or not node.output:
        problem = f"is of opset 8, and its batch is not of 1 to {_MOST_RUNS} rows of one length"
        raise fail(where(node), problem, f"export it with opset {OPSET}")
    for attribute in node.attribute:
        attribute.name = {"directions": "scan_input_directions"}.get(attribute.name, attribute.name)
    prefix = f"{node.output[0]}/batch"
    parts = {name: [f"{prefix}/{name}/{at}" for at in range(batch)] for name in names}
    nodes = [helper.make_node("Split", [name], parts[name], axis=0) for name in parts]
    for at in range(batch):
        run = NodeProto()
        run.CopyFrom(node)
        run.input[:] = [f"{parts[name][at]}/inner" for name in names]
        run.output[:] = [f"{prefix}/{name}/{at}/inner" for name in node.output]
        nodes += [
            *(
                helper.make_node("Squeeze", [p[at]], [f"{p[at]}/inner"], axes=[0])
                for p in parts.values()
            ),
            run,
            *(
                helper.make_node("Unsqueeze", [o], [o.removesuffix("/inner")], axes=[0])
                for o in run.output
            ),
        ]
    for name in node.output:
        rows = [f"{prefix}/{name}/{at}" for at in range(batch)]
        nodes.append(helper.make_node("Concat", rows, [name], axis=0))
    return nodes


def _first_resize(node: NodeProto, types: Types) -> _Nodes:
    """Resize of opset 10: it reads from the left edge. Source: ONNX Runtime, Resize-10."""
    attributes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "simple"}
    node.attribute.extend(helper.make_attribute(*item) for item in attributes.items())
    return [node]


def _each(rewrite: _Rewrite, *ops: str) -> dict[OpKey, _Rewrite]:
    return {("", op): rewrite for op in ops}


_BROADCASTING = ("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less")
"""The ops that stated their broadcasting."""

_CHANGES = (
    _Change(
        2,
        {
            **_each(_first_lp_pool, "LpPool", "GlobalLpPool"),
            **_each(_first_pad, "Pad"),
            # Of one input; a second one had the sizes.
            **_each(_same, "Split"),
        },
        no_way=True,
    ),
    _Change(3, _each(_same, "GRU"), no_way=True),
    _Change(6, _each(_first_selu, "Selu")),
    _Change(6, _each(_first_cast, "Cast"), no_way=True),
    _Change(7, _each(_first_prelu, "PRelu")),
    _Change(
        7,
        {
            **_each(_first_recurrence, "GRU", "LSTM", "RNN"),
            **_each(_first_broadcast, *_BROADCASTING),
        },
        no_way=True,
    ),
    _Change(9, _each(_first_scan, "Scan"), no_way=True),
    _Change(11, _each(_first_resize, "Resize", "Upsample")),
)
"""The changes that the converter leaves out, in the order of opsets."""
