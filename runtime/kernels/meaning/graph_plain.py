"""Graph ops without state at run time.

Nothing here is fast: a graph op allocates its results. What an op computes stands in the
`meanings_*` files, where native ops find it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....dialects.qti_aisw.base import GraphOp
from ....dialects.value.spec import TensorSpec, spec_of
from ...functions.arrays import Array
from ...kernel.evaluators import Evaluator, Inputs
from ...tensors.tensor_classes import constant_tensor, new_tensor
from ...tensors.tensors import Tensor
from ..support.params import Params
from .binding import Meaning, evaluate_named
from .block import MASKED_SOFTMAX
from .elementwise import ELEMENTWISE
from .linear import LINEAR
from .movement import GRAPH_MOVEMENT, MOVEMENT
from .window import WINDOW


def operand_tensors(op: GraphOp, inputs: Inputs) -> list[Tensor | None]:
    """The operands as tensors, in the order of the definition; None for an absent optional one."""
    specs: list[TensorSpec | None] = []
    for name, _ in op.get_irdl_definition().operands:
        held = getattr(op, name)
        values = held if isinstance(held, tuple | list) else [held]
        specs += [None if value is None else spec_of(value) for value in values]
    return [
        None if spec is None or value is None else constant_tensor(spec, value)
        for spec, value in zip(specs, inputs, strict=True)
    ]


def apply(meaning: Meaning, op: GraphOp, inputs: Sequence[Tensor | None]) -> list[Array]:
    """The stored values of the op's results."""
    results = [new_tensor(spec_of(result)) for result in op.results]
    evaluate_named(op.name, meaning, inputs, Params(op.params()), results)
    return [result.stored() for result in results]


def _evaluate(meaning: Meaning, op: GraphOp, inputs: Inputs) -> list[Array]:
    return apply(meaning, op, operand_tensors(op, inputs))


PLAIN: dict[str, Evaluator] = {
    name: partial(_evaluate, meaning)
    for family in (ELEMENTWISE, WINDOW, LINEAR, MOVEMENT, GRAPH_MOVEMENT, MASKED_SOFTMAX)
    for name, meaning in family.items()
}
"""Evaluators whose operands go by position; names of native core forms are among the keys."""
