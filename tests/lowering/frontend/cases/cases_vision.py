"""Cases of volumes, of places of maxima, and of patches, regions and grids of images."""

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

TALL = floats(2, 4, 7, 6, 5)

VOLUMES = [
    case("Conv", VIDEO, floats(5, 3, 2, 3, 3), floats(5)),
    case("Conv", VIDEO, floats(5, 3, 1, 3, 3), pads=[0, 1, 1, 0, 1, 1]),
    case("Conv", VIDEO, floats(5, 3, 3, 1, 1), pads=[1, 0, 0, 1, 0, 0]),
    case("Conv", TALL, floats(6, 2, 3, 2, 3), group=2, strides=[2, 1, 2], dilations=[2, 1, 1]),
    case("Conv", TALL, floats(4, 1, 3, 3, 3), floats(4), group=4, auto_pad="SAME_UPPER"),
    case("Conv", TALL, floats(4, 1, 1, 3, 3), floats(4), group=4, strides=[2, 1, 1]),
    case("Conv", TALL, floats(4, 4, 3, 3, 3), floats(4), fixed=3),
    case("Conv", floats(1, 3, 1, 33, 65), floats(2, 3, 1, 1, 1)),
    case("ConvTranspose", TALL, floats(4, 3, 3, 3, 3), floats(3), strides=[2, 1, 2]),
    case(
        *("ConvTranspose", TALL, floats(4, 3, 3, 2, 2)),
        strides=[3, 2, 2],
        dilations=[2, 1, 3],
        pads=[1, 0, 1, 2, 1, 0],
        output_padding=[1, 1, 0],
    ),
    case("ConvTranspose", TALL, floats(4, 3, 2, 2, 2), group=2, strides=[2, 2, 2], fixed=2),
    case("ConvTranspose", TALL, floats(4, 3, 1, 2, 2), strides=[1, 2, 2]),
    case("ConvTranspose", TALL, floats(4, 3, 3, 3, 3), strides=[2] * 3, output_shape=[14, 12, 10]),
]

TRANSPOSED = [
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), dilations=[2, 3], pads=[1, 2, 0, 1]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), dilations=[2, 3], strides=[2, 1], fixed=2),
    case("ConvTranspose", LINE, floats(3, 4, 3), strides=[2], dilations=[2], output_padding=[1]),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), dilations=[2, 2], auto_pad="SAME_LOWER"),
    case("ConvTranspose", IMAGE, floats(3, 4, 3, 3), strides=[3, 2], output_shape=[28, 16]),
    case("ConvTranspose", IMAGE, floats(3, 4, 1, 1), strides=[2, 2], auto_pad="SAME_UPPER"),
    case("ConvTranspose", floats(1, 1, 1, 65), floats(1, 2, 1, 7), dilations=[1, 2]),
]

PLACES = [
    case("MaxPool", IMAGE, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1, outputs=2),
    case("MaxPool", IMAGE, kernel_shape=[3, 2], pads=[1, 0, 1, 1], outputs=2, storage_order=1),
    case("MaxPool", np.round(IMAGE), kernel_shape=[3, 3], auto_pad="SAME_UPPER", outputs=2),
    case("MaxPool", LINE, kernel_shape=[3], strides=[2], outputs=2),
    case("MaxPool", VIDEO, kernel_shape=[2, 3, 2], pads=[1, 1, 0, 0, 1, 1], outputs=2),
    case("MaxPool", VIDEO, kernel_shape=[2, 3, 2], storage_order=1, outputs=2),
    case("MaxPool", floats(1, 1, 65, 1), kernel_shape=[2, 1], dilations=[3, 1], outputs=2),
    case("MaxPool", (IMAGE * 20).astype(np.int8), kernel_shape=[3, 2], outputs=2),
    *(
        case(
            *(
                "MaxUnpool",
                f32(5, 6, 7, 8).reshape(1, 1, 2, 2),
                i64(5, 7, 13, 15).reshape(1, 1, 2, 2),
                *shape,
            ),
            fixed=2,
            kernel_shape=[2, 2],
            strides=[2, 2],
        )
        for shape in ((), (i64(1, 1, 5, 5),))
    ),
    case(
        "MaxUnpool",
        floats(1, 2, 3),
        i64(1, 2, 5, 6, 9, 10).reshape(1, 2, 3),
        fixed=2,
        kernel_shape=[2],
        strides=[2],
    ),
]

COLUMNS = [
    case("Col2Im", floats(2, 18, 20), i64(6, 6), i64(2, 3)),
    case("Col2Im", floats(2, 12, 6), i64(6, 7), i64(2, 2), strides=[2, 3]),
    case("Col2Im", floats(1, 20, 20), i64(5, 5), i64(2, 2), dilations=[1, 3], pads=[0, 1, 0, 2]),
    case("Col2Im", floats(1, 16, 60), i64(4, 5, 6), i64(2, 2, 2)),
    case("Col2Im", floats(1, 4, 64), i64(1, 65), i64(1, 2)),
]

GRIDS = [
    case("AffineGrid", floats(2, 2, 3), i64(2, 3, 5, 7), opset=20, align_corners=1),
    case("AffineGrid", floats(2, 3, 4), i64(2, 3, 5, 7, 6), opset=20, align_corners=1),
    case("AffineGrid", floats(2, 3, 4), i64(2, 3, 5, 1, 33), opset=20),
]

DEFORMED = [
    case("DeformConv", IMAGE, floats(4, 3, 3, 3), 2 * floats(2, 18, 7, 5)),
    case(
        *("DeformConv", IMAGE, floats(4, 3, 3, 3), 2 * floats(2, 18, 9, 7), floats(4)),
        floats(2, 9, 9, 7),
        pads=[1, 1, 1, 1],
        fixed=5,
    ),
    case(
        *("DeformConv", floats(2, 4, 9, 7), floats(6, 2, 3, 2), 2 * floats(2, 24, 4, 7)),
        pads=[1, 0, 0, 1],
        strides=[2, 1],
        offset_group=2,
        group=2,
    ),
    case("DeformConv", floats(1, 2, 1, 65), floats(6, 2, 1, 2), floats(1, 4, 1, 64), fixed=3),
]

_CORNERS = f32(0, 0, 5, 4, 1.5, 2, 30, 30, -9, -3, 2, 3, 3, 3, 3, 3).reshape(4, 4)

REGIONS = [
    case(
        *("RoiAlign", IMAGE, _CORNERS, i64(0, 1, 1, 0)),
        **{"fixed": 2, "output_height": 3, "output_width": 2, "sampling_ratio": 2},
        **{"mode": mode, "spatial_scale": 0.5, "coordinate_transformation_mode": place},
    )
    for mode in ("avg", "max")
    for place in ("half_pixel", "output_half_pixel")
]

REGIONS += [
    case(
        *("RoiAlign", IMAGE, np.roll(_CORNERS, 1, 0), i64(0, 1, 1, 0)),
        **{"output_height": 3, "output_width": 2, "mode": mode, "spatial_scale": 0.5},
        coordinate_transformation_mode=place,
    )
    for mode in ("avg", "max")
    for place in ("half_pixel", "output_half_pixel")
]
REGIONS.append(case("RoiAlign", IMAGE, _CORNERS[:0], i64(0)[:0]))
_BATCHED = np.concatenate([f32(0, 1, 1, 0)[:, None], _CORNERS], axis=1)
REGIONS += [
    case("MaxRoiPool", IMAGE, _BATCHED, pooled_shape=[2, 3], fixed=2),
    case("MaxRoiPool", IMAGE, _BATCHED, pooled_shape=[4, 5], spatial_scale=0.5),
]
