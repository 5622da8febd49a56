"""Ops that are fewer nodes together: shuffled dims, and norms of groups of channels."""

import numpy as np
import pytest
from htp_mlir.lowering import import_model
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.runtime import Session, parse_module
from onnx import checker
from onnx.parser import parse_model

from tests.support.feeds import feeds
from tests.support.roundtrip import to_text

from .kit import checked, difference, run

pytestmark = pytest.mark.needs("onnxruntime")

SHUFFLES = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,4,6,5] x) => (float[1,4,6,5] y)
<float[4,2,1,1] f = {1,2,3,4,5,6,7,8}, int64[5] parts = {1,2,2,6,5}, int64[4] dims = {1,4,6,5}> {
    a = Conv <group = 2> (x, f)
    s = Reshape (a, parts)
    t = Transpose <perm = [0, 2, 1, 3, 4]> (s)
    j = Reshape (t, dims)
    c = Conv <group = 2> (j, f)
    r = Relu (c)
    s2 = Reshape (r, parts)
    t2 = Transpose <perm = [0, 2, 1, 3, 4]> (s2)
    y = Reshape (t2, dims)
}"""


def test_channels_are_shuffled_where_the_model_has_them() -> None:
    """A graph of no file, too, has one Transpose in each shuffle and none around."""
    model = parse_model(SHUFFLES)
    module = import_model(model)
    assert str(saved(module)) == "9 nodes as they were"
    anew = checked(parse_module(to_text(module)))
    assert [node.op_type for node in anew.graph.node] == [n.op_type for n in model.graph.node]
    inputs = {"x": np.random.default_rng(0).normal(size=(1, 4, 6, 5)).astype(np.float32)}
    np.testing.assert_allclose(run(anew, inputs)["y"], run(model, inputs)["y"], rtol=1e-6)
    assert to_text(import_model(anew)) == to_text(module)


NORM = "GroupNormalization <num_groups = 2, epsilon = 0.1>"
NORMS = {
    "image": ("2,4,4,4", f"c = Conv (x, f) n = {NORM} (c, s, b) y = Relu (n)"),
    "first": ("2,4,3,5", f"y = {NORM} (x, s, b)"),
    "row": ("2,4,6", f"y = {NORM} (x, s, b)"),
    "volume": ("1,4,2,3,2", f"y = {NORM} (x, s, b)"),
    "idle": ("3,4,2", f"y = {NORM} (x, ones, zeros)"),
    "summand": ("3,4,2", f"y = {NORM} (x, ones, b)"),
    "ones": ("2,4,4,4", f"n = {NORM} (x, ones, zeros) y = Mul (n, tall)"),
    "columns": ("2,4,4,4", f"n = {NORM} (x, ones, zeros) y = Mul (n, s)"),
}
"""Shapes and nodes; the last ones have another factor: idle, and of the columns, as many."""
STATICS = """float[4,4,1,1] f = {1,-2,3,0,4,-5,6,1,2,7,1,-1,3,0,-4,2}, float[4] s = {1,-2,3,4},
    float[4] b = {0.5,1,0,-1}, float[4] ones = {1,1,1,1}, float[4] zeros = {0,0,0,0},
    float[4,1,1] tall = {1,1,1,1}"""


def norm(name: str) -> str:
    """Return the text of the graph of a norm."""
    shape, nodes = NORMS[name]
    model = f"""<ir_version: 10, opset_import: ["" : 21]>
net (float[{shape}] x) => (float[{shape}] y) <{STATICS}> {{ {nodes} }}"""
    return to_text(import_model(parse_model(model)))


@pytest.mark.parametrize("name", NORMS)
def test_a_norm_of_groups_of_no_file_is_one_node(name: str) -> None:
    text = norm(name)
    model = checked(parse_module(text))
    names = [node.op_type for node in model.graph.node]
    assert names.count("GroupNormalization") == 1
    assert len(names) == NORMS[name][1].count("=") - 2
    inputs = feeds(Session(parse_module(text)))
    wanted = Session(parse_module(text)).run(inputs)["y"]
    np.testing.assert_allclose(run(model, inputs)["y"], wanted, atol=1e-5)
    assert not difference(import_model(model), parse_module(text))


def test_before_opset_21_a_norm_of_groups_is_its_parts() -> None:
    module = parse_module(norm("first"))
    inputs = feeds(Session(module))
    model = saved(module, opset=20).model
    checker.check_model(model, full_check=True)
    assert "GroupNormalization" not in [node.op_type for node in model.graph.node]
    wanted = Session(module).run(inputs)["y"]
    np.testing.assert_allclose(run(model, inputs)["y"], wanted, atol=1e-5)


def test_a_variance_of_other_groups_than_the_mean_makes_no_norm() -> None:
    mean, squares, variance = norm("row").partition("qti_aisw.ElementWiseSquaredDifference")
    for old, new in (
        ("2, 2, 2", "2, 1, 4"),
        ("1, 1, 2", "1, 1, 4"),
        ("2x2x2xf", "2x1x4xf"),
        ("2x2x1xf", "2x1x1xf"),
    ):
        variance = variance.replace(old, new)
    module = parse_module(mean + squares + variance)
    model, inputs = checked(module), feeds(Session(module))
    assert "GroupNormalization" not in [node.op_type for node in model.graph.node]
    wanted = Session(module).run(inputs)["y"]
    np.testing.assert_allclose(run(model, inputs)["y"], wanted, atol=1e-5)
