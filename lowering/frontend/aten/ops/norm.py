"""Normalisations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()


def _or_fill(node: AtenNode, name: str, shape: Sequence[int], number: float) -> SSAValue:
    """Return a tensor argument, or one that is all of a number."""
    if node.given(name):
        return node.value(name)
    return node.const(np.full(shape, number, node.dtype(node.value("input")).storage))


@ATEN.conversion("aten._native_batch_norm_legit_no_training", "aten._native_batch_norm_legit")
def batch_norm(node: AtenNode) -> Sequence[SSAValue | None]:
    """batch_norm: with the running statistics, or with those of the batch."""
    x = node.value("input")
    rank, depth = len(node.shape(x)), node.shape(x)[1]
    weight, bias = (_or_fill(node, n, (depth,), k) for n, k in (("weight", 1), ("bias", 0)))
    epsilon = node.argument("eps")
    if not node.argument("training"):
        statistics = node.value("running_mean"), node.value("running_var")
        return node.onnx("BatchNormalization", x, weight, bias, *statistics, epsilon=epsilon)
    node.require(not node.given("running_mean"), "writes statistics", "call model.eval()")
    out, mean, deviation = _normalised(node, x, [0, *range(2, rank)], epsilon)
    column = (depth, *(1,) * (rank - 2))
    out = node.one("Mul", out, node.reshape(weight, column))
    out = node.one("Add", out, node.reshape(bias, column))
    return [out, *(node.reshape(each, (depth,)) for each in (mean, deviation))]


def _normalised(
    node: AtenNode, x: SSAValue, dims: Sequence[int], epsilon: float
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return a value without mean and spread over dims, its mean, and 1 / its deviation."""
    axes = np.array(dims)
    mean = node.one("ReduceMean", x, axes)
    apart = node.one("Sub", x, mean)
    spread = node.one("ReduceMean", node.one("Mul", apart, apart), axes)
    steady = node.one("Add", spread, node.scalar(epsilon, x))
    deviation = node.one("Reciprocal", node.one("Sqrt", steady))
    return node.one("Mul", apart, deviation), mean, deviation


@ATEN.conversion("aten.layer_norm", "aten.native_layer_norm")
def layer_norm(node: AtenNode) -> list[SSAValue]:
    """layer_norm over the last dims."""
    x, dims = node.value("input"), node.argument("normalized_shape")
    return node.onnx(
        "LayerNormalization",
        x,
        _or_fill(node, "weight", dims, 1),
        node.optional("bias"),
        outputs=1 + 2 * (node.uses(1) or node.uses(2)),
        axis=-len(dims),
        epsilon=node.argument("eps"),
    )


@ATEN.conversion("aten.rms_norm", "aten._fused_rms_norm")
def rms_norm(node: AtenNode) -> SSAValue:
    """rms_norm over the last dims."""
    x, dims, epsilon = node.value("input"), node.argument("normalized_shape"), node.argument("eps")
    if epsilon is None:
        epsilon = float(np.finfo(node.dtype(x).storage).eps)
    weight = _or_fill(node, "weight", dims, 1)
    return node.one("RMSNormalization", x, weight, axis=-len(dims), epsilon=epsilon)


@ATEN.conversion("aten.group_norm", "aten.native_group_norm")
def group_norm(node: AtenNode) -> list[SSAValue]:
    """group_norm; mean and 1 / deviation where something asks for them."""
    x, groups = node.value("input"), node.argument(node.first("num_groups", "group"))
    batch, depth, *sizes = node.shape(x)
    weight, bias = (_or_fill(node, n, (depth,), k) for n, k in (("weight", 1), ("bias", 0)))
    epsilon = node.argument("eps")
    planar = node.reshape(x, (batch, depth, *(sizes or (1,))))
    out = node.one("GroupNormalization", planar, weight, bias, num_groups=groups, epsilon=epsilon)
    results = [node.reshape(out, node.shape(x))]
    if node.uses(1) or node.uses(2):
        grouped = node.reshape(x, (batch, groups, depth // groups * int(np.prod(sizes))))
        statistics = _normalised(node, grouped, [2], epsilon)[1:]
        results += [node.reshape(each, (batch, groups)) for each in statistics]
    return results


@ATEN.conversion("aten.native_dropout")
def dropout(node: AtenNode) -> list[SSAValue]:
    """native_dropout outside of training: nothing is dropped."""
    node.require(not node.argument("train"), "dropout is in training", "call model.eval()")
    x = node.value("input")
    return [x, node.const(np.ones(node.shape(x), np.bool_))]
