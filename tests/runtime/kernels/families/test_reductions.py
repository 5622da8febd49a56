"""Reductions against the reference."""

from itertools import combinations

import numpy as np
import pytest
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor

from ..harness import (
    f32,
    fitting,
    held,
    ints,
    outcomes,
)

RNG = np.random.default_rng(0)
ODD = (2, 9, 7, 33)
AXES = [axes for count in (1, 2, 4) for axes in combinations(range(4), count)]


@pytest.mark.one_per("kind")
@pytest.mark.parametrize("kind", ["Sum", "Mean", "Max", "Min", "Prod"])
@pytest.mark.parametrize("axes", [*AXES, (-1, 0)])
def test_reduction(kind: str, axes: tuple[int, ...]) -> None:
    x = RNG.uniform(0.9, 1.1, ODD).astype(np.float32)
    reduced = {axis % 4 for axis in axes}
    spec = f32([1 if i in reduced else n for i, n in enumerate(ODD)])
    param = ints(*axes)
    for chosen in (param, constant_tensor(param.spec, param.stored())):
        operands = [held(x), chosen]
        assert any(k.cost is Cost.FAST for k in fitting(f"Reduce{kind}", [spec], operands))
        for outcome in outcomes(f"Reduce{kind}", [spec], operands):
            outcome.check(1e-6)
