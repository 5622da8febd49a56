"""Products, convolutions, pools, normalisations and attention of ATen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ..node import AtenNode
from ..registry import TorchConversions

ATEN = TorchConversions()


@ATEN.conversion("aten.linear")
def linear(node: AtenNode) -> SSAValue:
    """linear: input times the transposed weight, plus bias."""
    x, weight = node.value("input"), node.value("weight")
    out = node.onnx("MatMul", x, node.transpose(weight, (1, 0)))[0]
    return node.onnx("Add", out, node.value("bias"))[0] if node.given("bias") else out


@ATEN.conversion("aten.mm", "aten.bmm", "aten.matmul")
def matmul(node: AtenNode) -> SSAValue:
    """Products of matrices."""
    other = "mat2" if "mat2" in node.info.args else "other"
    return node.onnx("MatMul", node.value("self"), node.value(other))[0]


@ATEN.conversion("aten.addmm")
def addmm(node: AtenNode) -> SSAValue:
    """addmm: beta times self plus alpha times a product."""
    product = _scaled(node, node.onnx("MatMul", node.value("mat1"), node.value("mat2"))[0], "alpha")
    return node.onnx("Add", product, _scaled(node, node.value("self"), "beta"))[0]


def _scaled(node: AtenNode, x: SSAValue, name: str) -> SSAValue:
    factor = node.argument(name)
    return x if factor == 1 else node.onnx("Mul", x, node.scalar(factor, x))[0]


@ATEN.conversion(
    "aten.convolution",
    "aten.conv1d",
    "aten.conv2d",
    "aten.conv3d",
    "aten.conv_transpose1d",
    "aten.conv_transpose2d",
)
def convolution(node: AtenNode) -> SSAValue:
    """Convolutions, and their transposes."""
    x, weight, bias = node.value("input"), node.value("weight"), node.optional("bias")
    rank = len(node.shape(x)) - 2
    transposed = bool(node.info.args.get("transposed")) or "transpose" in node.info.op
    padding = node.argument("padding")
    options: dict[str, Any] = {
        "strides": _each(node.argument("stride"), rank),
        "dilations": _each(node.argument("dilation"), rank),
        "group": node.argument("groups"),
    }
    if isinstance(padding, str):
        options["auto_pad"] = "VALID" if padding == "valid" else "SAME_UPPER"
    else:
        options["pads"] = _each(padding, rank) * 2
    if transposed and node.given("output_padding"):
        options["output_padding"] = _each(node.argument("output_padding"), rank)
    return node.onnx("ConvTranspose" if transposed else "Conv", x, weight, bias, **options)[0]


def _each(numbers: int | Sequence[int], rank: int) -> list[int]:
    """Repeat a number that stands for all dims."""
    listed = [numbers] if isinstance(numbers, int) else list(numbers)
    return listed * rank if len(listed) == 1 else listed


@ATEN.conversion("aten.max_pool1d", "aten.max_pool2d", "aten.max_pool3d")
def max_pool(node: AtenNode) -> SSAValue:
    """Max pools; the stride is the window where it is left out."""
    return node.onnx(
        "MaxPool",
        node.value("self"),
        **_pool(node),
        dilations=_each(node.argument("dilation"), _spatial(node)),
    )[0]


@ATEN.conversion("aten.avg_pool1d", "aten.avg_pool2d", "aten.avg_pool3d")
def average_pool(node: AtenNode) -> SSAValue:
    """Average pools."""
    node.require(
        not node.given("divisor_override") if "divisor_override" in node.info.args else True,
        "divisor_override is set",
        "scale the result",
    )
    counted = int(node.argument("count_include_pad"))
    return node.onnx("AveragePool", node.value("self"), **_pool(node), count_include_pad=counted)[0]


def _spatial(node: AtenNode) -> int:
    return len(node.argument("kernel_size"))


def _pool(node: AtenNode) -> dict[str, Any]:
    rank = _spatial(node)
    window = _each(node.argument("kernel_size"), rank)
    return {
        "kernel_shape": window,
        "strides": _each(node.argument("stride") or window, rank),
        "pads": _each(node.argument("padding"), rank) * 2,
        "ceil_mode": int(node.argument("ceil_mode")),
    }


@ATEN.conversion("aten.adaptive_avg_pool1d", "aten.adaptive_avg_pool2d", "aten.adaptive_max_pool2d")
def adaptive_pool(node: AtenNode) -> SSAValue:
    """Adaptive pools whose windows are all alike."""
    x = node.value("self")
    wanted = _each(node.argument("output_size"), len(node.argument("output_size")))
    sizes = node.shape(x)[-len(wanted) :]
    alike = all(size % out == 0 for size, out in zip(sizes, wanted, strict=True))
    node.require(alike, f"windows of {sizes} to {wanted} differ", "take sizes that divide evenly")
    window = [size // out for size, out in zip(sizes, wanted, strict=True)]
    op = "MaxPool" if "max" in node.info.op else "AveragePool"
    return node.onnx(op, x, kernel_shape=window, strides=window)[0]


@ATEN.conversion(
    "aten.batch_norm", "aten._native_batch_norm_legit_no_training", "aten._native_batch_norm_legit"
)
def batch_norm(node: AtenNode) -> list[SSAValue]:
    """batch_norm with the running statistics."""
    node.require(not node.info.args.get("training"), "is in training", "call model.eval()")
    x = node.value("input")
    depth = node.shape(x)[1]
    weight, bias = (
        _or_fill(node, name, depth, number, x) for name, number in (("weight", 1), ("bias", 0))
    )
    statistics = node.value("running_mean"), node.value("running_var")
    return node.onnx(
        "BatchNormalization", x, weight, bias, *statistics, epsilon=node.argument("eps")
    )


def _or_fill(node: AtenNode, name: str, size: int, number: float, like: SSAValue) -> SSAValue:
    if node.given(name):
        return node.value(name)
    return node.const(np.full(size, number, node.dtype(like).storage))


@ATEN.conversion("aten.layer_norm", "aten.native_layer_norm")
def layer_norm(node: AtenNode) -> list[SSAValue]:
    """layer_norm over the last dims."""
    x, dims = node.value("input"), node.argument("normalized_shape")
    weight = node.optional("weight")
    if weight is None:
        weight = node.const(np.ones(dims, node.dtype(x).storage))
    bias = node.optional("bias")
    return node.onnx(
        "LayerNormalization", x, weight, bias, axis=-len(dims), epsilon=node.argument("eps")
    )


@ATEN.conversion("aten.rms_norm", "aten._fused_rms_norm")
def rms_norm(node: AtenNode) -> SSAValue:
    """rms_norm over the last dims."""
    x, dims = node.value("input"), node.argument("normalized_shape")
    weight = node.optional("weight")
    if weight is None:
        weight = node.const(np.ones(dims, node.dtype(x).storage))
    epsilon = node.argument("eps")
    epsilon = (
        float(np.finfo(np.dtype(str(node.dtype(x).storage))).eps) if epsilon is None else epsilon
    )
    return node.onnx("RMSNormalization", x, weight, axis=-len(dims), epsilon=epsilon)[0]


@ATEN.conversion("aten.group_norm")
def group_norm(node: AtenNode) -> SSAValue:
    """group_norm."""
    x = node.value("input")
    depth = node.shape(x)[1]
    weight, bias = (
        _or_fill(node, name, depth, number, x) for name, number in (("weight", 1), ("bias", 0))
    )
    return node.onnx(
        "GroupNormalization",
        x,
        weight,
        bias,
        num_groups=node.argument("num_groups"),
        epsilon=node.argument("eps"),
    )[0]


@ATEN.conversion("aten.scaled_dot_product_attention")
def attention(node: AtenNode) -> SSAValue:
    """scaled_dot_product_attention without dropout."""
    node.require(not node.argument("dropout_p"), "dropout is in training", "call model.eval()")
    q, k, v = (node.value(name) for name in ("query", "key", "value"))
    rank, width = len(node.shape(q)), node.shape(q)[-1]
    perm = [*range(rank - 2), rank - 1, rank - 2]
    if node.shape(k)[:-2] != node.shape(q)[:-2]:
        groups = node.shape(q)[-3] // node.shape(k)[-3]
        k, v = (_repeated(node, each, groups) for each in (k, v))
    scale = node.argument("scale")
    scale = width**-0.5 if scale is None else scale
    scores = node.onnx(
        "MatMul", node.onnx("Mul", q, node.scalar(scale, q))[0], node.transpose(k, perm)
    )[0]
    mask = node.optional("attn_mask")
    if node.argument("is_causal"):
        mask = node.const(np.tril(np.ones(node.shape(scores)[-2:], bool)))
    if mask is not None and node.dtype(mask).is_float:
        scores = node.onnx("Add", scores, mask)[0]
    elif mask is not None:
        scores = node.onnx("Where", mask, scores, node.scalar(float("-inf"), scores))[0]
    return node.onnx("MatMul", node.onnx("Softmax", scores, axis=-1)[0], v)[0]


def _repeated(node: AtenNode, x: SSAValue, groups: int) -> SSAValue:
    """Repeat each head of keys or values for the queries of its group."""
    *batch, heads, steps, width = node.shape(x)
    apart = node.reshape(x, (*batch, heads, 1, steps, width))
    shape = (*batch, heads, groups, steps, width)
    wide = node.onnx("Expand", apart, np.array(shape, np.int64))[0]
    return node.reshape(wide, (*batch, heads * groups, steps, width))


@ATEN.conversion(
    "aten.upsample_nearest2d",
    "aten.upsample_bilinear2d",
    "aten.upsample_bicubic2d",
    "aten.upsample_nearest1d",
    "aten.upsample_linear1d",
)
def upsample(node: AtenNode) -> SSAValue:
    """interpolate by size or by scales."""
    x, shape = node.value("self" if "self" in node.info.args else "input"), node.out().shape
    kind = node.info.op.partition("upsample_")[2]
    mode = "nearest" if kind.startswith("nearest") else "cubic" if "cubic" in kind else "linear"
    corners = (
        "align_corners"
        if node.info.args.get("align_corners")
        else "half_pixel"
        if mode == "cubic"
        else "pytorch_half_pixel"
    )
    options = (
        {"nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
        if mode == "nearest"
        else {"coordinate_transformation_mode": corners, "cubic_coeff_a": -0.75}
    )
    factors = node.info.args.get("scale_factors")
    if factors:
        return node.onnx(
            "Resize", x, None, np.array([1, 1, *factors], np.float32), mode=mode, **options
        )[0]
    return node.onnx("Resize", x, None, None, np.array(shape, np.int64), mode=mode, **options)[0]
