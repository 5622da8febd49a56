"""ONNX in and out again: all models of the repo, unchanged, raised, and written anew."""

from pathlib import Path

import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model
from htp_mlir.lowering.frontend.onnx import load_onnx
from htp_mlir.lowering.importers.support.attributes import nodes_inside
from htp_mlir.lowering.quantization import calibrate, quantize
from htp_mlir.lowering.quantization.quantize import take_encodings
from htp_mlir.runtime import Session
from onnx.parser import parse_model

from tests.raising.count import ops
from tests.support.paths import ROOT

from ....support.feeds import feeds
from ...quantization.test_quantised_models import forms
from .kit import assert_returns, assert_same_numbers, checked, raised

pytestmark = pytest.mark.needs("onnxruntime")
EXPORTS = sorted((ROOT / "tests" / "models" / "onnx").rglob("*.onnx"))
SPELLINGS = sorted((ROOT / "tests" / "raising" / "models").glob("*.onnx"))


def cases(paths: list[Path]) -> list[object]:
    return [pytest.param(path, id=path.stem) for path in paths]


def alive(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    """Return the nodes that an output follows from."""
    read, nodes = {value.name for value in graph.output}, list[onnx.NodeProto]()
    for node in reversed(graph.node):
        if read.intersection(node.output):
            nodes.insert(0, node)
            read.update(name for each in nodes_inside([node]) for name in each.input)
    return nodes


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", cases([*EXPORTS, *SPELLINGS]))
def test_a_model_that_nothing_touched_comes_out_as_it_went_in(path: Path) -> None:
    module, source = load_onnx(path), onnx.load(path)
    model = checked(module)
    if source.opset_import[0].version >= 17:
        assert [*model.graph.node] == alive(source.graph)
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", cases([*EXPORTS, *SPELLINGS]))
def test_a_raised_model_comes_back_as_it_was(path: Path) -> None:
    module, source = load_onnx(path), onnx.load(path)
    raised(module, blocks=True)
    model = checked(module)
    if source.opset_import[0].version >= 17:
        assert len(model.graph.node) <= len(source.graph.node)
    assert_same_numbers(module, source, model)
    assert_returns(module, model, blocks=True)


FOLDED = {"deberta.dynamo", "rnn_relu.torchscript"}
"""Models with ops of constants, which the import of a new model folds."""
NO_SHIFT = {"llama.dynamo"}
"""A model of RMSNormalization, which below opset 23 comes back with a shift of 0."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", cases([*EXPORTS, *SPELLINGS]))
def test_a_model_that_is_written_anew_says_the_same(path: Path) -> None:
    # A clone has no source.
    module, source = load_onnx(path).clone(), onnx.load(path)
    if "SoftmaxCrossEntropy" in ops(module):
        with pytest.raises(HtpError, match="no op of ONNX is like it"):
            checked(module)
        return
    model = checked(module)
    assert_same_numbers(module, source, model)
    if path.stem not in FOLDED | NO_SHIFT:
        assert_returns(raised(module), model, blocks=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", cases([*EXPORTS, *SPELLINGS]))
def test_integers_of_a_model_come_back_as_they_were(path: Path) -> None:
    module = load_onnx(path)
    integers = quantize(module, calibrate(module, [feeds(Session(module))]))
    again = import_model(checked(integers))
    take_encodings(again)
    for graph in (integers, again) if forms(again) != forms(integers) else ():
        # What ONNX has no op for, such as a squared difference, is an op again once it is raised.
        take_encodings(raised(graph))
    assert forms(again) == forms(integers) or path.stem in FOLDED


_EXPERTS = {
    **{"all": ("dynamo-18", "script-13"), "shares": ("dynamo-18", "script-13")},
    "columns": ("dynamo-18", "dynamo-20", "script-13", "script-20"),
}
_STEPS = ("-amsgrad-decoupled", "-amsgrad", "-decay", "-decoupled", "-halves", "-rate", "")
UNSAYABLE = {f"Adam{kind}.dynamo-18" for kind in _STEPS} | {
    f"RoutedExperts-{kind}.{end}" for kind, ends in _EXPERTS.items() for end in ends
}
"""Models with an op of the project's own on grids, which has no nodes any more."""
STATED_APART = {
    *("t5_encoder.torchscript", "swin.dynamo", "swin.torchscript", "deberta.dynamo"),
    *("RotaryEmbedding.dynamo-18", "RotaryEmbedding.script-13"),
    *(f"RotaryEmbedding-pairs.{end}" for end in ("dynamo-18", "script-13", "script-17")),
    *(f"{kind}-cell-first.{end}" for kind in ("Gru", "Lstm") for end in ("dynamo-18", "script-13")),
}
"""Models whose constants on grids, or states of zeros, come back as floats or on their own grid,
and rotations of pairs, whose results are quantised before they are joined."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", cases([*EXPORTS, *SPELLINGS]))
def test_integers_of_a_raised_model_come_back_as_they_were(path: Path) -> None:
    module = raised(load_onnx(path), blocks=True)
    integers = quantize(module, calibrate(module, [feeds(Session(module))]))
    if path.stem in UNSAYABLE:
        with pytest.raises(HtpError, match="no op of ONNX is like it"):
            checked(integers)
        return
    again = import_model(checked(integers))
    take_encodings(again)
    for graph in (integers, again) if forms(again) != forms(integers) else ():
        take_encodings(raised(graph, blocks=True))
    assert forms(again) == forms(integers) or path.stem in STATED_APART


PADS = {"reflect": "0,0,1,2,0,0,2,1", "edge": "1,0,3,0,0,0,0,3", "wrap": "0,0,-1,2,0,0,2,0"}


@pytest.mark.parametrize("mode", PADS)
def test_a_margin_of_own_rows_is_the_node_that_it_was(mode: str) -> None:
    source = parse_model(f"""<ir_version: 10, opset_import: ["" : 19]>
m (float[1,2,6,6] x) => (float[] y) <int64[8] pads = {{{PADS[mode]}}}> {{
    a = Relu (x)
    b = Pad <mode = "{mode}"> (a, pads)
    y = Neg (b)
}}""")
    source = onnx.shape_inference.infer_shapes(source)
    for module in (import_model(source), raised(import_model(source), blocks=True)):
        model = checked(module)
        assert [*model.graph.node] == [*source.graph.node]
        assert_same_numbers(module, source, model)
        assert_returns(module, model, blocks=True)


def test_a_constant_of_fewer_dims_than_rows_keeps_its_rank() -> None:
    source = parse_model("""<ir_version: 8, opset_import: ["" : 17]>
m (float[1,1,4] x) => (float[1,2,3] y)
<float[3,1,3] w = {1,2,3,4,5,6,7,8,9}, float[2,3] p = {1,2,3,4,5,6}> {
    c = Conv (x, w)
    t = Transpose <perm = [0, 2, 1]> (c)
    y = Add (t, p)
}""")
    module = import_model(source).clone()
    model = checked(module)
    assert [node.op_type for node in model.graph.node] == ["Conv", "Add", "Transpose"]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.parametrize(("dims", "kernel", "places"), [("16", "3", "14"), ("9,6", "3,2", "7,5")])
def test_places_of_maxima_come_back_without_a_cast_more(
    dims: str, kernel: str, places: str
) -> None:
    source = parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
m (float[2,4,{dims}] x) => (float[2,4,{places}] y, int64[2,4,{places}] i) {{
    y, i = MaxPool <kernel_shape = [{kernel}]> (x)
}}""")
    module = import_model(source).clone()
    model = checked(module)
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.parametrize("dims", ["6", "3,5"])
def test_a_norm_of_images_brings_no_transposes(dims: str) -> None:
    source = parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
m (float[2,3,{dims}] x) => (float[2,3,{dims}] y) <float[3] s = {{1,2,3}}, float[3] b = {{4,5,6}}> {{
    p = MaxPool <kernel_shape = [{",".join("1" for _ in dims.split(","))}]> (x)
    n = InstanceNormalization <epsilon = 0.1> (p, s, b)
    y = Relu (n)
}}""")
    module = raised(import_model(source))
    model = checked(module)
    ops = [node.op_type for node in model.graph.node]
    assert ops == ["MaxPool", "InstanceNormalization", "Mul", "Add", "Relu"]
    assert_same_numbers(module, source, model)
    assert_returns(module, model, blocks=False)


def test_a_norm_of_groups_brings_no_transposes() -> None:
    source = parse_model("""<ir_version: 10, opset_import: ["" : 21]>
m (float[2,4,6,5] x) => (float[2,4,4,3] y) <float[4] s = {1,2,3,4}, float[4] b = {4,3,2,1}> {
    p = MaxPool <kernel_shape = [2,2]> (x)
    n = GroupNormalization <num_groups = 2> (p, s, b)
    y = MaxPool <kernel_shape = [2,2]> (n)
}""")
    edited = import_model(source)
    assert [*checked(edited).graph.node] == [*source.graph.node]
    module = raised(edited.clone())
    model = checked(module)
    assert "Transpose" not in [node.op_type for node in model.graph.node]
    assert_same_numbers(module, source, model)
    assert_returns(module, model, blocks=False)


@pytest.mark.parametrize(
    "model",
    [
        # A Transpose that changes no shape, before an op that changes nothing.
        """(float[1,4,16] q, float[1,4,4,4] k) => (float[1,4,4,4] y)
        <int64[4] s = {1,4,4,4}, float one = {1}> {
            r = Reshape (q, s)
            t = Transpose <perm = [0, 2, 1, 3]> (r)
            u = Mul (t, one)
            y = MatMul (u, k)
        }""",
        # The import gives all its dims extent 1.
        """(float[1,1,2,2] x) => (float[1,1,1,1] y) {
            y = MaxPool <kernel_shape = [2, 2]> (x)
        }""",
        # Outputs of one node that are computed alike.
        """(float[2,3,4] x, float[3] mean, float[3] var)
        => (float[2,3,4] y, float[3] m, float[3] v) <float[3] s = {1,2,3}, float[3] b = {4,5,6}> {
            y, m, v = BatchNormalization <training_mode = 1> (x, s, b, mean, var)
        }""",
        # The import joins its last two Reshapes, one of them a Transpose.
        """(float[1,1,9,9] x, float[3,4] rois, int64[3] batches) => (float[3,1,5,5] y) {
            y = RoiAlign <output_height = 5, output_width = 5, sampling_ratio = 2>
                (x, rois, batches)
        }""",
    ],
    ids=["square", "one-element", "alike", "joined"],
)
def test_nodes_of_several_ops_stay(model: str) -> None:
    source = parse_model(f"""<ir_version: 8, opset_import: ["" : 17]> m {model}""")
    assert [*checked(import_model(source)).graph.node] == [*source.graph.node]
