"""The evaluators of all graph ops, by mnemonic: `GRAPH["Conv2d"]`."""

from __future__ import annotations

from ...kernel.evaluators import Evaluator, StatefulEvaluator
from .graph_buffer import BUFFER
from .graph_plain import PLAIN
from .graph_rnn import GRAPH_RECURRENT, GRAPH_STATEFUL_RECURRENT

GRAPH: dict[str, Evaluator] = {**PLAIN, **GRAPH_RECURRENT}
"""Ops without state."""

GRAPH_STATEFUL: dict[str, StatefulEvaluator] = {"Buffer": BUFFER, **GRAPH_STATEFUL_RECURRENT}
"""Ops whose results depend on earlier inferences."""
