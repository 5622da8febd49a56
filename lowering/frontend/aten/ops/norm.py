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


@ATEN.conversion("aten._native_batch_norm_legit_no_training")
def batch_norm(node: AtenNode) -> list[SSAValue]:
    """batch_norm with the running statistics; those of the batch are empty."""
    x, depth = node.value("input"), node.shape(node.value("input"))[1]
    weight, bias = (_or_fill(node, n, (depth,), k) for n, k in (("weight", 1), ("bias", 0)))
    statistics = node.value("running_mean"), node.value("running_var")
    epsilon = node.argument("eps")
    out = node.one("BatchNormalization", x, weight, bias, *statistics, epsilon=epsilon)
    nothing = node.const(np.zeros(0, node.dtype(x).storage))
    return [out, nothing, nothing]


@ATEN.conversion("aten._native_batch_norm_legit.no_stats")
def batch_norm_of_batch(node: AtenNode) -> list[SSAValue]:
    """batch_norm with the statistics of the batch."""
    x = node.value("input")
    rank, depth = len(node.shape(x)), node.shape(x)[1]
    out, *statistics = _normalised(node, x, [0, *range(2, rank)], node.argument("eps"))
    for op, name, number in (("Mul", "weight", 1), ("Add", "bias", 0)):
        column = node.reshape(_or_fill(node, name, (depth,), number), (depth, *(1,) * (rank - 2)))
        out = node.one(op, out, column)
    return [out, *(node.reshape(each, (depth,)) for each in statistics)]


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
    """layer_norm over the last dims; mean and 1 / deviation where something asks for them."""
    x, dims, epsilon = node.value("input"), node.argument("normalized_shape"), node.argument("eps")
    weight, bias = _or_fill(node, "weight", dims, 1), node.optional("bias")
    out = node.one("LayerNormalization", x, weight, bias, axis=-len(dims), epsilon=epsilon)
    if not node.uses(1) and not node.uses(2):
        return [out]
    return [out, *_normalised(node, x, range(-len(dims), 0), epsilon)[1:]]


@ATEN.conversion("aten.rms_norm", "aten._fused_rms_norm")
def rms_norm(node: AtenNode) -> SSAValue:
    """rms_norm over the last dims."""
    x, dims, epsilon = node.value("input"), node.argument("normalized_shape"), node.argument("eps")
    if epsilon is None:
        epsilon = float(np.finfo(node.dtype(x).storage.name).eps)
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
