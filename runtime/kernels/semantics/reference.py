"""Reference kernels of the native ops in the table of semantics.

They take tensors of any class and write flat tensors, so every native graph runs.
"""

from collections.abc import Callable, Sequence
from functools import partial

from ....dialects.htp import NATIVE_OPS, NativeOp
from ....dialects.registrar import Table
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Kernel
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import bound_once
from ..support.classes import Anywhere
from .semantics import Params, evaluate
from .table import NATIVE_SEMANTICS

Operands = Sequence[Tensor | ShapeParam]

_NAMES = {
    "Conv2d_valid": "conv_valid",
    "ConvLayer_valid": "conv_layer",
    "ConvLayer_valid.clamp": "conv_layer_clamp",
    "DepthwiseConvLayer_valid": "depthwise",
    "DepthwiseConvLayer_valid.clamp": "depthwise_clamp",
    "TransposeConvLayer_valid": "transposed",
    "MaxPool_valid": "max_pool",
    "AvgPool_valid": "avg_pool",
}
"""The names of reference kernels in allocated IR, where they are not `reference`."""


def by_semantics(mnemonic: str) -> Callable[[Sequence[Tensor], Operands], BoundCall]:
    """Make the function from outputs and operands to the call that evaluates the op on them."""
    op, semantics = NATIVE_OPS[mnemonic], NATIVE_SEMANTICS[mnemonic]

    def bind(outputs: Sequence[Tensor], operands: Operands) -> BoundCall:
        names = [op.OPERANDS[min(i, len(op.OPERANDS) - 1)] for i in range(len(operands))]
        named = list(zip(names, operands, strict=True))
        data = [operand for name, operand in named if name not in op.PARAMS]
        inputs = [tensor for tensor in data if isinstance(tensor, Tensor)]
        params = {name: operand for name, operand in named if name in op.PARAMS}

        def call() -> BoundCall:
            values = Params({name: numbers(param) for name, param in params.items()})
            return partial(evaluate, op.name, semantics, inputs, values, outputs)

        return bound_once([p for p in params.values() if isinstance(p, Tensor)], call)

    return bind


def numbers(param: Tensor | ShapeParam) -> tuple[float, ...]:
    """List the numbers of a param, in order."""
    if isinstance(param, ShapeParam):
        return param.dims
    return tuple(param.load().reshape(-1).tolist())


def _declare(kernels: KernelSet, op: type[NativeOp]) -> None:
    mnemonic, results = op.mnemonic(), op.RESULTS
    evaluated = by_semantics(mnemonic)

    def reference(*tensors: Tensor | ShapeParam) -> BoundCall:
        outputs = [tensor for tensor in tensors[:results] if isinstance(tensor, Tensor)]
        return evaluated(outputs, tensors[results:])

    kernels.add(
        mnemonic,
        reference,
        {f"out{index or ''}": Anywhere for index in range(results)},
        {n.removesuffix("..."): ShapeParam if n in op.SHAPES else Tensor for n in op.OPERANDS},
        name=_NAMES.get(mnemonic, "reference"),
        variadic=op.OPERANDS[-1].endswith("..."),
    )


KERNELS = KernelSet()

for _name in NATIVE_SEMANTICS:
    if _name in NATIVE_OPS:
        _declare(KERNELS, NATIVE_OPS[_name])

REFERENCE: Table[Kernel] = Table(
    {kernel.op: kernel for kernel in KERNELS},
    "",
    "is no native op with semantics",
    "add its class, and its place in OPS, to a module in dialects/htp/ops, and a row to "
    "runtime/kernels/semantics/table.py",
)
"""The same by op (`htp.Add`)."""
