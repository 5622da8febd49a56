"""Shrink of unsigned integers, which has no negative threshold to compare with."""

import numpy as np
import pytest
from htp_mlir.lowering import import_model, lower
from htp_mlir.runtime import Session
from onnx import helper

from .models import model_of

X = np.arange(10)


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize(("lambd", "bias"), [(3.0, 0.0), (1.5, 1.0), (2.5, 1.5), (-4.0, 0.0)])
def test_shrink_of_unsigned_integers(dtype: str, lambd: float, bias: float) -> None:
    node = helper.make_node("Shrink", ["x"], ["y"], lambd=lambd, bias=bias)
    feeds = {"x": X.astype(dtype)}
    module = import_model(model_of([node], feeds, ["y"]))
    expected = np.where(-lambd > X, X + bias, np.where(lambd < X, X - bias, 0)).astype(dtype)
    # HTP has no f64, in which integers of 32 bits and more are exact.
    for each in (module, lower(module)) if dtype in ("uint8", "uint16") else (module,):
        np.testing.assert_array_equal(Session(each, check=True).run(feeds)["y"], expected)
