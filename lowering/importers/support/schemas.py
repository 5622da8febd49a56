"""Schemas with shape inference for the block ops, so that ONNX's own tools know them.

Registration is process-wide in onnx, so it happens once and only adds. Source: QAIRT block ops.
"""

from collections.abc import Callable, Sequence

from onnx import TypeProto, defs
from onnx.defs import OpSchema
from onnx.shape_inference import InferenceContext

from .codes import decoded_dims
from .registry import BLOCK_OPS

VERSION = 1

_Param = OpSchema.FormalParameter
_Attribute = OpSchema.Attribute
_Infer = Callable[[InferenceContext], None]

_FLOATS = ["tensor(float)", "tensor(float16)"]
_DATA = [*_FLOATS, "tensor(uint8)", "tensor(uint16)", "tensor(int8)", "tensor(int16)"]
_INT, _FLOAT = defs.OpSchema.AttrType.INT, defs.OpSchema.AttrType.FLOAT
_STRING, _STRINGS = defs.OpSchema.AttrType.STRING, defs.OpSchema.AttrType.STRINGS

_RNN_ATTRIBUTES = {
    "hidden_size": _INT,
    "clip": _FLOAT,
    "direction": _STRING,
    "activations": _STRINGS,
    "layout": _INT,
}
_RNN_INPUTS = ["X", "W", "R", "B?", "sequence_lens?:I", "initial_h?"]


def register_block_ops() -> None:
    """Make the block ops known to onnx, unless they are already."""
    for schema, infer in _SCHEMAS:
        if not defs.has(schema.name, BLOCK_OPS):
            schema.set_type_and_shape_inference_function(infer)
            defs.register_schema(schema)


def _schema(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    attributes: dict[str, OpSchema.AttrType],
    required: Sequence[str],
    data: list[str],
) -> OpSchema:
    """`B?` is an optional input; `:I`, `:R` and `:U` after a name say int32, bool or uint8."""
    return OpSchema(
        name,
        BLOCK_OPS,
        VERSION,
        inputs=[_param(text) for text in inputs],
        outputs=[_param(text) for text in outputs],
        type_constraints=[
            ("T", data, "data"),
            ("I", ["tensor(int32)"], "lengths and masks"),
            ("R", ["tensor(bool)"], "reset"),
            ("U", ["tensor(uint8)"], "codes"),
        ],
        attributes=[
            _Attribute(key, kind, "", required=key in required) for key, kind in attributes.items()
        ],
    )


def _param(text: str) -> _Param:
    name, _, type_ = text.partition(":")
    options = OpSchema.FormalParameterOption
    kind = options.Optional if name.endswith("?") else options.Single
    return _Param(name.rstrip("?"), type_ or "T", param_option=kind)


def _dims(context: InferenceContext, index: int) -> list[int] | None:
    """Return the dims of an input, None unless all are known."""
    type_ = context.get_input_type(index)
    if type_ is None or not type_.tensor_type.HasField("shape"):
        return None
    dims = type_.tensor_type.shape.dim
    return (
        [dim.dim_value for dim in dims] if all(dim.HasField("dim_value") for dim in dims) else None
    )


def _set(context: InferenceContext, index: int, dims: Sequence[int], like: int = 0) -> None:
    """Give an output that is asked for an input's element type and these dims."""
    if index >= context.get_num_outputs():
        return
    type_ = TypeProto()
    type_.tensor_type.elem_type = context.get_input_type(like).tensor_type.elem_type
    type_.tensor_type.shape.SetInParent()
    for dim in dims:
        type_.tensor_type.shape.dim.add().dim_value = dim
    context.set_output_type(index, type_)


def _infer_buffer(context: InferenceContext) -> None:
    dims = _dims(context, 0)
    axis, size = context.get_attribute("buffer_dim"), context.get_attribute("buffer_size")
    if dims is None or axis is None or size is None or not 0 <= axis.i < len(dims):
        return
    dims[axis.i] = size.i
    _set(context, 0, dims)


def _infer_same(context: InferenceContext) -> None:
    dims = _dims(context, 0)
    if dims is not None:
        _set(context, 0, dims)


def _infer_decoded(context: InferenceContext) -> None:
    codes, table = _dims(context, 0), _dims(context, 1)
    if codes is not None and table is not None and len(codes) == 2 and len(table) == 1:
        _set(context, 0, decoded_dims(codes, *table), like=1)


def _infer_rnn(context: InferenceContext) -> None:
    dims, weights = _dims(context, 0), _dims(context, 2)
    if dims is None or weights is None or len(dims) != 3 or len(weights) != 3:
        return
    (seq, batch, _), (directions, _, hidden) = dims, weights
    _set(context, 0, [seq, directions, batch, hidden])
    for index in (1, 2):
        _set(context, index, [directions, batch, hidden])


_SCHEMAS: list[tuple[OpSchema, _Infer]] = [
    (
        _schema(
            "Buffer",
            ["inp", "reset?:R"],
            ["out"],
            dict.fromkeys(("buffer_size", "buffer_dim", "buffer_padding", "stride", "mode"), _INT),
            ["buffer_size", "buffer_dim"],
            _DATA,
        ),
        _infer_buffer,
    ),
    (
        _schema("MaskedSoftmax", ["data", "mask:I"], ["out"], {"mode": _INT}, [], _FLOATS),
        _infer_same,
    ),
    (
        _schema(
            *("DecodeWeights", ["codes:U", "table", "scales", "zeros:U"], ["out"], {}, [], _FLOATS)
        ),
        _infer_decoded,
    ),
    (
        _schema(
            "StatefulGru",
            [*_RNN_INPUTS, "reset?:R"],
            ["Y?", "Y_h?"],
            {**_RNN_ATTRIBUTES, "linear_before_reset": _INT},
            ["hidden_size"],
            _FLOATS,
        ),
        _infer_rnn,
    ),
    (
        _schema(
            "StatefulLstm",
            [*_RNN_INPUTS, "initial_c?", "P?", "reset?:R"],
            ["Y?", "Y_h?", "Y_c?"],
            {**_RNN_ATTRIBUTES, "input_forget": _INT},
            ["hidden_size"],
            _FLOATS,
        ),
        _infer_rnn,
    ),
]
