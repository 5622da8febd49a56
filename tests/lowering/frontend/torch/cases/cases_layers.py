"""Cases of layers of core ATen."""

import math

from .case import case, layer
from .data import r, u

LAYERS = [
    case("mm", r(3, 4), r(4, 2)),
    case("bmm", r(2, 3, 4), r(2, 4, 2)),
    case("addmm", r(2), r(3, 4), r(4, 2), beta=0.5, alpha=2),
    case("addmm", r(3, 1), r(3, 4), r(4, 2)),
    layer("convolution", r(1, 4, 7), r(6, 2, 3), r(6), [2], [1], [2], False, [0], 2),
    case("convolution", r(2, 3, 7, 5), r(4, 3, 3, 2), None, [2, 1], [1, 0], [1], False, [0], 1),
    case(
        "convolution", r(1, 3, 4, 5), r(3, 2, 3, 3), r(2), [2, 2], [1, 1], [1, 1], True, [1, 0], 1
    ),
    case("convolution", r(1, 4, 5), r(4, 3, 3), None, [2], [0], [1], True, [0], 2),
    case("col2im", r(1, 12, 15), [4, 5], [2, 3], [1, 1], [0, 1], [1, 1]),
    case("col2im", r(12, 4), [6, 6], [2, 2], [2, 2], [0, 0], [3, 3]),
    case("avg_pool2d", r(1, 2, 5, 6), [2, 3]),
    case("avg_pool2d", r(2, 5, 6), [3, 3], [2, 2], [1, 1], False, False),
    case("avg_pool2d", r(1, 2, 5, 6), [2, 2], [2, 2], [0, 0], True),
    case("avg_pool2d", r(1, 2, 5, 6), [2, 2], divisor_override=3),
    case("avg_pool1d", r(1, 2, 7), [3], [2]),
    case("adaptive_avg_pool1d", r(2, 7), [3]),
    case("avg_pool3d", r(1, 2, 4, 4, 4), [2, 2, 2]),
    case("max_pool2d_with_indices", r(1, 2, 6, 7), [3, 2], [2, 2], [1, 1]),
    case("max_pool2d_with_indices", r(2, 6, 7), [2, 2], [1, 2], [0, 0], [2, 1], True),
    case("max_pool3d_with_indices", r(1, 2, 4, 4, 5), [2, 2, 2]),
    case("_adaptive_avg_pool2d", r(1, 2, 5, 6), [2, 3]),
    case("_adaptive_avg_pool2d", r(2, 7, 5), [3, 5]),
    case("_adaptive_avg_pool3d", r(1, 2, 4, 5, 3), [2, 2, 2]),
    case("_native_batch_norm_legit.no_stats", r(2, 3, 4, 2), r(3), r(3), True, 0.1, 1e-5),
    case("native_group_norm", r(2, 6, 4), r(6), r(6), 2, 6, 4, 3, 1e-5),
    case("native_group_norm", r(2, 6), None, None, 2, 6, 1, 2, 1e-5),
    case("native_layer_norm", r(2, 3, 4), [3, 4], r(3, 4), r(3, 4), 1e-5),
    case("native_layer_norm", r(2, 4), [4], None, None, 1e-3),
    case("_cdist_forward", r(2, 3, 4), r(2, 5, 4), 2.0, None),
    *(case("_cdist_forward", r(3, 4), r(5, 4), p, None) for p in (0.0, 1.0, math.inf, 3.0)),
    case("_pdist_forward", r(4, 3), 2.0),
    *(
        case("grid_sampler_2d", r(1, 2, 4, 5), u(1, 3, 3, 2) * 2 - 1, mode, padding, corners)
        for mode, padding, corners in ((0, 0, False), (1, 1, True), (2, 2, False))
    ),
    case("upsample_bilinear2d.vec", r(1, 2, 3, 4), [5, 7], False, None),
    case("upsample_bilinear2d.vec", r(1, 2, 3, 4), None, True, [2.0, 1.5]),
    case("upsample_nearest2d.vec", r(1, 2, 3, 4), [5, 7], None),
    case("upsample_nearest2d.vec", r(1, 2, 3, 4), None, [2.0, 1.5]),
]
