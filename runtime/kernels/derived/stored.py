"""Kernels of products whose weights are quantised and whose other tensors are f32."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ...kernel.kernel import BoundCall, Kernel, KernelSlot
from ...tensors.tensors import Tensor
from ..support.calls import in_order
from ..support.families import ENCODED
from ..support.reals import read

_WEIGHTS = "weights"
_LAYERS = ("FullyConnected", "ConvLayer_valid", "DepthwiseConvLayer_valid")
_OPS = {
    *("htp.FullyConnected.gelu", "htp.TransposeConvLayer_valid"),
    *(f"htp.{layer}{end}" for layer in _LAYERS for end in ("", ".clamp")),
}
"""The ops whose weights may be quantised beside floats."""


def stored_weights(reals: Iterable[Kernel]) -> Iterator[Kernel]:
    """Make a kernel with quantised weights of each f32 kernel of a product.

    Constant weights are read as real numbers once, when the kernel is bound.
    """
    for kernel in (kernel for kernel in reals if kernel.op in _OPS):
        names = [slot.name for slot in kernel.inputs]
        index = names.index(_WEIGHTS)
        coded = KernelSlot.of(_WEIGHTS, ENCODED.variants[kernel.inputs[index].takes])
        yield replace(
            kernel,
            name=f"{kernel.name}.stored",
            inputs=(*kernel.inputs[:index], coded, *kernel.inputs[index + 1 :]),
            function=_decoding(kernel, index),
        )


def _decoding(kernel: Kernel, index: int) -> Callable[..., BoundCall]:
    """Make the kernel one that reads an operand as real numbers."""
    count = len(kernel.outputs)

    def bind(*tensors: Tensor) -> BoundCall:
        operands = list(tensors[count:])
        operands[index], calls = read(operands[index])
        return in_order([*calls, kernel.bind(tensors[:count], operands)])

    return bind
