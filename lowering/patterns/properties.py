"""Tensor properties of the `htp` package, and its param orders, op by op.

An op that is not listed wants everything flat in main memory. A tensor that a row does not name
for a property is the system's choice. Source: QNN HTP op package documentation, implementing ops,
step 3.

Param orders follow from the graph op of the same name: the native op's params in order, with the
defaults of the graph op's. ReluMinMax is not one of them: its bounds have other names in a graph.
Of ScatterNd the axis follows from the rank of the data.
"""

from collections.abc import Iterable

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.irdl import OptPropertyDef

from ...dialects.htp import NATIVE_OPS, rnn
from ...dialects.htp.ops.elementwise import BinaryOp, ChoiceOp, UnaryOp
from ...dialects.qti_aisw import GRAPH_OPS
from ...dialects.qti_aisw.base import param_value
from ..rules import Op, Param, ParamOrder, TensorProperties, param_order
from ..rules.language.properties import (
    Crouton,
    Flat,
    MainMemory,
    Outputs,
    Tcm,
    merge,
    tensor_properties,
)

_POINTWISE = UnaryOp | BinaryOp | ChoiceOp
ELEMENTWISE = {
    name: op.OPERANDS
    for name, op in NATIVE_OPS.items()
    if op.CORE is None and issubclass(op, _POINTWISE) and not op.PARAMS
}
"""The element-wise ops without params, with their operands."""
CONVOLUTIONS = ("ConvLayer_valid", "DepthwiseConvLayer_valid")
POOLS = ("MaxPool_valid", "AvgPool_valid")
REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")
AVERAGE = ("filter_size", "stride", "pad_amount", "rounding_mode", "count_pad_for_edges")
RESIZING = (
    *("size", "interpolation_mode", "transformation_mode", "nearest_mode"),
    *("exclude_outside", "cubic_coeff"),
)
PLACING = ("rows", "columns", *RESIZING[1:2], *RESIZING[3:])
BLOCK = ("block_size", "mode")
PADDING = ("pad_amount", "pad_constant_value")
CLAMPED = ("min", "max")
NUMBERS = {"sequence_lens", "direction", "clip", "input_forget", "linear_before_reset"}
"""The operands of recurrent layers that are read before the first step."""
SPACED = ("stride", "pad_amount", "dilation")


def _layer(name: str, *scalars: str) -> TensorProperties:
    """A convolution: activations and result in croutons, weights flat, all three in TCM."""
    return tensor_properties(
        Op(name, "act", "weights", "stride", "bias", *scalars),
        Crouton("*", "act"),
        Flat("..."),
        Tcm("*", "act", "weights"),
        MainMemory("..."),
    )


def _flat(
    name: str, *data: str, free: Iterable[str] = (), params: Iterable[str] = ()
) -> TensorProperties:
    """All flat; the result and `data` in TCM, `free` where the system likes, params in memory."""
    return tensor_properties(
        Op(name, *data, *free, *params),
        Flat("..."),
        Tcm("*", *data),
        *([MainMemory(*params)] if params else []),
    )


def _anywhere(
    name: str, *data: str, params: Iterable[str] = (), outputs: Iterable[str] = ()
) -> TensorProperties:
    """All flat, params in main memory, data and results in either memory."""
    return tensor_properties(
        Op(name, *data, *params),
        *([Outputs("*", *outputs)] if outputs else []),
        Flat("..."),
        *([MainMemory(*params)] if params else []),
    )


def _recurrent(op: type[rnn.RecurrentOp]) -> TensorProperties:
    """The recurrent weights that all steps read in TCM, numbers in memory, the rest in either."""
    return tensor_properties(
        Op(op.name.removeprefix("htp."), *op.OPERANDS),
        Outputs("*", *("Y_h", "Y_c")[: op.RESULTS - 1]),
        Flat("..."),
        Tcm(op.RECURRENT[0]),
        MainMemory(*NUMBERS.intersection(op.OPERANDS)),
    )


_ROWS: tuple[TensorProperties, ...] = (
    *(_layer(name) for name in CONVOLUTIONS),
    *(_layer(f"{name}.clamp", *CLAMPED) for name in CONVOLUTIONS),
    _layer("TransposeConvLayer_valid"),
    *(
        tensor_properties(
            Op(name, "act", "weights", "bias", *params),
            *(Crouton("*", "act"), Flat("..."), Tcm("*", "act", "weights"), MainMemory("...")),
        )
        for name, params in (("Conv2d", (*SPACED, "group")), ("DepthWiseConv2d", SPACED))
    ),
    *(
        tensor_properties(Op(name, "act", "window", "stride"), Crouton("*", "act"), Tcm("*", "act"))
        for name in POOLS
    ),
    tensor_properties(Op("ResizeNearestNeighbor_shape", "in", "factor"), Tcm("*", "in")),
    tensor_properties(
        Op("Resize_places", "in", *PLACING), Flat(*PLACING), Tcm("*", "in"), MainMemory(*PLACING)
    ),
    *(
        tensor_properties(
            Op(name, "in", "block", "mode"), Flat("mode"), Tcm("*", "in"), MainMemory("mode")
        )
        for name in ("DepthToSpace_shape", "SpaceToDepth_shape")
    ),
    *(tensor_properties(Op(name, *data), Tcm("*", *data)) for name, data in ELEMENTWISE.items()),
    tensor_properties(Op("BiasAdd", "in", "bias"), Flat("bias"), Tcm("*", "in")),
    tensor_properties(
        Op("Batchnorm", "in", "weights", "bias"), Flat("weights", "bias"), Tcm("*", "in")
    ),
    tensor_properties(
        Op("Clamp", "in", *CLAMPED), Flat(*CLAMPED), Tcm("*", "in"), MainMemory(*CLAMPED)
    ),
    *(
        tensor_properties(
            Op(name, "in", "alpha"), Flat("alpha"), Tcm("*", "in"), MainMemory("alpha")
        )
        for name in ("Elu", "LeakyRelu", "Swish")
    ),
    tensor_properties(Op("Prelu", "in", "slope"), Tcm("*", "in", "slope")),
    *(
        _flat(f"FullyConnected{end}", "in", free=("weights", "bias"), params=params)
        for end, params in (("", ()), (".clamp", CLAMPED), (".gelu", ()))
    ),
    _flat(
        *("CodedFullyConnected", "in"),
        free=("codes",),
        params=("table", "scales", "zeros", "bias"),
    ),
    _flat("MatMul", "in0", "in1", params=("transpose_in0", "transpose_in1")),
    _flat(
        *("Attention", "q"),
        free=("k", "v", "mask"),
        params=("scale", "softcap", "first", "last"),
    ),
    *(_flat(name, "in", params=("axis", "beta")) for name in ("Softmax", "LogSoftmax")),
    *(
        _flat(name, "in", free=("gamma", "beta"), params=("axes", "epsilon"))
        for name in ("LayerNorm", "RmsNorm")
    ),
    *map(_recurrent, rnn.OPS),
    *(_anywhere(name, "in", params=("axes",)) for name in REDUCTIONS),
    *(_anywhere(name, "in", params=("axis",)) for name in ("Argmax", "Argmin")),
    _anywhere("Transpose", "in", params=("perm",)),
    _anywhere("StridedSlice", "in", params=("ranges",)),
    _anywhere("Tile", "in", params=("multiples",)),
    _anywhere("Gather", "in", "indices", params=("axis",)),
    _flat("PoolAvg2d", "in", params=AVERAGE),
    _anywhere("PoolMax2d", "in", params=AVERAGE[:-1]),
    _anywhere(
        *("TransposeConv2d", "in", "filter", "bias"),
        params=("stride", "pad_amount", "output_padding", "group"),
    ),
    _anywhere("TopK", "in", params=("k", "largest"), outputs=("indices",)),
    _anywhere("ScatterNd", "in", "indices", "updates", params=("axis", "reduction")),
    _anywhere(
        *("NonMaxSuppression", "boxes", "scores"),
        params=("iou_threshold", "score_threshold", "max_boxes_selected"),
        outputs=("count",),
    ),
    _anywhere("DecodeWeights", "codes", "table", "scales", "zeros"),
    _anywhere(
        *("BufferStep", "content", "counters", "inp"),
        params=("dim", "stride", "mode"),
        outputs=("next_content", "next_counters"),
    ),
    tensor_properties(Op("SequenceIds", "lengths", "size"), Flat("*", "lengths")),
    _anywhere("BitCast", "in"),
    *(tensor_properties(Op(name, "in")) for name in ("Cast", "Quantize", "Dequantize")),
    *(
        tensor_properties(Op(name, "in", *params), Flat(*params), MainMemory(*params))
        for name, params in (
            ("Pad", PADDING),
            ("Resize", RESIZING),
            ("DepthToSpace", BLOCK),
            ("SpaceToDepth", BLOCK),
        )
    ),
    tensor_properties(Op("Slice_shape", "in", "start", "size")),
    tensor_properties(
        Op("SlicePad_shape", "in", "before", "start", "size", "value"),
        Flat("value"),
        MainMemory("value"),
    ),
    tensor_properties(Op("Concat", "axis"), Flat("axis"), MainMemory("axis")),
    tensor_properties(Op("Reshape", "in"), Flat("...")),
)

PROPERTIES = merge(_ROWS)
"""Keyed by op name."""


_ABSENT = {"clip": 0.0}
"""The value that represents an absent optional param: a clip of 0 is not a clip."""
_OTHER_NAMES = {"ReluMinMax": ("min_value", "max_value"), "ScatterNd": ("reduction",)}


def _param(mnemonic: str, name: str) -> Param:
    declared = GRAPH_OPS[mnemonic].get_irdl_definition().properties[name]
    if isinstance(declared, OptPropertyDef):
        return Param(name, default=_ABSENT[name])
    if declared.default_value is None:
        return Param(name, mandatory=True)
    if isinstance(declared.default_value, FloatAttr):
        # A graph rounds to f32: the shortest number that rounds to the same is what was written.
        return Param(name, default=float(str(np.float32(declared.default_value.value.data))))
    return Param(name, default=param_value(declared.default_value))


PARAM_ORDERS: dict[str, ParamOrder] = {
    name: param_order(name, *(_param(name, param) for param in _OTHER_NAMES.get(name, op.PARAMS)))
    for name, op in NATIVE_OPS.items()
    if op.PARAMS and name in GRAPH_OPS
}
"""Keyed by op name; an op that is absent has no params."""
