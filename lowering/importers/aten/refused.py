"""Ops that are refused, and why."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..support.context import NodeFault
from .registry import of_op


@dataclass(frozen=True)
class Refusal:
    """The reason why an op has no conversion, and what to do instead."""

    reason: str
    remedy: str


_BACKWARD = Refusal("it is a step of training", "export the module without gradients")
_RANDOM = Refusal("its numbers are random", "draw them outside, and make them an input")
_DRAWS = (
    *(f"aten.{op}{like}" for op in ("rand", "randn", "randint") for like in ("", "_like")),
    *(f"aten.{op}" for op in ("bernoulli", "multinomial", "normal", "randperm", "uniform")),
)
_COMPLEX = Refusal("graph IR has no complex numbers", "compute real and imaginary parts apart")
_WRITES = Refusal("it writes into an argument", "use the form without out=")
_TRAINS = Refusal("it writes running statistics", "call model.eval()")
_ITEM = Refusal("it makes a number of a tensor that is not constant", "keep it a tensor")
_NONZERO = Refusal("its shape depends on numbers", "use a mask and torch.where")
_BAGS = Refusal("its bags depend on numbers", "use an embedding and a sum over rows")
_STRIDES = Refusal("it reads memory, which a graph does not have", "use views, slices or gather")

REFUSED: Mapping[str, Refusal] = {
    "aten._adaptive_avg_pool2d_backward": _BACKWARD,
    "aten.avg_pool2d_backward": _BACKWARD,
    "aten.convolution_backward": _BACKWARD,
    "aten.embedding_dense_backward": _BACKWARD,
    "aten.max_pool2d_with_indices_backward": _BACKWARD,
    "aten.native_group_norm_backward": _BACKWARD,
    "aten.native_layer_norm_backward": _BACKWARD,
    **dict.fromkeys(_DRAWS, _RANDOM),
    "aten._fft_c2r": _COMPLEX,
    "aten._fft_r2c": _COMPLEX,
    "aten.atan2.out": _WRITES,
    "aten._native_batch_norm_legit.default": _TRAINS,
    "aten._local_scalar_dense": _ITEM,
    "aten.nonzero": _NONZERO,
    "aten._embedding_bag": _BAGS,
    "aten.as_strided": _STRIDES,
}
"""The refusal by op, of an overload or of all its overloads."""


def refusal(op: str, *, is_random: bool = False) -> NodeFault:
    """Return the fault of an op without a conversion: why there is none, and what to do."""
    stated = of_op(REFUSED, op) or (_RANDOM if is_random else None)
    if stated is not None:
        return NodeFault(f"the op has no conversion: {stated.reason}", stated.remedy)
    remedy = f'give it one: @CONVERSIONS.conversion("{op}"), or keep it: --fallback, fallback=True'
    return NodeFault("the op has no conversion", remedy)
