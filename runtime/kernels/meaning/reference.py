"""Reference kernels of the native ops whose meaning is that of a graph op, from one table.

They take tensors of any class and write flat tensors in main memory, so every native graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import NativeOp
from ...kernel.registry import BoundCall, Kernel, KernelSet
from ...tensors.tensors import Tensor
from ..support.hoisting import settled
from ..support.params import Params
from .binding import Meaning, evaluate_named
from .block import RECURRENT
from .elementwise import ELEMENTWISE
from .linear import FUSED_LINEAR, LINEAR
from .movement import MOVEMENT, NATIVE_MOVEMENT
from .window import WINDOW

NATIVE_MEANINGS: dict[str, Meaning] = {
    **ELEMENTWISE,
    "ReluMinMax": ELEMENTWISE["Clamp"],
    **WINDOW,
    **LINEAR,
    **FUSED_LINEAR,
    **MOVEMENT,
    **NATIVE_MOVEMENT,
    **RECURRENT,
}
"""By mnemonic; the params of ReluMinMax are named as those of Clamp at this level."""

Apply = Callable[[Sequence[Tensor], Sequence[Tensor]], BoundCall]


def applied(op: type[NativeOp], meaning: Meaning) -> Apply:
    """From outputs and operands to the call that evaluates the op on them."""

    def bind(outputs: Sequence[Tensor], operands: Sequence[Tensor]) -> BoundCall:
        names = [op.OPERANDS[min(i, len(op.OPERANDS) - 1)] for i in range(len(operands))]
        held = list(zip(names, operands, strict=True))
        inputs = [tensor for name, tensor in held if name not in op.PARAMS]
        params = {name: tensor for name, tensor in held if name in op.PARAMS}

        def call() -> BoundCall:
            read = Params({name: _numbers(tensor) for name, tensor in params.items()})
            return partial(evaluate_named, op.name, meaning, inputs, read, outputs)

        return settled(list(params.values()), call)

    return bind


def _numbers(tensor: Tensor) -> tuple[float, ...]:
    """What a param holds, in order."""
    return tuple(tensor.load().reshape(-1).tolist())


def _one_result(apply: Apply) -> Callable[..., BoundCall]:
    def reference(out: Tensor, *operands: Tensor) -> BoundCall:
        return apply([out], operands)

    return reference


def _two_results(apply: Apply) -> Callable[..., BoundCall]:
    def reference(out_0: Tensor, out_1: Tensor, *operands: Tensor) -> BoundCall:
        return apply([out_0, out_1], operands)

    return reference


def _three_results(apply: Apply) -> Callable[..., BoundCall]:
    def reference(out_0: Tensor, out_1: Tensor, out_2: Tensor, *operands: Tensor) -> BoundCall:
        return apply([out_0, out_1, out_2], operands)

    return reference


_BY_RESULTS = {1: _one_result, 2: _two_results, 3: _three_results}


def _declared() -> KernelSet:
    """One kernel an op; a name that only graph ops have is no op of this level."""
    kernels = KernelSet()
    for name, meaning in NATIVE_MEANINGS.items():
        if name in NATIVE_OPS:
            op = NATIVE_OPS[name]
            declare = kernels.kernel(name, name="reference")
            declare(_BY_RESULTS[op.RESULTS](applied(op, meaning)))
    return kernels


KERNELS = _declared()

REFERENCE: dict[str, Kernel] = {kernel.op: kernel for kernel in KERNELS}
"""The same by op (`htp.Add`)."""
