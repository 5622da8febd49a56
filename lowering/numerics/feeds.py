"""Inputs made up for a check of numbers: random ones that masks and resets keep meaningful."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.dense import Array
from ...dialects.htp.ops.state import StateReadOp
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.block.masked_softmax import MaskedSoftmaxOp
from ...dialects.qti_aisw.choices import MaskMode
from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from ...runtime.program.boundary import inputs_of, main_function
from ...runtime.tools.summary import random_inputs

STEPS = 4
"""Inferences of a module with states; others have one."""
_RESET_AT = 2
"""The inference, counted from 0, at which resets are true."""
_MASKED = -10_000
"""Value of a mask that is added, where it hides an element."""
_SHOWN = 0.75
"""The share of a truth value's elements that are true, and of a mask's that hide nothing."""

Feeds = Mapping[str, Array]


def made_up(
    module: ModuleOp, specs: Mapping[str, TensorSpec], seed: int, steps: int
) -> list[Feeds]:
    """Return inputs for some inferences, the same ones for a seed.

    Floats are normal, quantised ones take all values, integers are 0 or 1. A reset is true at the
    third inference alone; other truth values are true three times in four and for the first element
    of each row, so that no row is masked as a whole. A mask that is added is 0 or -10,000 likewise.
    """
    arguments = inputs_of(main_function(module))
    roles = {name: _role_of(value) for name, value in arguments.items()}
    return [
        {
            name: _role(roles[name], array, specs[name], step, seed)
            for name, array in random_inputs(specs, seed + step).items()
        }
        for step in range(steps)
    ]


def _role(role: str, array: Array, spec: TensorSpec, step: int, seed: int) -> Array:
    """Draw an input that is a reset or a mask anew."""
    if role == "reset":
        return np.full_like(array, step == _RESET_AT)
    if role != "mask" and spec.dtype is not DType.Bool8:
        return array
    shown = np.random.default_rng(seed + step).random(array.shape) < _SHOWN
    shown[..., :1] = True
    if spec.dtype is DType.Bool8:
        return shown
    masked: Array = np.where(shown, 0, _MASKED).astype(array.dtype)
    return masked


def _role_of(value: SSAValue) -> str:
    for use in value.uses:
        op = use.operation
        if isinstance(op, StateReadOp) and value is op.reset:
            return "reset"
        if isinstance(op, GraphOp):
            names = [name for name, operand in op.named_operands().items() if operand is value]
            if "reset" in names:
                return "reset"
            adds = isinstance(op, MaskedSoftmaxOp) and op.mode.data is MaskMode.UNCOMPRESSED
            if adds and "mask" in names:
                return "mask"
        # Views and casts hand a mask on; shapes of native ones are operands too.
        if len(op.results) == 1 and op.operands and op.operands[0] is value:
            views = ("Reshape", "Cast", "Transpose", "ExpandDims", "Squeeze")
            role = _role_of(op.results[0]) if op.name.endswith(views) else ""
            if role:
                return role
    return ""
