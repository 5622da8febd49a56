"""Files that the tools of ONNX Runtime leave: quantised, in half precision, optimised."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session

from ..models import judged
from .runtime_tools import MODELS, TOOLS, left_by

FAST = {("dynamic", "perceptron"), ("QOperator-uint8", "convnet"), ("transformers", "transformer")}
PAIRS = [(tool, model) for tool in TOOLS for model in MODELS if tool != "transformers"]
PAIRS.append(("transformers", "transformer"))


SYMPY = pytest.mark.needs("sympy")
"""The tool for transformers infers shapes by it."""
STEPS = {"Q": 1 / 255, "half": 2**-10}
"""Steps of a result whose extent is 1, by tool."""


@pytest.mark.parametrize(
    ("tool", "model"),
    [
        pytest.param(
            *pair,
            marks=([] if pair in FAST else [pytest.mark.slow]) + [SYMPY] * ("transformers" in pair),
            id="-".join(pair),
        )
        for pair in PAIRS
    ],
)
def test_same_as_onnx_runtime_at_both_levels(tool: str, model: str, tmp_path: Path) -> None:
    path, feeds = left_by(tool, model, tmp_path)
    wanted = judged(onnx.load(path), feeds, is_wide=tool.startswith("dynamic"))["y"]
    module = load_module(path)
    for level in (module, lower(module)):
        output = Session(level, check=True).run(feeds)["y"]
        assert output.dtype == wanted.dtype
        # One step of an 8-bit result, where a tie is rounded the other way: a Softmax has 0 to 1.
        extent = max(1.0, float(np.ptp(wanted.astype(np.float64))))
        tolerance = extent * next((step for kind, step in STEPS.items() if kind in tool), 1e-6)
        np.testing.assert_allclose(output, wanted, rtol=1e-4, atol=tolerance)


OPS = {
    ("dynamic-extended", "perceptron"): {"DynamicQuantizeMatMul"},
    ("dynamic-extended", "transformer"): {"MatMulIntegerToFloat", "SkipLayerNormalization"},
    ("QOperator-uint8", "convnet"): {"QLinearAdd", "QLinearConcat", "QGemm", "QLinearSoftmax"},
    ("extended", "convnet"): {"FusedConv"},
    ("extended", "transformer"): {"FusedMatMul", "Gelu", "SkipLayerNormalization"},
    ("transformers", "transformer"): {"Attention", "BiasGelu", "SkipLayerNormalization"},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "model"),
    [
        pytest.param(*pair, marks=[SYMPY] * ("transformers" in pair), id="-".join(pair))
        for pair in OPS
    ],
)
def test_the_tools_use_ops_of_their_own(tool: str, model: str, tmp_path: Path) -> None:
    path, _ = left_by(tool, model, tmp_path)
    nodes = onnx.load(path).graph.node
    assert {n.op_type for n in nodes if n.domain == "com.microsoft"} >= OPS[tool, model]
