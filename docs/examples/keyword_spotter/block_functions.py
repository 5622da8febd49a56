"""Bodies of the block ops, as model-local functions that ONNX Runtime runs.

ONNX Runtime has no state between runs, so the bodies are only stand-ins: a Buffer passes its input
on, and the recurrent ops are ONNX's own and ignore the reset (QNN block op definitions).
"""

from onnx import AttributeProto, FunctionProto, NodeProto
from onnx.helper import make_function, make_node, make_opsetid

_Kinds = dict[str, AttributeProto.AttributeType]
_RNN: _Kinds = {
    "hidden_size": AttributeProto.INT,
    "clip": AttributeProto.FLOAT,
    "direction": AttributeProto.STRING,
}
_GRU: _Kinds = {**_RNN, "linear_before_reset": AttributeProto.INT}
_LSTM: _Kinds = {**_RNN, "input_forget": AttributeProto.INT}
_BUFFER = ["buffer_size", "buffer_dim", "buffer_padding", "stride", "mode"]
_GRU_INPUTS = ["X", "W", "R", "B", "sequence_lens", "initial_h"]
_LSTM_INPUTS = [*_GRU_INPUTS, "initial_c", "P"]


def _function(
    name: str, inputs: list[str], outputs: list[str], body: list[NodeProto], attributes: list[str]
) -> FunctionProto:
    opsets = [make_opsetid("", 17)]
    return make_function("qti_aisw", name, inputs, outputs, body, opsets, attributes)


def _forwarding(op: str, inputs: list[str], outputs: list[str], kinds: _Kinds) -> NodeProto:
    """A node of the default domain whose attributes are those of the function around it."""
    node = make_node(op, inputs, outputs)
    for name, kind in kinds.items():
        node.attribute.append(AttributeProto(name=name, ref_attr_name=name, type=kind))
    return node


FUNCTIONS = (
    _function(
        "Buffer", ["inp", "reset"], ["out"], [make_node("Identity", ["inp"], ["out"])], _BUFFER
    ),
    _function(
        "MaskedSoftmax",
        ["data", "mask"],
        ["out"],
        [
            make_node("CastLike", ["mask", "data"], ["addend"]),
            make_node("Add", ["data", "addend"], ["masked"]),
            make_node("Softmax", ["masked"], ["out"], axis=-1),
        ],
        ["mode"],
    ),
    _function(
        "StatefulGru",
        [*_GRU_INPUTS, "reset"],
        ["Y", "Y_h"],
        [_forwarding("GRU", _GRU_INPUTS, ["Y", "Y_h"], _GRU)],
        list(_GRU),
    ),
    _function(
        "StatefulLstm",
        [*_LSTM_INPUTS, "reset"],
        ["Y", "Y_h", "Y_c"],
        [_forwarding("LSTM", _LSTM_INPUTS, ["Y", "Y_h", "Y_c"], _LSTM)],
        list(_LSTM),
    ),
)
"""One body per block op of the model."""
