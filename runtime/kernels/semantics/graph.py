"""The evaluators of graph ops by mnemonic: `GRAPH["Conv2d"]`.

Nothing here is fast: a graph op allocates its results.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw import GRAPH_OPS, GraphOp
from ....dialects.spec_of import spec_of
from ....dialects.value import TensorSpec
from ...functions.buffer import BufferMode, buffer_step, initial_content
from ...functions.support.arrays import Array
from ...kernel.library import Evaluator, Inputs, StatefulEvaluator, graph_operands
from ...tensors.tensor_classes import constant_tensor, new_tensor
from ...tensors.tensors import RunTensor, Tensor
from .semantics import Params, Semantics, evaluate
from .table import GRAPH_SEMANTICS, RECURRENT


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
