"""Nodes that rules make one op of stay where ONNX has no fewer for that op."""

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.qti_aisw.ops.attention import AttentionOp
from htp_mlir.lowering import import_model
from htp_mlir.lowering.frontend.onnx import load_onnx, source_of
from htp_mlir.lowering.interop.onnx.before import Before
from htp_mlir.lowering.interop.onnx.raised import raised_match
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.lowering.quantization import calibrate, quantize
from htp_mlir.lowering.quantization.fitting import tensor_names
from htp_mlir.runtime import Session
from onnx.parser import parse_model
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32

from tests.support.feeds import feeds
from tests.support.paths import ROOT

from .kit import assert_returns, assert_same_numbers, checked, raised, run

MODELS = ROOT / "tests" / "raising" / "models"
ATTENTION = """<ir_version: 8, opset_import: ["" : 17]>
attention (float[1,5,8] x, float[1,5,8] k, float[1,1,5] mask) => (float[1,5,8] y)
<float[8,8] w = {WEIGHTS}, float scale = {0.5}> {
    q = MatMul (x, w)
    turned = Transpose <perm = [0, 2, 1]> (k)
    scores = MatMul (q, turned)
    scaled = Mul (scores, scale)
    masked = Add (scaled, mask)
    weights = Softmax (masked)
    y = MatMul (weights, x)
}"""


def attention() -> onnx.ModelProto:
    weights = np.random.default_rng(0).normal(size=64).round(3)
    return parse_model(ATTENTION.replace("WEIGHTS", ",".join(map(str, weights))))


def raised_attention(source: onnx.ModelProto) -> tuple[ModuleOp, AttentionOp]:
    module = raised(import_model(source))
    (op,) = (op for op in module.walk() if isinstance(op, AttentionOp))
    return module, op


@pytest.mark.needs("onnxruntime")
def test_an_attention_of_a_model_that_has_no_such_op_is_the_nodes_that_it_was() -> None:
    source = attention()
    module, _ = raised_attention(source)
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert_same_numbers(module, source, model)
    assert_returns(module, model, blocks=False)


@pytest.mark.needs("onnxruntime")
def test_an_attention_that_is_another_one_since_is_new() -> None:
    module, op = raised_attention(attention())
    op.properties["scale"] = FloatAttr(0.25, f32)
    model = checked(module)
    assert "Where" in {node.op_type for node in model.graph.node}
    assert_returns(module, model, blocks=False)


def test_what_onnx_has_no_op_for_is_the_nodes_that_it_was() -> None:
    path = MODELS / "Adam.dynamo-18.onnx"
    module = raised(load_onnx(path))
    assert any(op.name == "qti_aisw.Adam" for op in module.walk())
    assert [*checked(module).graph.node] == [*onnx.load(path).graph.node]


def test_a_tensor_is_called_as_in_its_model_whatever_was_raised() -> None:
    """Names of values have no numbers at their ends."""
    source = parse_model("""<ir_version: 8, opset_import: ["" : 17]>
m (float[2,4] x, float[2,4] h) => (float[2,4] add_4) {
    add_2 = Sigmoid (x)
    add_3 = Mul (x, add_2)
    add_1 = Mul (add_3, h)
    add_4 = Mul (add_1, h)
}""")
    module = raised(import_model(source))
    assert "Swish" in str(module)
    encodings = calibrate(module, [feeds(Session(module))])
    integers = quantize(module, encodings)
    assert {*tensor_names(module).values()} == {"x", "h", "add_3", "add_1", "add_4"}
    assert saved(integers, floats=True).encodings.activations.keys() == encodings.activations.keys()


@pytest.mark.needs("onnxruntime")
def test_a_node_that_two_ops_come_from_has_its_name_once() -> None:
    source = parse_model("""<ir_version: 8, opset_import: ["" : 17]>
m (float[4] x, float[4] h) => (float[4] y) { [n] a = Neg (x) [m] y = Add (a, h) }""")
    module = import_model(source)
    neg, add = (
        next(op for op in module.walk() if op.name.endswith(kind)) for kind in ("Neg", "Add")
    )
    other = neg.clone({neg.operands[0]: add.operands[1]})
    assert neg.parent is not None
    neg.parent.insert_op_before(other, add)
    add.operands[1] = other.results[0]
    model, ones = checked(module), np.ones(4, np.float32)
    assert len({node.name for node in model.graph.node}) == 3
    assert run(model, {"x": ones, "h": ones})["y"].tolist() == [-2.0] * 4


UNROLLED = """<ir_version: 8, opset_import: ["" : 17]>
steps (float[4,1,2] x) => (float[4,1,1,1] y, float[1,1,1] h)
<float[1,1,2] w = {1, 2}, float[1,1,1] r = {3}, float[1,2] b = {4, 5}> {
    rows, h = RNN <hidden_size = 1, activations = ["Relu"]> (x, w, r, b)
    y = Neg (rows)
}"""


@pytest.mark.needs("onnxruntime")
def test_a_node_that_became_many_ops_is_the_node_that_it_was() -> None:
    source = parse_model(UNROLLED)
    module = raised(import_model(source))
    assert sum(op.name == "qti_aisw.FullyConnected" for op in module.walk()) == 5
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert_same_numbers(module, source, model)


def test_a_match_has_values_in_place_of_the_ends() -> None:
    source = attention()
    module, op = raised_attention(source)
    before = Before(source_of(module))
    (result,) = op.out.uses
    names = ("y", "q", "turned")
    y, q, turned = (view[0] for name in names if (view := before.view(name)))
    (after,) = result.operation.results
    assert raised_match(after, [y], {q, turned}) is None
    ends = {q, *before.ends([before.makers["turned"]])[0].values()}
    x, k, mask = (before.view(name) for name in ("x", "k", "mask"))
    assert x
    assert k
    assert mask
    match = raised_match(after, [y], {q, x[0], k[0], mask[0]} | ends)
    assert match is not None
    assert {*match.ends} == {q, x[0], k[0], mask[0]}
