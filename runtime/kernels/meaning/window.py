"""Convolutions and pools by mnemonic, with their padding as a param."""

from __future__ import annotations

from ...functions import conv, pool
from ...functions.arrays import Array
from ..support.params import Params
from .binding import Inputs, Meaning
from .operands import given


def _conv2d(inputs: Inputs, params: Params) -> list[Array]:
    return [
        conv.conv2d(
            given(inputs, 0),
            given(inputs, 1),
            inputs[2],
            params.pair("stride"),
            params.pads(),
            params.pair("dilation"),
            params.integer("group"),
        )
    ]


def _depthwise(inputs: Inputs, params: Params) -> list[Array]:
    return [
        conv.depthwise_conv2d(
            given(inputs, 0),
            given(inputs, 1),
            inputs[2],
            params.pair("stride"),
            params.pads(),
            params.pair("dilation"),
        )
    ]


def _transpose(inputs: Inputs, params: Params) -> list[Array]:
    return [
        conv.transpose_conv2d(
            given(inputs, 0),
            given(inputs, 1),
            inputs[2],
            params.pair("stride"),
            params.pads(),
            params.pair("output_padding"),
            params.integer("group"),
        )
    ]


def _max_pool(inputs: Inputs, params: Params) -> list[Array]:
    return [
        pool.max_pool2d(
            given(inputs, 0),
            params.pair("filter_size"),
            params.pair("stride"),
            params.pads(),
            params.flag("rounding_mode", default=False),
        )
    ]


def _avg_pool(inputs: Inputs, params: Params) -> list[Array]:
    return [
        pool.avg_pool2d(
            given(inputs, 0),
            params.pair("filter_size"),
            params.pair("stride"),
            params.pads(),
            params.flag("rounding_mode", default=False),
            params.flag("count_pad_for_edges", default=False),
        )
    ]


WINDOW: dict[str, Meaning] = {
    "Conv2d": Meaning(_conv2d, factors=2, channel=-1),
    "DepthWiseConv2d": Meaning(_depthwise, factors=2, channel=-1),
    "TransposeConv2d": Meaning(_transpose, factors=2, channel=-1),
    "PoolMax2d": Meaning(_max_pool, moves=True),
    "PoolAvg2d": Meaning(_avg_pool, factors=1),
}
