"""The block op Buffer at graph level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects.qti_aisw.base import GraphOp
from ....dialects.value.spec import spec_of
from ...functions.arrays import Array
from ...functions.buffer import BufferMode, buffer_step, initial_content
from ...kernel.evaluators import Inputs, StatefulEvaluator
from ..support.params import Params
from .operands import given, zero_of


def _initial_state(op: GraphOp, inputs: Inputs) -> tuple[Array, Array]:
    spec, params = spec_of(op.results[0]), Params(op.params())
    padding, dim = params.integer("buffer_padding"), params.integer("buffer_dim")
    return initial_content(spec.shape, spec.dtype.storage, padding, dim, zero_of(spec))


def _step(
    op: GraphOp, inputs: Inputs, states: Sequence[Array]
) -> tuple[list[Array] | None, list[Array]]:
    params = Params(op.params())
    content, counters = states
    out, *after, ready = buffer_step(
        content,
        counters.astype(np.int32, copy=False),
        given(inputs, 0),
        params.integer("buffer_dim"),
        params.integer("stride"),
        params.choice("mode", BufferMode),
        zero_of(spec_of(op.results[0])),
    )
    return ([out] if ready else None), after


BUFFER = StatefulEvaluator(("content", "counters"), _initial_state, _step)
