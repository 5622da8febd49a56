"""Cases of convolutions, pools, samples, transforms and Resize."""

import numpy as np

from ..models import floats
from .case import (
    IMAGE,
    LINE,
    VIDEO,
    case,
    f32,
    i64,
)

CONVOLUTIONS = [
    case("Conv", IMAGE, floats(5, 3, 3, 3)),
    case("Conv", IMAGE, floats(5, 3, 3, 2), floats(5), pads=[1, 0, 2, 1], strides=[2, 1]),
    case("Conv", IMAGE, floats(5, 3, 3, 3), dilations=[2, 1]),
    case("Conv", IMAGE, floats(6, 1, 3, 3), floats(6), group=3),
    case("Conv", floats(1, 4, 6, 6), floats(6, 2, 3, 3), floats(6), group=2),
    case("Conv", IMAGE, floats(5, 3, 3, 3), floats(5), fixed=3),
    case("Conv", IMAGE, floats(5, 3, 3, 4), auto_pad="SAME_UPPER", strides=[2, 2]),
    case("Conv", IMAGE, floats(5, 3, 2, 4), auto_pad="SAME_LOWER"),
    case("Conv", IMAGE, floats(5, 3, 3, 3), auto_pad="VALID"),
    case("Conv", LINE, floats(5, 3, 3), floats(5), pads=[2, 0], strides=[2]),
    case("Conv", LINE, floats(3, 1, 3), group=3, dilations=[2]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), floats(4), strides=[2, 3]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), pads=[1, 0, 1, 2], strides=[2, 2]),
    case("ConvTranspose", floats(1, 4, 5, 5), floats(4, 3, 2, 2), group=2),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], output_padding=[1, 1]),
    case("ConvTranspose", IMAGE, floats(3, 4, 4, 4), strides=[2, 2], auto_pad="SAME_UPPER"),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], auto_pad="SAME_LOWER"),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[2, 2], output_shape=[18, 14]),
    case("ConvTranspose", LINE, floats(3, 4, 3), floats(4), strides=[2], pads=[1, 0]),
]

POOLS = [
    case("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[2, 2]),
    case("MaxPool", IMAGE, kernel_shape=[3, 2], pads=[1, 0, 1, 1]),
    case("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
    case("MaxPool", IMAGE, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER"),
    case("MaxPool", LINE, kernel_shape=[3], strides=[2]),
    case("AveragePool", IMAGE, kernel_shape=[2, 3]),
    case("AveragePool", IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    case("AveragePool", IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1),
    case("AveragePool", IMAGE, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
    case("AveragePool", LINE, kernel_shape=[2]),
    case("GlobalAveragePool", IMAGE),
    case("GlobalMaxPool", IMAGE),
    case("GlobalAveragePool", LINE),
]

POOLS_BY_AXIS = [
    case("MaxPool", IMAGE, kernel_shape=[2, 3], dilations=[3, 2], pads=[1, 1, 1, 2]),
    case("MaxPool", LINE, kernel_shape=[3], dilations=[2], strides=[3], ceil_mode=1),
    case("MaxPool", VIDEO, kernel_shape=[2, 3, 2], strides=[2, 1, 2], pads=[1, 1, 0, 0, 1, 1]),
    case("AveragePool", VIDEO, kernel_shape=[2, 3, 2], strides=[2, 1, 2], ceil_mode=1),
    case("AveragePool", IMAGE, kernel_shape=[2, 3], dilations=[3, 2], pads=[1, 1, 1, 2]),
    *(
        case("AveragePool", VIDEO, kernel_shape=[3, 3, 2], pads=[1] * 6, count_include_pad=count)
        for count in (0, 1)
    ),
    *(case("LpPool", IMAGE, kernel_shape=[3, 2], strides=[2, 2], p=p) for p in (1, 2, 3)),
    case("LpPool", IMAGE, kernel_shape=[3, 2], auto_pad="SAME_UPPER"),
    case("LpPool", IMAGE, kernel_shape=[3, 2], dilations=[2, 3], pads=[1, 1, 0, 1]),
    *(case("GlobalLpPool", IMAGE, p=p) for p in (1, 2, 3)),
]

SAMPLES = [
    case(
        *("GridSample", IMAGE, floats(2, 4, 5, 2)),
        **{"fixed": 2, "opset": 20, "mode": mode, "padding_mode": pad, "align_corners": align},
    )
    for mode in ("nearest", "linear", "cubic")
    for pad in ("zeros", "border", "reflection")
    for align in (0, 1)
] + [
    case("GridSample", VIDEO, floats(1, 2, 3, 4, 3), fixed=2, opset=20),
    case("GridSample", IMAGE, floats(2, 4, 5, 2), fixed=2, opset=16, mode="bicubic"),
    case("GridSample", np.float16(IMAGE), np.float16(floats(2, 4, 5, 2)), fixed=2, opset=20),
]

SIGNAL = floats(2, 9, 4, 2) / 16

TRANSFORMS = [
    case("DFT", SIGNAL, opset=20),
    case("DFT", SIGNAL, None, np.array(1, np.int64), opset=20, inverse=1),
    case("DFT", SIGNAL, np.array(6, np.int64), np.array(1, np.int64), opset=20),
    case("DFT", SIGNAL, np.array(12, np.int64), np.array(1, np.int64), opset=20),
    case("DFT", SIGNAL[..., :1], None, np.array(1, np.int64), opset=20, onesided=1),
    case("DFT", SIGNAL[..., :1], opset=17, axis=2, onesided=1),
]

RESIZES = [
    *(
        case("Resize", IMAGE, None, f32(1, 1, 2, 0.6), coordinate_transformation_mode=place)
        for place in ("half_pixel", "pytorch_half_pixel", "asymmetric")
    ),
    *(
        case("Resize", IMAGE, None, f32(1, 1, 2, 0.7), nearest_mode=rounding)
        for rounding in ("round_prefer_ceil", "floor", "ceil")
    ),
    *(
        case("Resize", IMAGE, None, None, i64(2, 3, 4, 16), mode=mode, antialias=smooth)
        for mode in ("linear", "cubic")
        for smooth in (0, 1)
    ),
    *(
        case(
            *("Resize", IMAGE, None, None, i64(*size)),
            mode="cubic",
            coordinate_transformation_mode="pytorch_half_pixel",
        )
        for size in ((2, 3, 1, 16), (2, 3, 9, 1), (2, 3, 1, 1))
    ),
    case("Resize", IMAGE, None, None, i64(5, 5), mode="linear", axes=[3, 2]),
    case("Resize", VIDEO, None, f32(1, 1, 2, 1.5, 2), mode="linear"),
    case("Resize", floats(2, 3, 3, 4, 5), None, None, i64(2, 3, 7, 4, 5), mode="linear"),
    case("Resize", VIDEO, None, f32(1, 1, 2, 2, 2), coordinate_transformation_mode="asymmetric"),
    case("Resize", LINE, None, None, i64(2, 3, 1), mode="linear"),
    case(
        *("Resize", IMAGE, None, None, i64(2, 3, 18, 21)),
        mode="linear",
        coordinate_transformation_mode="align_corners",
    ),
    case(
        *("Resize", IMAGE, None, None, i64(8, 8)),
        axes=[2, 3],
        keep_aspect_ratio_policy="not_larger",
    ),
    case(
        *("Resize", IMAGE, None, f32(1, 1, 1.5, 1.5)),
        mode="cubic",
        exclude_outside=1,
        cubic_coeff_a=-0.5,
    ),
    case(
        *("Resize", IMAGE, f32(0, 0, 0.2, -0.3, 1, 1, 0.8, 1.2), None, i64(2, 3, 6, 9)),
        mode="linear",
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=7.0,
    ),
    case("Upsample", IMAGE, f32(1, 1, 2, 3), opset=9),
    case("Upsample", IMAGE, f32(1, 1, 2, 2), opset=9, mode="linear"),
    case("Resize", IMAGE, f32(1, 1, 0.6, 1.5), opset=10),
    case("Resize", IMAGE, f32(1, 1, 0.6, 1.5), opset=10, mode="linear"),
]
