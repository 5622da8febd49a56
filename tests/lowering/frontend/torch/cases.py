"""Cases of core ATen ops: overloads, keyword arguments, negative dims, promotion, scalars."""

from __future__ import annotations

import math

import torch

from .case import Case, case, layer

_G = torch.Generator().manual_seed(7)


def r(*shape: int) -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(*shape, generator=_G)


def u(*shape: int) -> torch.Tensor:
    """Numbers from 0.1 to 0.9."""
    return torch.rand(*shape, generator=_G) * 0.8 + 0.1


def i(*shape: int, high: int = 9, low: int = 0, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Integers below a bound."""
    return torch.randint(low, high, shape, generator=_G).to(dtype)


def b(*shape: int) -> torch.Tensor:
    """Truth values."""
    return i(*shape, high=2) > 0


T = torch.tensor
SPECIAL = T([math.nan, math.inf, -math.inf, 0.0, -3.0])

UNARY = [
    *(
        case(op, r(3, 5))
        for op in (
            *("abs", "atan", "asinh", "ceil", "cos", "cosh", "erf", "exp", "floor", "neg"),
            *("relu", "round", "sigmoid", "sign", "sin", "sinh", "tan", "tanh", "trunc"),
            *("reciprocal", "expm1", "gelu", "alias", "clone", "elu", "leaky_relu", "hardtanh"),
        )
    ),
    *(case(op, u(7)) for op in ("acos", "asin", "atanh", "log", "log10", "log1p", "log2")),
    *(case(op, u(2, 1, 3)) for op in ("sqrt", "rsqrt")),
    *(case(op, i(4, low=-4)) for op in ("abs", "neg", "sign", "ceil", "trunc", "exp", "sin")),
    *(case(op, T(2)) for op in ("abs", "sqrt", "bitwise_not", "logical_not", "isnan")),
    *(case(op, SPECIAL) for op in ("isnan", "isinf", "logical_not")),
    case("acosh", 1 + u(4)),
    case("expm1", T([1e-7, -3e-4, 5.0, -20.0])),
    case("log1p", T([1e-7, -3e-4, 5.0, 0.0])),
    case("bitwise_not", b(4)),
    case("bitwise_not", i(4, low=-4, dtype=torch.int32)),
    case("round", T([0.5, 1.5, 2.5, -0.5])),
    case("round.decimals", T([0.1264, -3.456]), decimals=2),
    case("gelu", r(4), approximate="tanh"),
    case("leaky_relu", r(4), 0.2),
    case("elu", r(5), 0.7, 1.5, 2),
    case("hardtanh", r(5), -0.5, 0.3),
    case("clamp", r(5), -0.5),
    case("clamp", i(5), max=4),
    case("clamp.Tensor", r(3, 4), r(4), T(0.9)),
    case("clamp", i(5), 0.5, 3.5),
    case("_to_copy", r(4) * 3, dtype=torch.int32),
    case("_to_copy", i(4, high=3), dtype=torch.bool),
    case("_to_copy", r(4), dtype=torch.float16),
    case("native_dropout", r(3, 2), 0.5, False),
]

_COMPARISONS = ("eq", "ge", "gt", "le", "lt", "ne")
BINARY = [
    *(case(f"{op}.Tensor", i(3, 4, high=4), i(4, high=4)) for op in _COMPARISONS),
    *(case(f"{op}.Scalar", i(3, high=4), 1.5) for op in _COMPARISONS),
    *(case(f"{op}.Tensor", r(3, 1), i(2)) for op in ("eq", "lt", "add", "sub", "mul", "div")),
    *(case(op, r(2, 3), r(3)) for op in ("maximum", "minimum", "atan2")),
    case("maximum", i(4), i(4, dtype=torch.int32)),
    case("atan2", T([0.0, 0.0, 1.0, -1.0, 1.0]), T([1.0, 0.0, 0.0, 0.0, -1.0])),
    case("add.Tensor", r(3), r(3), alpha=2),
    case("add.Tensor", i(3), T(2, dtype=torch.int32), alpha=-1),
    case("add.Tensor", b(3), b(3)),
    case("add.Scalar", i(3), 2.5, 2),
    case("sub.Scalar", r(3), 2),
    case("sub.Tensor", i(3), r(2, 1), alpha=3),
    case("mul.Scalar", i(3), 0.5),
    case("mul.Tensor", T(3), r(2, 2)),
    case("div.Tensor", i(3), i(3, low=1)),
    case("div.Scalar", i(3), 4),
    *(
        case(f"div.{kind}", x, y, rounding_mode=mode)
        for mode in (None, "floor", "trunc")
        for kind, x, y in (
            ("Tensor_mode", r(5) * 9, r(5)),
            ("Tensor_mode", i(6, low=-9), i(6, low=1, high=4)),
            ("Scalar_mode", i(6, low=-9), 4),
        )
    ),
    *(case(f"{op}.Tensor", r(6) * 9, r(6)) for op in ("fmod", "remainder")),
    *(case(f"{op}.Scalar", i(6, low=-9), 4) for op in ("fmod", "remainder")),
    case("pow.Tensor_Scalar", r(4), 2),
    case("pow.Tensor_Scalar", i(4, high=4), 3),
    case("pow.Tensor_Tensor", u(2, 3), r(3)),
    case("pow.Scalar", 2, r(4)),
    *(case(f"bitwise_{op}.Tensor", b(4), b(4)) for op in ("and", "or", "xor")),
    *(case(f"bitwise_{op}.Scalar", b(4), True) for op in ("and", "or", "xor")),
    *(case(f"logical_{op}", i(4, high=2), r(3, 1)) for op in ("and", "or", "xor")),
    case("where.self", b(3, 1), r(3, 4), i(4)),
    case("where.self", b(4), T(1.0), T(2)),
]

SHAPES = [
    case("view", r(2, 6), [3, -1]),
    case("view", r(1), []),
    case("squeeze.dim", r(2, 1, 3), -2),
    case("squeeze.dims", r(1, 2, 1), [0, -1]),
    case("unsqueeze", r(2, 3), -1),
    case("unsqueeze", T(2.0), 0),
    case("permute", r(2, 3, 4), [-1, 0, 1]),
    case("permute", T(1.0), []),
    case("expand", r(3, 1), [2, -1, 4]),
    case("expand", T(1.0), [2, 2]),
    case("repeat", r(2, 3), [2, 1, 3]),
    case("repeat", T(2.0), [3]),
    case("cat", [r(2, 3), i(2, 1), r(0)], -1),
    case("cat", [i(2), i(3)]),
    case("split_with_sizes", r(5, 3), [2, 3]),
    case("split_with_sizes", r(2, 5), [1, 4], -1),
    case("slice.Tensor", r(5, 4), -1, 1, 9, 2),
    case("slice.Tensor", r(5), 0, -3, -1),
    case("slice.Tensor", r(5), 0, None, None),
    case("select.int", r(3, 4), -1, -2),
    case("flip", r(3, 4), [0, -1]),
    case("constant_pad_nd", r(2, 3), [1, 2, 0, 1], 0.5),
    case("constant_pad_nd", i(2, 4), [-1, 1]),
    case("reflection_pad1d", r(2, 5), [2, 1]),
    case("reflection_pad2d", r(1, 4, 5), [2, 1, 0, 3]),
    case("reflection_pad3d", r(1, 2, 3, 3, 3), [1, 0, 1, 2, 0, 1]),
    case("replication_pad1d", r(1, 2, 5), [1, 2]),
    case("replication_pad2d", r(1, 2, 3, 3), [2, 1, 0, 3]),
    case("replication_pad3d", r(1, 2, 3, 3), [1, 0, 1, 2, 0, 1]),
    case("diagonal", r(3, 4), 1),
    case("diagonal", r(2, 3, 4), -1, -1, 0),
    case("select_scatter", r(3, 4), r(3), -1, 2),
    case("slice_scatter", r(5, 2), r(2, 2), 0, 1, None, 2),
    case("slice_scatter", r(2, 5), r(2, 2), -1, -2),
    case("copy", r(2, 3), i(3)),
    case("fill.Scalar", r(2, 3), 4),
    case("full_like", i(2, 2), 3),
    case("full_like", r(2), 3, dtype=torch.int64),
]

INDEX = [
    case("gather", r(3, 4), -1, i(3, 2, high=4)),
    case("gather", r(3, 4), 0, i(2, 3, high=3)),
    case("gather", T(2.0), 0, T(0)),
    case("index_select", r(3, 4), -1, i(5, high=4)),
    case("index_select", r(3, 4), 0, T(2)),
    case("embedding", r(6, 3), i(2, 4, high=6), 1),
    case("index.Tensor", r(3, 4, 2), [None, i(2, 3, high=4)]),
    case("index.Tensor", r(3, 4, 2), [i(2, high=3), i(3, 1, low=-4, high=4)]),
    case("index.Tensor", r(3, 4, 2), [i(3, high=3), None, i(3, high=2)]),
    case("index.Tensor", r(3, 4, 2), [None, i(5, high=4), i(5, high=2)]),
    case("index_put", r(4, 3), [T([0, 2])], r(2, 3)),
    case("index_put", r(4, 3), [T([0, 2, 0]), T([1, 1, 1])], T(2.0), True),
    case("index_put", r(4, 3), [b(4)], T(2.0)),
    case("index_put", r(4, 3), [b(4, 3)], T([2])),
    case("masked_scatter", r(3, 4), b(3, 4), r(12)),
    case("masked_scatter", r(3, 4), b(4), r(3, 4)),
    case("scatter.src", r(3, 4), -1, T([[0, 2], [1, 0]]), r(3, 3)),
    case("scatter.value", r(3, 4), 0, T([[0, 2, 1]]), 1.5),
    case("scatter_add", r(3, 4), 1, i(3, 5, high=4), r(3, 5)),
    *(
        case("scatter_reduce.two", r(3, 4), 1, i(3, 5, high=4), r(3, 5), how, include_self=own)
        for how in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
    ),
    case("sort", r(3, 4)),
    case("sort", i(3, 4), 0, True),
    case("topk", r(3, 5), 2, 0),
    case("topk", r(3, 5), 3, -1, False),
]

REDUCTIONS = [
    *(case(op, r(2, 3, 4), [0, -1], True) for op in ("amax", "amin")),
    case("amax", i(4)),
    case("amin", T(2.0), [0]),
    case("any", b(3)),
    case("any.dim", r(3, 2), -1),
    case("any.dims", b(2, 3, 2), [0, 1], True),
    case("argmax", r(3, 4)),
    case("argmax", r(3, 4), -1, True),
    case("argmin", r(3, 4), 0),
    case("argmin", T(2.0)),
    case("cumsum", r(3, 4), -1),
    case("cumsum", i(4, dtype=torch.int32), 0),
    case("max.dim", r(3, 4), -1),
    case("min.dim", i(3, 4), 0, True),
    case("max.dim", T(2.0), 0),
    case("mean", r(3, 4)),
    case("mean.dim", r(2, 3, 4), [1, -1]),
    case("mean", i(4), dtype=torch.float32),
    case("prod", r(4)),
    case("prod.dim_int", i(3, 3, high=3), -1),
    case("sum.dim_IntList", r(2, 3, 4), [0, 2], True),
    case("sum.dim_IntList", b(3, 4), [1]),
    case("sum.dim_IntList", r(2, 3), None),
    case("var.correction", r(3, 4), [1], correction=0, keepdim=True),
    case("var.correction", r(3, 4)),
    case("var.dim", r(3, 4), [0], False),
    case("_softmax", r(2, 3, 4), 1, False),
    case("_softmax", T(2.0), 0, False),
    case("_log_softmax", r(3, 4), -1, False),
]

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
    layer("_native_batch_norm_legit_no_training", r(2, 3, 4), r(3), r(3), r(3), u(3), 0.1, 1e-5),
    layer("_native_batch_norm_legit_no_training", r(2, 3), None, None, r(3), u(3), 0.1, 1e-5),
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
    case("diagonal_scatter", r(3, 4), r(3), 1),
    case("scatter.reduce", r(3, 4), 1, i(3, 2, high=4), r(3, 2), reduce="multiply"),
    case("fill.Tensor", r(2, 3), T(2)),
    case("rsub.Scalar", i(3), 2, 3),
    case("rsub.Tensor", r(3), i(3)),
    case("floor_divide", i(5, low=-9), i(5, low=1)),
    case("std.correction", r(3, 4), [0], correction=2),
    case("var", r(3, 4), False),
    case("all.dim", b(3, 2), -1),
    case("all", i(4, high=3, dtype=torch.uint8)),
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

FAMILIES: dict[str, list[Case]] = {
    "unary": UNARY,
    "binary": BINARY,
    "shapes": SHAPES,
    "index": INDEX,
    "reductions": REDUCTIONS,
    "layers": LAYERS,
    "beyond": BEYOND,
}
