"""Modules as graphs: the same facts in each language, at each level."""

import json
import subprocess
from functools import cache

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module
from htp_mlir.lowering.report.graph.target import DATA, as_dot, as_graph_json, as_node_data, graphs
from htp_mlir.lowering.report.graph.view import GraphView, Look, Vertex
from htp_mlir.runtime import parse_module

from ....support.lowered_spotter import lowered_spotter
from ....support.paths import SPOTTER_MODEL

LEVELS = ("graph", "native", "placed", "allocated")

BLOCK = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> tensor<2x3xf32> {
  %c = qti_aisw.Const dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32> -> tensor<2x3xf32>
  %0 = qti_aisw.ElementWiseAdd(%x, %c) {htp.name = "enc/\\"a\\" <1>/add"}
    : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = qti_aisw.Relu(%0) {htp.name = "enc/relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}
"""


@cache
def drawn(level: str) -> tuple[GraphView, ...]:
    """The graphs of the keyword spotter, which has one function, at a level."""
    if level == "graph":
        return graphs(load_module(SPOTTER_MODEL))
    return graphs(lowered_spotter(64 << 10, level))


def vertex(graph: GraphView, label: str) -> Vertex:
    return next(each for each in graph.vertices if each.label == label)


@pytest.mark.slow
@pytest.mark.one_per
@pytest.mark.parametrize("level", LEVELS)
def test_edges_begin_at_results_of_vertices(level: str) -> None:
    (graph,) = drawn(level)
    ids = [each.id for each in graph.vertices]
    assert len(set(ids)) == len(ids)
    assert graph.edges > 20
    for each in graph.vertices:
        for edge in each.edges:
            assert graph.output(edge).spec is not None, edge


def test_params_are_facts_of_their_readers() -> None:
    (graph,) = drawn("allocated")
    pool = vertex(graph, "MaxPool_valid")
    assert pool.attrs["window"] == "!htp.shape<1x2x2x1>"
    assert [edge.operand for edge in pool.edges] == ["act"]
    assert all(each.label != "Shape" for each in graph.vertices)


def test_large_constants_are_elided_and_small_ones_shown() -> None:
    (graph,) = drawn("graph")
    values = [each.attrs["value"] for each in graph.vertices if each.look is Look.CONSTANT]
    assert "elided : tensor<3x3x32x32xf32>" in values
    assert max(map(len, values)) < 200
    (small,) = graphs(parse_module(BLOCK))
    assert "4.000000e+00" in vertex(small, "Const").attrs["value"]


def test_clusters_are_parts_of_node_names() -> None:
    (graph,) = graphs(parse_module(BLOCK))
    # The constant has the node of its reader: two ops of one node are a cluster, one is not.
    assert vertex(graph, "ElementWiseAdd").namespace == ("enc", '"a" <1>', "add")
    assert vertex(graph, "Const").namespace == ("enc", '"a" <1>', "add")
    assert vertex(graph, "Relu").namespace == ("enc",)


def test_memory_and_layout_are_those_of_the_module() -> None:
    (graph,) = drawn("allocated")
    pool = vertex(graph, "MaxPool_valid")
    attrs = pool.outputs[0].attrs()
    assert (pool.look, attrs["memory"], attrs["layout"]) == (Look.TCM, "tcm", "crouton")
    assert int(attrs["offset"]) % 128 == 0
    (before,) = drawn("graph")
    assert "memory" not in vertex(before, "PoolMax2d").outputs[0].attrs()


@pytest.mark.needs("dot")
@pytest.mark.parametrize("level", LEVELS)
def test_graphviz_draws_every_vertex_and_edge(level: str) -> None:
    views = drawn(level)
    done = subprocess.run(
        ["dot", "-Tplain"], input=as_dot(views), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert sum(line.startswith("node ") for line in lines) == len(views[0].vertices)
    assert sum(line.startswith("edge ") for line in lines) == views[0].edges


def test_dot_escapes_names() -> None:
    text = as_dot(graphs(parse_module(BLOCK)))
    assert r'label="\"a\" <1>";' in text
    assert text.count("{") == text.count("}")


TWO = """
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
func.func @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
"""


def test_several_functions_stand_beside_each_other() -> None:
    text = as_dot(graphs(parse_module(TWO)))
    assert '"one"' in text
    assert '"two"' in text


@pytest.mark.one_per
@pytest.mark.parametrize("level", LEVELS)
def test_graph_json_has_the_published_form(level: str) -> None:
    data = json.loads(as_graph_json("spotter", drawn(level)))
    assert data.keys() == {"label", "graphs"}
    (graph,) = data["graphs"]
    outputs = {
        (node["id"], item["id"]) for node in graph["nodes"] for item in node["outputsMetadata"]
    }
    for node in graph["nodes"]:
        assert {"id", "label", "namespace", "attrs", "incomingEdges"} <= node.keys()
        assert all(pair.keys() == {"key", "value"} for pair in node["attrs"])
        assert all(isinstance(pair["value"], str) for pair in node["attrs"])
        for edge in node["incomingEdges"]:
            assert (edge["sourceNodeId"], edge["sourceNodeOutputId"]) in outputs


@pytest.mark.parametrize("kind", DATA)
def test_node_data_is_about_nodes_of_the_graph(kind: str) -> None:
    views = drawn("allocated")
    nodes = {each.id: each for each in views[0].vertices}
    results = json.loads(as_node_data(kind, views))["main"]["results"]
    assert results.keys() <= nodes.keys()
    for key, result in results.items():
        first = nodes[key].outputs[0].attrs()
        if len(nodes[key].outputs) == 1:
            assert str(result["value"]) == first[kind]


def test_a_graph_without_places_has_no_memories() -> None:
    with pytest.raises(HtpError, match="no tensor of the module has a memory"):
        as_node_data("memory", drawn("graph"))
    assert as_node_data("bytes", drawn("graph"))


def test_a_function_of_several_blocks_is_refused() -> None:
    text = """
    func.func @main() {
      cf.br ^bb1
    ^bb1:
      func.return
    }"""
    with pytest.raises(HtpError, match="its body has 2 blocks"):
        graphs(parse_module(text))
