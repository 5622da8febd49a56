"""Recurrent layers at graph level: their operands go by name, their state is an explicit value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....dialects.qti_aisw.base import GraphOp
from ....dialects.value.spec import spec_of
from ...functions.arrays import Array
from ...kernel.evaluators import Evaluator, Inputs, StatefulEvaluator
from ...tensors.tensor_classes import constant_tensor, new_tensor
from ...tensors.tensors import Tensor
from .block import RECURRENT
from .graph_plain import apply, operand_tensors

_SHARED = ("X", "W", "R", "B", "sequence_lens", "initial_h")
_OPERANDS = {"Lstm": (*_SHARED, "initial_c", "P"), "Gru": _SHARED}
_STATES = {"Lstm": ("initial_h", "initial_c"), "Gru": ("initial_h",)}


def _by_name(op: GraphOp, inputs: Inputs) -> dict[str, Tensor | None]:
    names = [name for name, _ in op.get_irdl_definition().operands]
    return dict(zip(names, operand_tensors(op, inputs), strict=True))


def _run(kind: str, op: GraphOp, operands: dict[str, Tensor | None]) -> list[Array]:
    return apply(RECURRENT[kind], op, [operands[name] for name in _OPERANDS[kind]])


def _stateless(kind: str, op: GraphOp, inputs: Inputs) -> list[Array]:
    return _run(kind, op, _by_name(op, inputs))


def _initial_states(kind: str, op: GraphOp, inputs: Inputs) -> list[Array]:
    """initial_h and initial_c, zeros where they are absent."""
    operands = _by_name(op, inputs)
    given = [operands[name] for name in _STATES[kind]]
    return [
        (tensor or new_tensor(spec_of(result))).stored().copy()
        for tensor, result in zip(given, op.results[1:], strict=True)
    ]


def _step(
    kind: str, op: GraphOp, inputs: Inputs, states: Sequence[Array]
) -> tuple[list[Array], list[Array]]:
    """The results and the new states, which are the results after the first."""
    specs = [spec_of(result) for result in op.results[1:]]
    held = map(constant_tensor, specs, states)
    operands = {**_by_name(op, inputs), **dict(zip(_STATES[kind], held, strict=True))}
    results = _run(kind, op, operands)
    return results, [result.copy() for result in results[1:]]


GRAPH_RECURRENT: dict[str, Evaluator] = {kind: partial(_stateless, kind) for kind in RECURRENT}

GRAPH_STATEFUL_RECURRENT: dict[str, StatefulEvaluator] = {
    f"Stateful{kind}": StatefulEvaluator(
        names=tuple(name.removeprefix("initial_") for name in _STATES[kind]),
        initial_state=partial(_initial_states, kind),
        step=partial(_step, kind),
    )
    for kind in RECURRENT
}
