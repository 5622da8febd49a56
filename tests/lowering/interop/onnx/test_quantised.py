"""Quantised models out of ONNX and back: QDQ that came in, and graphs of integers."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.lowering import load_module
from htp_mlir.lowering.quantization.measure import outputs_of
from htp_mlir.lowering.quantization.stated import take_encodings

from ...quantization.float_models import MODELS, feeds_of
from ...quantization.onnx_quantised import WAYS, judged, quantised_file
from ...quantization.test_quantised_models import forms
from .kit import assert_returns, assert_same_numbers, checked

pytestmark = pytest.mark.needs("onnxruntime")
JOINED = {"sequence"}
"""Models with one Reshape after another of equal encodings, which the import joins."""


@pytest.mark.slow
@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "way"), list(product(MODELS, WAYS)))
def test_quantised_models_go_out_as_they_came_and_as_integers(
    name: str, way: str, tmp_path: Path
) -> None:
    plain = MODELS[name]()
    path = quantised_file(plain, feeds_of(plain, range(4)), WAYS[way], tmp_path)
    module, source = load_module(path), onnx.load(path)
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)
    take_encodings(module)
    onnx.save(checked(module), tmp_path / "integers.onnx")
    again = load_module(tmp_path / "integers.onnx")
    take_encodings(again)
    assert name in JOINED or forms(again) == forms(module)
    feeds = feeds_of(plain, range(10, 14))
    (ours,) = outputs_of(module, feeds).values()
    theirs = judged(tmp_path / "integers.onnx", feeds)
    assert np.median(np.abs(ours - theirs)) < 1e-6 * np.abs(ours).max()
