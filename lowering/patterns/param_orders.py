"""The param orders of the `htp` package: which params a native op takes, in which order."""

from __future__ import annotations

from ..rules.graph.param_order import Param, merge, param_order

_STRIDE = Param("stride", default=(1, 1))
_PADS = Param("pad_amount", default=(0, 0, 0, 0))
_DILATION = Param("dilation", default=(1, 1))
_GROUP = Param("group", default=1)
_POOL = (
    Param("filter_size", mandatory=True),
    _STRIDE,
    _PADS,
    Param("rounding_mode", default=0),
)
_SOFTMAX = (Param("axis", default=-1), Param("beta", default=1.0))
_NORM = (Param("axes", mandatory=True), Param("epsilon", default=1e-5))
_AXES = (Param("axes", mandatory=True),)
_AXIS = (Param("axis", mandatory=True),)
_DIRECTION = (Param("direction", default="forward"), Param("clip", default=0.0))

PARAM_ORDERS = merge(
    (
        param_order("Conv2d", _STRIDE, _PADS, _DILATION, _GROUP),
        param_order("DepthWiseConv2d", _STRIDE, _PADS, _DILATION),
        param_order(
            "TransposeConv2d", _STRIDE, _PADS, Param("output_padding", default=(0, 0)), _GROUP
        ),
        param_order("PoolMax2d", *_POOL),
        param_order("PoolAvg2d", *_POOL, Param("count_pad_for_edges", default=False)),
        param_order(
            "MatMul", Param("transpose_in0", default=False), Param("transpose_in1", default=False)
        ),
        param_order("Elu", Param("alpha", default=1.0)),
        param_order("LeakyRelu", Param("alpha", default=0.01)),
        param_order(
            "ReluMinMax", Param("min_value", mandatory=True), Param("max_value", mandatory=True)
        ),
        param_order("Softmax", *_SOFTMAX),
        param_order("LogSoftmax", *_SOFTMAX),
        param_order("LayerNorm", *_NORM),
        param_order("RmsNorm", *_NORM),
        *(param_order(f"Reduce{kind}", *_AXES) for kind in ("Sum", "Mean", "Max", "Min", "Prod")),
        param_order("Argmax", *_AXIS),
        param_order("Argmin", *_AXIS),
        param_order("Concat", *_AXIS),
        param_order("StridedSlice", Param("ranges", mandatory=True)),
        param_order("Transpose", Param("perm", mandatory=True)),
        param_order(
            "Pad", Param("pad_amount", mandatory=True), Param("pad_constant_value", default=0.0)
        ),
        param_order("Gather", *_AXIS),
        param_order("Tile", Param("multiples", mandatory=True)),
        param_order("Lstm", *_DIRECTION, Param("input_forget", default=0)),
        param_order("Gru", *_DIRECTION, Param("linear_before_reset", default=0)),
    )
)
"""Keyed by op name; an op that is absent has no params."""
