"""Dtype variants: kernels for f16 and quantised tensors, one for every f32 kernel and place.

Operands are read as real numbers, the f32 kernel works on these, and its results are rounded or
quantised once. The classes of a variant follow from those of the f32 kernel: the same places, with
weights in any quantised dtype and scalars also as f32.

Sums of quantised products are summed over integers, as in `exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....dialects.value import DType, TensorSpec
from ...kernel.kernel import Annotation, BoundCall, Call, Kernel, KernelSlot
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, constant_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import alike, finished, read, rows_of, written
from ..support.calls import Floats, gain, in_order
from ..support.classes import ENCODED, HALVES, PLACE_OF, PLACES, Family, place_name


@dataclass(frozen=True)
class Sums:
    """An op that sums products of its first operands.

    core: the op that does just that, from the operands before `bias` and a bias. bias: the position
    of the bias, and of two bounds after it where the op has them. channel: the axis of the last
    factor, from the end, that is the result's depth.
    """

    core: str
    factors: int = 2
    channel: int | None = -1
    bias: int | None = None
    gelu: bool = False
    params: int = 0
    """The operands behind the bias that say what is summed."""


SUMS: dict[str, Sums] = {
    **{
        f"htp.{name}{suffix}": Sums(f"htp.{name}", bias=3)
        for name in ("ConvLayer_valid", "DepthwiseConvLayer_valid")
        for suffix in ("", ".clamp")
    },
    "htp.TransposeConvLayer_valid": Sums("htp.TransposeConvLayer_valid", bias=3),
    "htp.Conv2d": Sums("htp.Conv2d", bias=2, params=4),
    "htp.DepthWiseConv2d": Sums("htp.DepthWiseConv2d", bias=2, params=3),
    "htp.FullyConnected": Sums("htp.FullyConnected", channel=-2, bias=2),
    "htp.FullyConnected.clamp": Sums("htp.FullyConnected", channel=-2, bias=2),
    "htp.FullyConnected.gelu": Sums("htp.FullyConnected", channel=-2, bias=2, gelu=True),
    "htp.MatMul": Sums("htp.MatMul", channel=None),
    **{
        f"htp.{name}": Sums(f"htp.{name}", factors=1, channel=None)
        for name in ("AvgPool_valid", "PoolAvg2d", "ReduceSum", "ReduceMean")
    },
}


def _through_sums(op: Sums, core: Kernel, otherwise: Function) -> Function:
    """Make a kernel on quantised tensors; factors that are not integers go to `otherwise`.

    `core` works on flat f32 tensors in main memory.
    """

    def bind(out: Tensor, *operands: Tensor | ShapeParam) -> BoundCall:
        factors = [operand for operand in operands[: op.factors] if isinstance(operand, Tensor)]
        scale = gain(factors, op.channel, out.shape[3])
        if scale is None:
            return otherwise(out, *operands)
        before: list[Call] = []
        reals: list[Tensor | ShapeParam] = []
        for factor in factors:
            real, calls = read(factor, scaled=False)
            reals.append(real)
            before += calls
        end = len(operands) - op.params
        reals += operands[op.factors : op.bias]
        if op.bias is not None:
            zeros = np.zeros((1, 1, 1, out.shape[3]), np.float32)
            reals.append(constant_tensor(TensorSpec(zeros.shape, DType.Float32), zeros))
            reals += operands[end:]
        result, after = written(out)
        finish = _finished(op, result.array, scale, operands[op.bias : end] if op.bias else ())
        return in_order([*before, core.bind([result], reals), *finish, *after])

    return bind


def _finished(
    op: Sums, sums: Floats, scale: Floats, last: Sequence[Tensor | ShapeParam]
) -> Iterator[Call]:
    """Scale, bias, bounds and Gelu; the last operands are read before."""
    params: list[Floats] = []
    for param in (operand for operand in last if isinstance(operand, Tensor)):
        real, calls = read(param)
        params.append(real.array.reshape(-1))
        yield from calls
    yield from finished(rows_of(sums), params, op.gelu, scale)


Function = Callable[..., BoundCall]

_FLAT_IN_DDR: tuple[Annotation, ...] = (PlainFloatTensor, Int32Tensor, ShapeParam)


def dtype_variants(reals: Iterable[Kernel], elementwise: Collection[str] = ()) -> list[Kernel]:
    """Make the f16 and quantised kernels for some f32 ones.

    The ops in `elementwise` (`htp.Add`) work on elements in storage order.
    """
    variants: list[Kernel] = []
    groups = by_op(reals)
    for op, kernels in groups.items():
        plain = plain_of(kernels)
        if plain is not None:
            function = through_reals(plain, op in elementwise)
            # Quantised tensors are summed over integers where the op sums products.
            sums = SUMS.get(op)
            core = plain_of(groups[sums.core]) if sums else None
            exact = (
                function if sums is None or core is None else _through_sums(sums, core, function)
            )
            variants += for_family(kernels, HALVES, replace(plain, function=function))
            variants += for_family(kernels, ENCODED, replace(plain, function=exact))
    return variants


def by_op(kernels: Iterable[Kernel]) -> dict[str, list[Kernel]]:
    """Group kernels by op."""
    groups: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault(kernel.op, []).append(kernel)
    return groups


def plain_of(kernels: Iterable[Kernel]) -> Kernel | None:
    """Find the first kernel that works on flat f32 tensors in main memory and nothing else."""
    for kernel in kernels:
        if all(slot.takes in _FLAT_IN_DDR for slot in (*kernel.outputs, *kernel.inputs)):
            return kernel
    return None


def for_family(reals: Sequence[Kernel], family: Family, variant: Kernel) -> Iterator[Kernel]:
    """Give `variant` the family's classes at every place that one of the f32 kernels serves.

    Its scratch, if any, is that of the kernel there: it holds f32.
    """
    for place in PLACES:
        served = [k for k in reals if PLACE_OF.get(k.outputs[0].takes) == place]
        if served:
            yield replace(
                variant,
                name=f"{family.name}.{place_name(place)}",
                outputs=_slots([k.outputs for k in served], family, is_output=True),
                inputs=_slots([k.inputs for k in served], family, is_output=False),
                variadic=False,
                scratch=served[0].scratch if variant.scratch else (),
            )


def through_reals(kernel: Kernel, elementwise: bool = False) -> Function:
    """Make a kernel on flat f32 tensors in main memory one for tensors of any class."""
    count = len(kernel.outputs)

    def bind(*tensors: Tensor | ShapeParam, **scratch: Tensor) -> BoundCall:
        outputs = [tensor for tensor in tensors[:count] if isinstance(tensor, Tensor)]
        operands = tensors[count:]
        data = [t for t in operands if isinstance(t, Tensor) and t.spec.elements > 1]
        storage_order = elementwise and alike([*outputs, *data])
        before: list[Call] = []
        after: list[Call] = []
        reals: list[Tensor | ShapeParam] = []
        for operand, slot in zip(operands, kernel.inputs, strict=True):
            if isinstance(operand, ShapeParam) or slot.takes is not PlainFloatTensor:
                reals.append(operand)
                continue
            real, calls = read(operand, storage_order)
            reals.append(real)
            before += calls
        results: list[Tensor] = []
        for output in outputs:
            result, calls = written(output, storage_order)
            results.append(result)
            after += calls
        bound = kernel.bind(results, reals, tuple(scratch.values()))
        return in_order([*before, bound, *after])

    return bind


def _slots(
    kernels: Sequence[tuple[KernelSlot, ...]], family: Family, is_output: bool
) -> tuple[KernelSlot, ...]:
    """Position by position the classes that any of the f32 kernels takes, for the family."""
    slots = []
    for same in zip(*kernels, strict=True):
        taken = list(dict.fromkeys(class_ for s in same for class_ in (s.takes, *s.also)))
        variants: Sequence[Annotation] = [c for t in taken for c in family.variants.get(t, ())]
        # The place of scalars and biases, which are flat, does not follow that of the data.
        if (
            variants
            and (taken == [PlainFloatTensor] or all(s.also for s in same))
            and not is_output
        ):
            variants = [*variants, *family.more]
        slots.append(KernelSlot.of(same[0].name, variants or taken))
    return tuple(slots)
