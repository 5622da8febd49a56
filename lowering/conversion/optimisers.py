"""Adam has no HTP op: it is decomposed into element-wise ops."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from ...dialects.value.layout import RANK
from ...dialects.value.spec import TensorSpec
from ...runtime.functions.optimisers import rest
from .builder import Builder
from .registry import ConversionSet

CONVERSIONS = ConversionSet()

_ONE = (1,) * RANK


class _ElementWise:
    """Appends element-wise ops in f32; a float represents a constant."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def op(self, name: str, *operands: SSAValue | float) -> SSAValue:
        """Append ElementWise`name` of operands that broadcast."""
        values = [
            self._builder.full(_ONE, each) if isinstance(each, float) else each for each in operands
        ]
        specs = [spec_of(value) for value in values]
        dims = np.broadcast_shapes(*(spec.shape for spec in specs))
        return self._builder.op(f"ElementWise{name}", values, specs[0].with_shape(dims))

    def mixed(self, old: SSAValue, new: SSAValue, share: float) -> SSAValue:
        """Append (1 - share) * old + share * new."""
        kept = self.op("Multiply", old, 1 - share)
        return self.op("Add", kept, self.op("Multiply", new, share))

    def correction(self, step: SSAValue, share: float) -> SSAValue:
        """Append 1 - (1 - share)^step, or 1 before the first step."""
        gone = self.op("Subtract", 1.0, self.op("Power", 1 - share, step))
        truth = TensorSpec(_ONE, DType.Bool8)
        zero, one = (self._builder.full(_ONE, number) for number in (0, 1))
        started = self._builder.op("ElementWiseGreater", [step, zero], truth)
        return self._builder.op("ElementWiseSelect", [started, gone, one], spec_of(gone))


@CONVERSIONS.conversion("Adam")
def convert_adam(op: GraphOp, builder: Builder) -> None:
    """Append the moments, and what they take away from the weights."""
    x, g, m, v, rate, step, *largest = (
        builder.cast(each, DType.Float32) for each in builder.get_all(op.operands)
    )
    do, params = _ElementWise(builder), op.params()
    reals = {name: value for name, value in params.items() if isinstance(value, float)}
    shares = [rest(reals[name]) for name in ("beta1", "beta2")]
    decay, epsilon = reals["weight_decay"], reals["epsilon"]
    if decay and params["decoupled"]:
        x = do.op("Multiply", x, do.op("Subtract", 1.0, do.op("Multiply", rate, decay)))
    elif decay:
        g = do.op("Add", g, do.op("Multiply", x, decay))
    m = do.mixed(m, g, shares[0])
    v = do.mixed(v, do.op("Multiply", g, g), shares[1])
    tops = [do.op("Maximum", each, v) for each in largest]
    first, second = (do.correction(step, share) for share in shares)
    root = do.op("SquareRoot", second)
    added = epsilon if params["epsilon_hat"] else do.op("Multiply", root, epsilon)
    below = do.op("Add", do.op("SquareRoot", *(tops or [v])), added)
    rate = do.op("Divide", do.op("Multiply", rate, root), first)
    x = do.op("Subtract", x, do.op("Multiply", rate, do.op("Divide", m, below)))
    for result, value in zip(op.results, (x, m, v, *tops), strict=True):
        builder.set(result, builder.cast(value, spec_of(result).dtype))
