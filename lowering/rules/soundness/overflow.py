"""Overflow in a graph before a rule: such a graph says nothing about the rule.

Spelled out in Float16, exp(12) / sum(exp(12)) is infinity / infinity; a Softmax gives 1. No rule
could keep a number that the graph itself lost to its dtype. So a case is set apart where a value is
infinite in Float16, and in the same graph of Float32 finite and beyond the largest Float16. An
infinity of the inputs is one in both graphs, and so is one that a division by 0 gives: these are
compared. Float32 has no wider kernels here, so nothing of Float32 counts as overflow.
"""

from __future__ import annotations

import numpy as np
from xdsl.utils.exceptions import VerifyException

from ....dialects.dense import Array
from ....dialects.diagnostics import HtpError
from ....dialects.value.dtypes import DType
from ....runtime.kernel.library import Library
from .build import Numbers
from .case import DrawnCase
from .trial import Trial

_LARGEST = float(np.finfo(np.float16).max)
"""The largest finite number of Float16."""


def overflows(case: DrawnCase, library: Library | None) -> bool:
    """Report if a value of the graph leaves the range of Float16.

    The graph runs twice more. One that does not run in Float32 does not overflow.
    """
    halves = {slot for slot, spec in case.specs.items() if spec.dtype is DType.Float16}
    if not halves:
        return False
    try:
        trials = [Trial([case], numbers) for numbers in (Numbers.SHOWN, Numbers.WIDE)]
        shown, wide = (trial.run(library) for trial in trials)
    except (HtpError, VerifyException):
        return False
    names = [name for slot, name in trials[0].placed[0].results.items() if slot in halves]
    return any(_lost(shown[name], wide[name]) for name in names)


def _lost(half: Array, single: Array) -> bool:
    """Report if an element is infinite as a half, and a larger finite number as a single."""
    beyond = np.isfinite(single) & (np.abs(single) > _LARGEST)
    return bool((np.isinf(half) & beyond).any())
