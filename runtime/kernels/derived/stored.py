"""Kernels of products whose weights are quantised and whose other tensors are floats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ...kernel.kernel import BoundCall, Kernel, KernelSlot
from ...tensors.tensors import Tensor
from ..support.calls import in_order
from ..support.families import HALVES, PLACE_OF, QUANTIZED, classes
from ..support.reals import read
from .variants import by_op, for_family, plain_of, through_reals

_WEIGHTS = "weights"
_LAYERS = ("FullyConnected", "ConvLayer_valid", "DepthwiseConvLayer_valid")
_OPS = {
    *("htp.FullyConnected.gelu", "htp.TransposeConvLayer_valid"),
    *("htp.Conv2d", "htp.DepthWiseConv2d"),
    *(f"htp.{layer}{end}" for layer in _LAYERS for end in ("", ".clamp")),
}
"""The ops whose weights may be quantised beside floats."""


def stored_weights(reals: Iterable[Kernel]) -> Iterator[Kernel]:
    """Make a kernel with quantised weights of each f32 kernel of a product, and those for f16.

    Constant weights are read as real numbers once, when the kernel is bound.
    """
    for kernels in by_op(kernel for kernel in reals if kernel.op in _OPS).values():
        stored = [_stored(kernel, _decoding(kernel)) for kernel in kernels]
        yield from stored
        plain = plain_of(kernels)
        if plain is not None:
            decoding = through_reals(stored[kernels.index(plain)])
            for half in for_family(kernels, HALVES, plain):
                yield _stored(half, decoding)


def _stored(kernel: Kernel, function: Callable[..., BoundCall]) -> Kernel:
    """Make a kernel one with quantised weights, at the places of its own."""
    slots = list(kernel.inputs)
    index = _index(kernel)
    taken = (slots[index].takes, *slots[index].also)
    places = dict.fromkeys(PLACE_OF[class_] for class_ in taken)
    slots[index] = KernelSlot.of(_WEIGHTS, classes(QUANTIZED, *places))
    return replace(kernel, name=f"{kernel.name}.stored", inputs=tuple(slots), function=function)


def _decoding(kernel: Kernel) -> Callable[..., BoundCall]:
    """Make the function of a kernel one that reads the weights as real numbers."""
    count, index = len(kernel.outputs), _index(kernel)

    def bind(*tensors: Tensor) -> BoundCall:
        operands = list(tensors[count:])
        operands[index], calls = read(operands[index])
        return in_order([*calls, kernel.bind(tensors[:count], operands)])

    return bind


def _index(kernel: Kernel) -> int:
    return [slot.name for slot in kernel.inputs].index(_WEIGHTS)
