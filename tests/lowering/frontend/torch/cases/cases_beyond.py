"""Cases of ops that are not core ATen: kept whole, or taken apart by PyTorch."""

import torch

from .case import case, layer
from .data import (
    T,
    b,
    i,
    r,
    u,
)

_ADD = T([[0.0, -1e4, 0.0], [0.5, 0.0, -1e4]])
BEYOND = [
    *(case(f"max_pool{n}d", r(1, 2, *[5] * n), [2] * n, [], [1] * n) for n in (1, 2, 3)),
    *(case(f"adaptive_max_pool{n}d", r(1, 2, *[5] * n), [3] * n) for n in (1, 2, 3)),
    *(
        case(op, r(3, 4))
        for op in ("silu", "mish", "hardswish", "hardsigmoid", "softplus", "relu6")
    ),
    case("softplus", r(4), 2.0),
    case("prelu", r(2, 3, 4), r(3)),
    case("linear", r(2, 3, 4), r(5, 4), r(5)),
    case("matmul", r(2, 3, 4), r(4)),
    case("layer_norm", r(2, 4), [4]),
    case("rms_norm", r(2, 3, 4), [3, 4]),
    case("rms_norm", r(2, 4), [4], r(4), 1e-3),
    layer("group_norm", r(2, 6, 3), 3, r(6), r(6)),
    case("instance_norm", r(2, 3, 4), None, None, None, None, True, 0.1, 1e-5, False),
    layer("batch_norm", r(2, 3, 4), r(3), r(3), r(3), u(3), False, 0.1, 1e-5, False),
    *(
        case("scaled_dot_product_attention", r(1, 4, 2, 6), *keys, **options)
        for keys, options in (
            ((r(1, 4, 3, 6), r(1, 4, 3, 6)), {"attn_mask": _ADD}),
            ((r(1, 4, 3, 6), r(1, 4, 3, 5)), {"attn_mask": _ADD > -1, "scale": 0.3}),
            ((r(1, 4, 2, 6), r(1, 4, 2, 6)), {"is_causal": True}),
            ((r(1, 2, 3, 6), r(1, 2, 3, 6)), {"enable_gqa": True}),
        )
    ),
    case("pixel_shuffle", r(1, 8, 2, 3), 2),
    case("pixel_unshuffle", r(2, 4, 6), 2),
    case("pad", r(1, 2, 5), [1, 2], "circular"),
    case("pad", r(1, 2, 5), [1, 2], "reflect"),
    case("upsample_nearest1d.vec", r(1, 2, 4), [6], None),
    case("upsample_nearest3d.vec", r(1, 1, 2, 3, 2), None, [2.0, 2.0, 2.0]),
    case("upsample_linear1d.vec", r(1, 2, 4), [6], True, None),
    case("upsample_trilinear3d.vec", r(1, 1, 2, 3, 2), [4, 5, 3], False, None),
    case("upsample_bicubic2d.vec", r(1, 2, 4, 4), [6, 7], False, None),
    case("stack", [r(2, 3), r(2, 3)], -1),
    case("stack", [T(1), T(2.5)]),
    case("split.Tensor", r(5, 2), 2),
    case("chunk", r(2, 5), 2, 1),
    case("unbind.int", r(2, 3), -1),
    case("narrow", r(5, 2), 0, -4, 3),
    case("reshape", r(2, 6), [4, -1]),
    case("flatten.using_ints", r(2, 3, 4), 1, -1),
    case("transpose.int", r(2, 3, 4), -1, 0),
    case("t", r(2, 3)),
    case("movedim.int", r(2, 3, 4), 0, -1),
    case("expand_as", r(3), r(2, 3)),
    case("tile", r(2, 3), [2]),
    case("roll", r(3, 4), [1, -1], [0, 1]),
    case("unfold", r(2, 7), -1, 3, 2),
    case("im2col", r(1, 2, 4, 5), [2, 3], [1, 1], [0, 1], [1, 1]),
    case("tril", r(3, 4), 1),
    case("triu", r(2, 3, 3), -1),
    case("masked_fill.Scalar", r(2, 3), b(2, 3), -1.0),
    case("masked_fill.Tensor", r(2, 3), b(3), T(2.0)),
    case("cumprod", r(3, 4), -1),
    case("cumprod", T(2.0), 0),
    case("diagonal_scatter", r(3, 4), r(3), 1),
    case("scatter.reduce", r(3, 4), 1, i(3, 2, high=4), r(3, 2), reduce="multiply"),
    case("fill.Tensor", r(2, 3), T(2)),
    case("rsub.Scalar", i(3), 2, 3),
    case("rsub.Tensor", r(3), i(3)),
    case("floor_divide", i(5, low=-9), i(5, low=1)),
    case("std.correction", r(3, 4), [0], correction=2),
    case("var", r(3, 4), False),
    case("all.dim", b(3, 2), -1),
    case("max", r(3, 4)),
    case("min", i(3, 4)),
    case("sum", r(3, 4)),
    case("softmax.int", r(3, 4), 0),
    case("log_softmax.int", r(3, 4), -1),
    case("_safe_softmax", r(3, 4), -1),
    case("sort.stable", i(2, 6, high=3), stable=True, dim=-1),
    case("argsort", i(7), -1, True),
    case("zeros_like", r(2), dtype=torch.int64),
    case("new_full", r(2), [3, 1], 2.5),
    case("lift_fresh_copy", r(3)),
    case("detach", r(3)),
    case("einsum", "bij,bjk->bik", [r(2, 3, 4), r(2, 4, 2)]),
]
