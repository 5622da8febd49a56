"""Reference kernels of the native ops, in the table of semantics or written out; and graph ops.

The first take tensors of any class and write flat tensors, so every native graph runs. The others
work on stored values, or on shapes that no param states. `GRAPH["Conv2d"]` evaluates a graph op,
which allocates its results.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ....dialects.diagnostics import fail
from ....dialects.htp import NATIVE_OPS, NativeOp
from ....dialects.qti_aisw import GRAPH_OPS, GraphOp
from ....dialects.registrar import Table
from ....dialects.spec_of import spec_of
from ....dialects.value import TensorSpec
from ...functions.buffer import BufferMode, buffer_step, initial_content
from ...functions.support.arrays import Array, windows
from ...functions.transformers import sequence_ids
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Kernel
from ...kernel.library import Evaluator, Inputs, StatefulEvaluator, graph_operands
from ...tensors.tensor_classes import constant_tensor, new_tensor
from ...tensors.tensors import RunTensor, ShapeParam, Tensor
from ..support.bands import everything, filler, overlap
from ..support.calls import bound_once, number_in
from ..support.classes import Anywhere
from .semantics import Params, Semantics, evaluate
from .table import GRAPH_SEMANTICS, NATIVE_SEMANTICS, RECURRENT


def _operands(op: GraphOp, inputs: Inputs) -> list[tuple[str, Tensor | None]]:
    """Name and tensor of each operand, in the order of the op's definition."""
    return [
        (name, None if value is None or array is None else constant_tensor(spec_of(value), array))
        for (name, value), array in zip(graph_operands(op), inputs, strict=True)
    ]


def _apply(semantics: Semantics, op: GraphOp, operands: Sequence[Tensor | None]) -> list[Array]:
    """The stored values of the op's results."""
    results = [RunTensor(spec_of(result)) for result in op.results]
    evaluate(op.name, semantics, operands, Params(op.params()), results)
    return [result.array for result in results]


def _evaluate(semantics: Semantics, op: GraphOp, inputs: Inputs) -> list[Array]:
    return _apply(semantics, op, [tensor for _, tensor in _operands(op, inputs)])


# Recurrent layers take their operands by name; state is an explicit value.

_SHARED = ("X", "W", "R", "B", "sequence_lens", "initial_h")
_OPERANDS = {"Lstm": (*_SHARED, "initial_c", "P"), "Gru": _SHARED}
_STATES = {"Lstm": ("initial_h", "initial_c"), "Gru": ("initial_h",)}


def _run(kind: str, op: GraphOp, operands: dict[str, Tensor | None]) -> list[Array]:
    return _apply(RECURRENT[kind], op, [operands[name] for name in _OPERANDS[kind]])


def _stateless(kind: str, op: GraphOp, inputs: Inputs) -> list[Array]:
    return _run(kind, op, dict(_operands(op, inputs)))


def _initial_states(kind: str, op: GraphOp, inputs: Inputs) -> list[Array]:
    """initial_h and initial_c, zeros where they are absent."""
    operands = dict(_operands(op, inputs))
    states = [new_tensor(spec_of(result)) for result in op.results[1:]]
    for name, state in zip(_STATES[kind], states, strict=True):
        initial = operands[name]
        state.store(np.zeros(state.shape) if initial is None else initial.load())
    return [state.stored() for state in states]


def _step(
    kind: str, op: GraphOp, inputs: Inputs, states: Sequence[Array]
) -> tuple[list[Array], list[Array]]:
    """The results and the new states, which are the results after the first."""
    operands = dict(_operands(op, inputs))
    for name, result, state in zip(_STATES[kind], op.results[1:], states, strict=True):
        operands[name] = constant_tensor(spec_of(result), state)
    results = _run(kind, op, operands)
    return results, [result.copy() for result in results[1:]]


def zero_of(spec: TensorSpec) -> int:
    """Find the stored value of the real number 0."""
    return spec.quant.zero_point if spec.quant else 0


def _initial_buffer(op: GraphOp, inputs: Inputs) -> tuple[Array, Array]:
    spec, params = spec_of(op.results[0]), Params(op.params())
    padding, dim = params.integer("buffer_padding"), params.integer("buffer_dim")
    return initial_content(spec.shape, spec.dtype.storage, padding, dim, zero_of(spec))


def _buffer_step(
    op: GraphOp, inputs: Inputs, states: Sequence[Array]
) -> tuple[list[Array] | None, list[Array]]:
    params = Params(op.params())
    content, counters = states
    (rows,) = (array for array in inputs[:1] if array is not None)
    out, *after, ready = buffer_step(
        content,
        counters.astype(np.int32, copy=False),
        rows,
        params.integer("buffer_dim"),
        params.integer("stride"),
        params.choice("mode", BufferMode),
        zero_of(spec_of(op.results[0])),
    )
    return ([out] if ready else None), after


GRAPH: dict[str, Evaluator] = {
    **{name: partial(_evaluate, semantics) for name, semantics in GRAPH_SEMANTICS.items()},
    **{kind: partial(_stateless, kind) for kind in RECURRENT},
}
"""Ops without state."""

GRAPH_STATEFUL: dict[str, StatefulEvaluator] = {
    "Buffer": StatefulEvaluator(("content", "counters"), _initial_buffer, _buffer_step),
    **{
        f"Stateful{kind}": StatefulEvaluator(
            names=tuple(name.removeprefix("initial_") for name in _STATES[kind]),
            initial_state=partial(_initial_states, kind),
            step=partial(_step, kind),
        )
        for kind in RECURRENT
    },
}
"""Ops whose results depend on earlier inferences."""

_NEITHER = sorted(GRAPH_OPS.keys() - GRAPH.keys() - GRAPH_STATEFUL.keys())
if _NEITHER:
    raise fail(
        f"qti_aisw.{_NEITHER[0]}",
        "has no evaluator",
        "add its raw form to dialects/htp/ops, or a row to runtime/kernels/semantics/table.py",
    )


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


@KERNELS.kernel("Reshape")
def reshape(out: Tensor, inp: Tensor) -> None:
    out.store_raw(inp.stored().reshape(out.shape))


@KERNELS.kernel("Slice_shape")
def slice_block(out: Tensor, inp: Tensor, start: ShapeParam, size: ShapeParam) -> None:
    out.store_raw(inp.stored()[everything(size.dims, start.dims)])


@KERNELS.kernel("SlicePad_shape")
def slice_padded(
    out: Tensor,
    inp: Tensor,
    pad_before: ShapeParam,
    start: ShapeParam,
    size: ShapeParam,
    value: Tensor,
) -> None:
    first = [begin - before for begin, before in zip(start.dims, pad_before.dims, strict=True)]
    shared = overlap(inp.shape, first, size.dims)
    taken = np.broadcast_to(filler(number_in(value), out.spec), out.shape).copy()
    if not shared.empty:
        taken[shared.target] = inp.stored()[shared.source]
    out.store_raw(taken)


@KERNELS.kernel("ConvLayer.opt.im2col_stride2")
def im2col(out: Tensor, act: Tensor, weights_shape: ShapeParam) -> None:
    """Taps in the order height, width, channel; the depth past them holds the real number 0."""
    height, width, _, _ = weights_shape.dims
    taps = windows(act.load(), (height, width), (2, 2)).transpose(0, 1, 2, 4, 5, 3)
    out.store(_deepened(taps.reshape(*taps.shape[:3], -1), 3, out.shape[3]))


@KERNELS.kernel("ConvLayer.opt.weights_for_im2col")
def weights_for_im2col(out: Tensor, weights: Tensor) -> None:
    """Weights as a matrix [taps, filters], rows of the real number 0 added."""
    values = weights.load()
    out.store(_deepened(values.reshape(1, 1, -1, values.shape[3]), 2, out.shape[2]))


def _deepened(values: Array, axis: int, depth: int) -> Array:
    """Zeros added at the end of an axis, up to `depth`."""
    amounts = [(0, 0)] * values.ndim
    amounts[axis] = (0, depth - values.shape[axis])
    return np.pad(values, amounts)


@KERNELS.kernel("BufferStep")
def step(
    out: Anywhere,
    out_content: Anywhere,
    out_counters: Anywhere,
    content: Tensor,
    counters: Tensor,
    inp: Tensor,
    dim: Tensor,
    stride: Tensor,
    mode: Tensor,
) -> None:
    """The unfilled part holds the stored value of 0."""
    rows, next_content, next_counters, _ = buffer_step(
        content.stored(),
        counters.stored().reshape(-1).astype(np.int32, copy=False),
        inp.stored(),
        int(number_in(dim)),
        int(number_in(stride)),
        BufferMode(int(number_in(mode))),
        zero_of(content.spec),
    )
    out.store_raw(rows)
    out_content.store_raw(next_content)
    out_counters.store_raw(next_counters.reshape(out_counters.shape))


@KERNELS.kernel("SequenceIds")
def ids(out: Anywhere, lengths: Tensor, size: ShapeParam) -> None:
    """lengths [1, 1, b, M] -> ids [b, 1, 1, c]; a wrong length raises HtpError."""
    batch, _, _, positions = size.dims
    try:
        owners = sequence_ids(lengths.load().astype(np.int64).reshape(batch, -1), positions)
    except ValueError as error:
        raise fail("htp.SequenceIds", str(error), "no output and no state was changed") from error
    out.store(owners.reshape(out.shape))
