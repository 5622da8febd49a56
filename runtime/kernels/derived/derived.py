"""Kernels that follow from others: for further dtypes, and for mixed layouts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.ops.elementwise import BinaryOp, ChoiceOp, UnaryOp
from ....dialects.value import FLAT_DDR, FLAT_TCM, DType
from ...kernel.declare import KernelSet, Takes
from ...kernel.kernel import BoundCall, Cost, Kernel, KernelSlot
from ...tensors.tensor_classes import Int32Tensor, new_tensor
from ...tensors.tensors import Bytes, ShapeParam, Tensor
from ..f32.images import max_pool
from ..f32.norm import reduced
from ..semantics.reference import REFERENCE
from ..support import pointwise
from ..support.bands import has_one_encoding, read
from ..support.calls import bound_once, in_order
from ..support.classes import (
    BYTES,
    CROUTONS,
    ENCODED,
    FLATS,
    HALVES,
    NUMBERS,
    PLACE_OF,
    PLACES,
    QUANTIZED,
    WHOLES,
    RealKernels,
    classes,
    place_name,
)
from .variants import by_op, dtype_variants, for_family, plain_of, through_reals

_WEIGHTS = "weights"
_LAYERS = ("FullyConnected", "ConvLayer_valid", "DepthwiseConvLayer_valid")
_WEIGHTED = {
    *("htp.FullyConnected.gelu", "htp.TransposeConvLayer_valid"),
    *("htp.Conv2d", "htp.DepthWiseConv2d"),
    *(f"htp.{layer}{end}" for layer in _LAYERS for end in ("", ".clamp")),
}
"""The ops whose weights may be quantised beside floats."""


def _stored_weights(reals: Iterable[Kernel]) -> Iterator[Kernel]:
    """Make a kernel with quantised weights of each f32 kernel of a product, and those for f16.

    Constant weights are read as real numbers once, when the kernel is bound.
    """
    for kernels in by_op(kernel for kernel in reals if kernel.op in _WEIGHTED).values():
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


_ENTRIES = (1, 1, 1, 256)
_OPS = (*pointwise.UNARY, "Elu", "LeakyRelu", "Swish", "Clamp", "ReluMinMax")


def _tables(otherwise: Callable[[str], Callable[..., BoundCall]]) -> KernelSet:
    """Declare functions of one 8-bit tensor as tables of 256 results, in storage order.

    The reference kernel makes a table from every number that can be stored, so it agrees with the
    reference to the last bit, whatever the encodings of the input and the result. An encoding along
    an axis has no one table and goes to `otherwise`.
    """
    kernels = KernelSet()
    scalars = classes((*ENCODED.params, *ENCODED.dtypes), FLAT_DDR)
    for name in _OPS:
        op = NATIVE_OPS[name]
        function = partial(_looked_up, op.name, otherwise(op.name))
        for place in PLACES:
            data = classes(BYTES, place)
            kernels.add(
                name,
                function,
                {"out": data},
                {"inp": data, **dict.fromkeys(op.PARAMS, scalars)},
                name=f"table.{place_name(place)}",
                cost=Cost.FAST,
            )
    return kernels


def _looked_up(
    op: str, otherwise: Callable[..., BoundCall], out: Tensor, inp: Tensor, *params: Tensor
) -> BoundCall:
    if not (has_one_encoding(out) and has_one_encoding(inp)):
        return otherwise(out, inp, *params)

    def bind() -> BoundCall:
        entries = _entries(op, out, inp, params)
        index, result = inp.array.view(np.uint8), out.array.view(np.uint8)
        return partial(np.take, entries, index, out=result, mode="clip")

    return bound_once(params, bind)


def _entries(op: str, out: Tensor, inp: Tensor, params: tuple[Tensor, ...]) -> Bytes:
    every = new_tensor(inp.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    result = new_tensor(out.spec.with_shape(_ENTRIES).with_place(FLAT_DDR))
    every.bytes[:] = np.arange(every.bytes.size, dtype=np.uint8)
    with np.errstate(all="ignore"):
        REFERENCE[op].bind([result], [every, *params])()
    return result.bytes


Function = Callable[..., BoundCall]

_WINDOW: dict[str, Takes] = {"window": ShapeParam, "stride": ShapeParam}
_AXES: dict[str, Takes] = {"axes": Int32Tensor}


def _extremes(otherwise: Callable[[str], Function]) -> KernelSet:
    """Declare largest and smallest elements without arithmetic, compared as they are stored.

    Where the result has an encoding of its own, `otherwise` takes over.
    """
    kernels = KernelSet()
    for name, params, function, places in (
        ("MaxPool_valid", _WINDOW, max_pool, PLACES),
        ("ReduceMax", _AXES, partial(reduced, "Max"), FLATS),
        ("ReduceMin", _AXES, partial(reduced, "Min"), FLATS),
    ):
        stored = partial(_stored_extremes, function, otherwise(f"htp.{name}"))
        for place in places:
            data = classes((*QUANTIZED, DType.Int32), place)
            kernels.add(
                name,
                stored,
                {"out": data},
                {"inp": data, **params},
                name=f"stored.{place_name(place)}",
                cost=Cost.FAST,
            )
    return kernels


def _stored_extremes(
    function: Function,
    through_reals: Function,
    out: Tensor,
    inp: Tensor,
    *rest: Tensor | ShapeParam,
) -> BoundCall:
    same = out.spec.same_encoding(inp.spec) and has_one_encoding(inp)
    return (function if same else through_reals)(out, inp, *rest)


_POINTWISE = {
    op.name
    for op in NATIVE_OPS.values()
    if op.CORE is None and issubclass(op, UnaryOp | BinaryOp | ChoiceOp)
}


def derived(declared: Iterable[Iterable[Kernel]]) -> list[Kernel]:
    """Derive the kernels from the sets of f32 kernels among the declared ones."""
    sets = [kernels for kernels in declared if isinstance(kernels, RealKernels)]
    reals = [kernel for kernels in sets for kernel in kernels]
    elementwise = {kernel.op for kernels in sets if kernels.elementwise for kernel in kernels}
    groups = by_op(reals)

    def otherwise(op: str) -> Callable[..., BoundCall]:
        """An op's kernel on tensors read as real numbers, else its reference."""
        return through_reals(plain_of(groups.get(op, [])) or REFERENCE[op])

    return [
        *_tables(otherwise),
        *_extremes(otherwise),
        *dtype_variants(reals, elementwise),
        *_stored_weights(reals),
        *_for_integers(reals),
        *_for_mixed_placements(sorted({*elementwise, *_POINTWISE, "htp.BiasAdd"})),
    ]


def _for_integers(reals: Sequence[Kernel]) -> Iterator[Kernel]:
    """The reference on i32 tensors wherever an f32 kernel takes f32 ones."""
    for op, kernels in by_op(reals).items():
        yield from for_family(kernels, WHOLES, replace(REFERENCE[op], cost=Cost.SNAIL))


def _for_mixed_placements(ops: Iterable[str]) -> Iterator[Kernel]:
    """The reference on operands of any layout and memory, for results in croutons or TCM."""
    dtypes = (*NUMBERS, DType.Int64, DType.Bool8)
    results = KernelSlot.of("out", classes(dtypes, FLAT_TCM, *CROUTONS))
    for op in ops:
        yield replace(
            REFERENCE[op],
            name="mixed",
            cost=Cost.SNAIL,
            outputs=(results,),
            inputs=(KernelSlot("operands", Tensor),),
            variadic=True,
        )
