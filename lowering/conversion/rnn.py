"""Lstm, Gru, their stateful forms and Buffer: uniform operands, state made explicit.

A stateful RNN is a read of each state, the stateless op and a write of each state, so that no
pass has to know about it and none can lose a reset.
"""

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value import RANK, DType, Shape, TensorSpec
from .builder import Builder, ConversionFault, ConversionSet, rank4
from .regular import params_in_order

CONVERSIONS = ConversionSet()

_INPUTS = {
    "Lstm": ("X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"),
    "Gru": ("X", "W", "R", "B", "sequence_lens", "initial_h"),
}
_STATES = {"Lstm": ("initial_h", "initial_c"), "Gru": ("initial_h",)}
_GATES = {"Lstm": 4, "Gru": 3}


@CONVERSIONS.conversion("Lstm", "Gru")
def convert_rnn(op: GraphOp, builder: Builder) -> None:
    """Append the stateless op; absent inputs become zeros, absent lengths the whole sequence."""
    name = op.name.rpartition(".")[2]
    _append(op, name, builder, {})


@CONVERSIONS.conversion("StatefulLstm", "StatefulGru")
def convert_stateful_rnn(op: GraphOp, builder: Builder) -> None:
    """Append a read per state, the stateless op, and a write per state.

    Outputs of the stateless op after Y are the final states, in the order of the initial ones.
    """
    name = op.name.rpartition(".")[2].removeprefix("Stateful")
    reset = builder.reset_of(op)
    states = [
        builder.state(op, role.removeprefix("initial_"), _initial(op, name, at, builder), reset)
        for at, role in enumerate(_STATES[name])
    ]
    read = dict(zip(_STATES[name], (state.value for state in states), strict=True))
    finals = _append(op, name, builder, read)[1:]
    for state, final in zip(states, finals, strict=True):
        builder.write(state, final)


def _initial(op: GraphOp, name: str, at: int, builder: Builder) -> SSAValue:
    """The first value of a state, in the encoding of its later ones."""
    value = _input(op, name, _STATES[name][at], builder)
    spec = rank4(spec_of(op.results[1 + at]))
    return value if spec_of(value).same_encoding(spec) else builder.op("Quantize", [value], spec)


def _append(op: GraphOp, name: str, builder: Builder, bound: dict[str, SSAValue]) -> list[SSAValue]:
    inputs = [bound.get(role) or _input(op, name, role, builder) for role in _INPUTS[name]]
    params = [builder.param(key, value) for key, value in params_in_order(op, name, builder)]
    results = [rank4(spec_of(result)) for result in op.results]
    outputs = list(builder.multi(name, [*inputs, *params], *results))
    for result, output in zip(op.results, outputs, strict=True):
        builder.set(result, output)
    return outputs


def _input(op: GraphOp, name: str, role: str, builder: Builder) -> SSAValue:
    operand: SSAValue | None = getattr(op, role)
    if operand is not None:
        return builder.get(operand)
    sequence, batch, _ = spec_of(op.operands[0]).shape
    if role == "sequence_lens":
        return builder.full((1, 1, 1, batch), sequence, DType.Int32)
    spec = spec_of(op.operands[0]).with_shape(_absent_shape(op, name, role, batch))
    zero = spec.quant.zero_point if spec.quant else 0
    return builder.const(np.full(spec.shape, zero, spec.dtype.storage), spec)


def _absent_shape(op: GraphOp, name: str, role: str, batch: int) -> Shape:
    directions, _, hidden = spec_of(op.operands[2]).shape
    return {
        "B": (1, 1, directions, 2 * _GATES[name] * hidden),
        "initial_h": (1, directions, batch, hidden),
        "initial_c": (1, directions, batch, hidden),
        "P": (1, 1, directions, 3 * hidden),
    }[role]


_MODES = {"NON_BLOCKING_LEFT": 1, "NON_BLOCKING_RIGHT": 2}


@CONVERSIONS.conversion("Buffer")
def convert_buffer(op: GraphOp, builder: Builder) -> None:
    """Append the reads of content and counters, the step, and their writes."""
    result, params = rank4(spec_of(op.results[0])), op.params()
    mode = _MODES.get(str(params["mode"]))
    if mode is None:
        remedy = "use NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT"
        raise ConversionFault("mode BLOCKING cannot run on HTP", remedy)
    dim = op.int_param("buffer_dim") + RANK - spec_of(op.operands[0]).rank
    if dim < 0:
        problem = f"buffers a dim that native tensors do not have, of rank {RANK}"
        raise ConversionFault(problem, "reshape to rank 4 in the model")
    padding = op.int_param("buffer_padding")
    full = padding == result.shape[dim]
    counters = TensorSpec((1, 1, 1, 2), DType.Int32)
    start = np.array([padding, int(full)], np.int32)
    empty = np.full(result.shape, result.quant.zero_point if result.quant else 0)
    reset = builder.reset_of(op)
    content = builder.state(op, "content", builder.const(empty, result), reset)
    counts = builder.state(op, "counters", builder.const(start, counters), reset)
    operands = [
        content.value,
        counts.value,
        builder.get(op.operands[0]),
        builder.param("dim", dim),
        builder.param("stride", params["stride"]),
        builder.param("mode", mode),
    ]
    out, kept, counted = builder.multi("BufferStep", operands, result, result, counters)
    builder.set(op.results[0], out)
    builder.write(content, kept)
    builder.write(counts, counted)
