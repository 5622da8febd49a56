"""Models of ONNX Runtime's quantiser: integers all through, its numbers, the bytes of the twin."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp
from htp_mlir.dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.passes.graph.raise_ops import Raise
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.lowering.quantization.measure import noise_ratio, outputs_of
from htp_mlir.lowering.quantization.quantize import take_encodings
from htp_mlir.runtime.program.boundary import main_function
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.dialects.func import ReturnOp

from .float_models import MODELS, feeds_of
from .onnx_quantised import WAYS, judged, quantised_file, twin

LEFT = {
    "elementwise": {"Tanh", "Sub", "Max", "Min", "Neg", "Abs", "Sqrt"},
    "encoder": {"Div", "Erf", "LayerNormalization"},
    "gates": {"HardSigmoid", "PRelu"},
    "grouped": {"PRelu"},
    "hard_swish": {"HardSigmoid"},
    "norms": {"InstanceNormalization"},
    "u_net": {"ConvTranspose"},
}
"""The ops of each model that the quantiser leaves in floats, in one of its forms at least."""

MORE = {("u_net", "QOperator-u8-u8"): 1.17, ("u_net", "QOperator-u8-i8"): 1.17}
"""The bytes of models whose twin has more in integers.

The quantiser leaves two ConvTransposes in f32, with what they read and make.
"""


UNLIKE = {"encoder", "sequence", "u_net"}
"""Models whose graphs differ from their twins'.

A tensor of two encodings has one in a file, and what an op in floats reads is rounded in the model
alone. A Reshape between a Quantize and a Dequantize goes when the graph is lowered.
"""


IN_FLOATS = {("upsampling", "QOperator-u8-u8"), ("upsampling", "QOperator-u8-i8")}
"""Models that the quantiser leaves in f32 where it matters: it has no QLinear form of their op.

Then the order of additions, which levels do not share, decides about a step.
"""

CASES = [case for case in product(MODELS, WAYS) if case not in IN_FLOATS]


@pytest.mark.slow
def test_a_model_of_the_quantiser(tmp_path: Path) -> None:
    check("inverted", "QDQ-u8-i8", tmp_path)


@pytest.mark.slow
@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "way"), CASES)
def test_models_of_the_quantiser(name: str, way: str, tmp_path: Path) -> None:
    check(name, way, tmp_path)


def check(name: str, way: str, folder: Path) -> None:
    model = MODELS[name]()
    feeds = feeds_of(model, range(10, 42))
    path = quantised_file(model, feeds_of(model, range(4)), WAYS[way], folder)
    exact, theirs = judged(folder / "float.onnx", feeds), judged(path, feeds)
    imported = load_module(path)
    graph = integers_of(imported, name in LEFT)
    (ours,) = outputs_of(graph, feeds).values()
    assert noise_ratio(exact, ours) > noise_ratio(exact, theirs) - 0.1
    assert np.median(np.abs(ours - theirs)) < 1e-6 * np.abs(exact).max()
    taken = imported.clone()
    take_encodings(taken)
    other = twin(load_module(folder / "float.onnx"), taken)
    assert name in UNLIKE or forms(taken) == forms(other)
    for mib in (8, 1):
        lowered = lower(imported, tcm_bytes=mib << 20)
        wanted = traffic(lower(other, tcm_bytes=mib << 20)).bytes
        assert traffic(lowered).bytes <= MORE.get((name, way), 1.02) * wanted
    (last,) = outputs_of(lowered, feeds[:2], check=True).values()
    assert noise_ratio(ours[: last.size], last) > 90


def forms(graph: ModuleOp) -> set[tuple[object, ...]]:
    """The ops of a graph but constants, whatever their order: names, params and types."""
    return {
        (op.name, DictionaryAttr(op.properties), *op.operand_types, *op.result_types)
        for op in main_function(graph).body.block.ops
        if not isinstance(op, ConstOp | ReturnOp)
    }


def integers_of(imported: ModuleOp, mixed: bool) -> ModuleOp:
    """The graph of integers; between two of its ops is no conversion that an encoding allows."""
    graph = imported.clone()
    take_encodings(graph)
    Raise().apply(Context(), graph)
    reasons = take_encodings(graph)
    left = {why for op, why in reasons.items() if op.parent is not None}
    assert mixed or not left
    assert all("encoding" in why for why in left)
    for op in main_function(graph).body.block.ops:
        if isinstance(op, QuantizeOp) and isinstance(op.inp.owner, DequantizeOp):
            assert isinstance(op.inp.owner.inp.owner, ConstOp)
    return graph
