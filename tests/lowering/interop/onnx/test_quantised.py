"""Quantised models out of ONNX and back: QDQ that came in, and encodings of our own."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.lowering import load_module
from htp_mlir.lowering.quantization.stated import take_encodings
from htp_mlir.runtime import Session

from ...quantization.float_models import MODELS, feeds_of
from ...quantization.onnx_quantised import WAYS, quantised_file
from .kit import assert_returns, assert_same_numbers, checked, difference, run

pytestmark = pytest.mark.needs("onnxruntime")
CASES = [pytest.param(*case, id="-".join(case)) for case in product(MODELS, WAYS)]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "way"), CASES)
def test_a_quantised_model_comes_out_as_it_went_in(name: str, way: str, tmp_path: Path) -> None:
    path = quantised_file(name, way, tmp_path)
    module, source = load_module(path), onnx.load(path)
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)
