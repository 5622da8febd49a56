"""The survey of a model: every node once, how far it gets, what it runs on, why no further."""

from collections.abc import Sequence

import numpy as np
import pytest
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.frontend.onnx.preparation.supported import Supported
from htp_mlir.lowering.levels import mnemonic, runs
from htp_mlir.lowering.packages.loading import installed, load_packages
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.lowering.survey.lowered import Fusions, graph_itself
from htp_mlir.lowering.survey.onnx import survey_model, survey_onnx
from htp_mlir.lowering.survey.survey import Survey, Way, survey
from htp_mlir.lowering.survey.text import TYPES, as_text
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime.tools.loading import parse_module
from onnx import ModelProto, NodeProto, helper, numpy_helper

from ...support.paths import ROOT, SPOTTER_MODEL
from ..frontend.models import floats, model_of

PASSES = ROOT / "tests" / "lowering" / "passes"
CTX = installed().context()
X = floats(2, 8)


def surveyed(model: ModelProto, **dims: int) -> Survey:
    return survey(survey_model(model, dims, {}, Supported(installed())), CTX, Lower())


def of_nodes(*nodes: NodeProto, outputs: Sequence[str] = ("y",)) -> ModelProto:
    return model_of(nodes, {"x": X}, outputs, {"k": np.array([3])})


def ways(result: Survey) -> dict[str, Way]:
    return {node: row.way for row in result.rows for node in row.nodes}


def node(op: str, inputs: str, output: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), output.split(), name=f"to_{output}", **attributes)


@pytest.mark.slow
def test_the_survey_names_the_kernels_that_run() -> None:
    model = survey_onnx(SPOTTER_MODEL, {}, {}, CTX)
    result = survey(model, CTX, Lower())
    told = {use.op for row in result.rows for use in row.way.kernels}
    lowered = lower(load_module(SPOTTER_MODEL))
    assert told == {
        mnemonic(op) for op in lowered.walk() if runs(op) and not isinstance(op, CopyOp)
    }
    assert result.all_run
    assert result.extents == {"allocated": len(model.nodes)}


def test_like_nodes_are_one_row() -> None:
    model = of_nodes(node("Relu", "x", "a"), node("Relu", "a", "b"), node("Neg", "b", "y"))
    relus, neg = surveyed(model).rows
    assert (relus.way.op, relus.nodes, relus.way.becomes) == ("Relu", ("to_a", "to_b"), ("Relu",))
    assert (neg.way.op, neg.nodes) == ("Neg", ("to_y",))
    (use,) = neg.way.kernels
    assert (use.op, use.where, use.is_reference) == ("Neg", "TCM", False)


def test_what_is_left_of_a_sequence_is_not_unknown() -> None:
    model = of_nodes(
        node("SequenceEmpty", "", "none"),
        node("SequenceInsert", "none x", "one"),
        node("Relu", "x", "r"),
        node("SequenceInsert", "one r", "both"),
        node("ConcatFromSequence", "both", "y", axis=0),
    )
    assert surveyed(model).extents == {"allocated": 5}


def test_a_node_goes_by_its_body_a_constant_or_nothing() -> None:
    model = of_nodes(
        node("Constant", "", "one", value_float=1.0),
        node("Celu", "x", "a"),
        node("Identity", "a", "b"),
        node("Add", "b one", "y"),
    )
    by_name = ways(surveyed(model))
    assert (by_name["to_one"].through, by_name["to_one"].becomes) == ("constant", ())
    assert (by_name["to_b"].through, by_name["to_b"].becomes) == ("", ())
    assert by_name["to_a"].through == "body"
    assert by_name["to_a"].becomes == ("ElementWiseDivide", "Elu", "ElementWiseMultiply")


def test_a_function_of_the_model_is_one_node() -> None:
    inside = [helper.make_node("Relu", ["a"], ["t"]), helper.make_node("Neg", ["t"], ["b"])]
    opsets = [helper.make_opsetid("", 21)]
    model = of_nodes(
        node("Fn", "x", "t", domain="my"), node("Fn", "t", "y", domain="my"), node("Abs", "x", "z")
    )
    model.functions.append(helper.make_function("my", "Fn", ["a"], ["b"], inside, opsets))
    model.opset_import.add(domain="my", version=1)
    calls, other = surveyed(model).rows
    assert (calls.way.op, calls.nodes) == ("my.Fn", ("to_t", "to_y"))
    assert (calls.way.through, calls.way.becomes) == ("function", ("Relu", "ElementWiseNeg"))
    assert other.way.through == ""


def test_a_fused_node_names_the_op_that_took_it_up() -> None:
    text = """func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
      %w = qti_aisw.Const dense<0.5> : tensor<1x1x4x4xf32> -> tensor<1x1x4x4xf32>
      %c = qti_aisw.Conv2d(%x, %w)
        : (tensor<1x8x8x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x8x8x4xf32>
      %y = qti_aisw.Relu(%c) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      func.return %y : tensor<1x8x8x4xf32>
    }"""
    conv, relu = survey(graph_itself(parse_module(text)), CTX, Lower()).rows
    assert not conv.way.kernels
    assert conv.way.fused == relu.way.kernels
    assert [use.op for use in relu.way.kernels] == ["ConvLayer_valid.clamp"]


def test_the_parts_of_a_raised_op_name_it() -> None:
    model = of_nodes(node("Softmax", "x", "p", axis=1), node("Log", "p", "y"))
    by_name = ways(surveyed(model))
    assert by_name["to_y"].becomes == ("LogSoftmax",)
    assert [use.op for use in by_name["to_y"].kernels] == ["LogSoftmax"]
    assert (by_name["to_p"].becomes, by_name["to_p"].kernels) == (("Softmax",), ())
    assert by_name["to_p"].fused == by_name["to_y"].kernels


def test_a_node_is_taken_up_by_the_last_of_a_chain_unless_its_op_is_left() -> None:
    fusions = Fusions()
    fusions.into = {"conv": ("Conv", "bias"), "bias": ("BiasAdd", "relu"), "x": ("Abs", "x2")}
    fusions.into["x2"] = ("Abs", "x")
    assert fusions.target("conv", ["SlicePad_shape"]) == "relu"
    assert fusions.target("conv", ["Conv"]) == ""
    assert fusions.target("relu", []) == ""
    assert fusions.target("x", []) == "x2"


def test_refused_nodes_come_first_and_the_rest_is_lowered_without_them() -> None:
    model = of_nodes(
        node("Relu", "x", "a"),
        node("Foo", "a", "f", domain="com.acme"),
        node("Neg", "f", "g"),
        node("TopK", "a k", "y i"),
        outputs=("g", "y"),
    )
    result = surveyed(model)
    by_name = ways(result)
    assert result.extents == {"refused": 1, "unknown": 1, "allocated": 2}
    assert by_name["to_f"].reason[0] == "the op is not supported"
    assert by_name["to_g"].extent == "unknown"
    (use,) = by_name["to_y i"].kernels
    assert (use.is_reference, use.where) == (True, "main memory")
    assert not result.all_run


def kernels(result: Survey) -> dict[str, list[str]]:
    """The ops that the kernels of each node run."""
    return {name: [use.op for use in way.kernels] for name, way in ways(result).items()}


def test_what_refused_nodes_alone_read_has_its_kernel() -> None:
    model = of_nodes(
        node("Relu", "x", "a"),
        node("Foo", "a", "f", domain="com.acme"),
        node("Abs", "x", "b"),
        node("Add", "f b", "y"),
    )
    of_model = kernels(surveyed(model))
    assert of_model == {"to_a": ["Relu"], "to_f": [], "to_b": ["Abs"], "to_y": []}
    text = """func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
      %a = qti_aisw.Relu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      %y = qti_aisw.Custom(%a) {package = "None", op_type = "Foo"}
        : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      func.return %y : tensor<1x8x8x4xf32>
    }"""
    of_text = kernels(survey(graph_itself(parse_module(text)), CTX, Lower()))
    assert of_text == {"%a": ["Relu"], "%y": []}


def test_a_fault_inside_a_function_names_the_op() -> None:
    inside = [helper.make_node("Nothing", ["a"], ["t"]), helper.make_node("Neg", ["t"], ["b"])]
    model = of_nodes(node("Fn", "x", "y", domain="my"))
    function = helper.make_function("my", "Fn", ["a"], ["b"], inside, [helper.make_opsetid("", 21)])
    model.functions.append(function)
    model.opset_import.add(domain="my", version=1)
    way = ways(surveyed(model))["to_y"]
    assert (way.extent, way.reason[0]) == ("refused", "Nothing inside it: the op is not supported")


def test_a_fault_of_the_whole_model_stands_alone() -> None:
    model = of_nodes(node("Relu", "x", "y"))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    result = surveyed(model)
    assert result.extents == {"unknown": 1}
    assert "--dim batch=1" in result.faults[0].remedy
    assert surveyed(model, batch=2).all_run


@pytest.mark.parametrize("allowed", [False, True])
def test_an_op_that_only_its_reference_takes_is_native_unless_allowed(allowed: bool) -> None:
    text = """func.func @main(%x: tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32> {
      %y = qti_aisw.Custom(%x) {op_type = "Doubled", package = "Slow"}
        : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
      func.return %y : tensor<1x1x3x5xf32>
    }"""
    slow = load_packages(PASSES / "placement" / "slow_package.py").context()
    module = graph_itself(parse_module(text, ctx=slow))
    (row,) = survey(module, slow, Lower(allow_reference=allowed)).rows
    assert row.way.extent == ("allocated" if allowed else "native")
    assert row.way.reason[0].startswith("no kernel takes") is not allowed
    assert [use.is_reference for use in row.way.kernels] == [True]


def test_an_op_that_does_not_fit_runs_from_main_memory() -> None:
    text = """func.func @main(%x: tensor<1x1x1x1024xf32>) -> tensor<1x1x1x1024xf32> {
      %r = qti_aisw.Relu(%x) : (tensor<1x1x1x1024xf32>) -> tensor<1x1x1x1024xf32>
      %y = qti_aisw.Softmax(%r) {axis = 3 : i64}
        : (tensor<1x1x1x1024xf32>) -> tensor<1x1x1x1024xf32>
      func.return %y : tensor<1x1x1x1024xf32>
    }"""
    result = survey(graph_itself(parse_module(text)), CTX, Lower(tcm_bytes=6144))
    memories = {row.way.op: {use.memory for use in row.way.kernels} for row in result.rows}
    assert memories == {"qti_aisw.Relu": {Memory.TCM}, "qti_aisw.Softmax": {Memory.DDR}}
    assert (result.short, result.faults) == (0, ())


def test_ops_on_types_that_htp_lacks_say_so_and_the_others_go_on() -> None:
    """The input and the output of f64 are left out with them, and so is what they share."""
    f64 = helper.np_dtype_to_tensor_dtype(np.dtype(np.float64))
    model = of_nodes(
        node("Cast", "x", "w", to=f64),
        node("Add", "w one", "y"),
        node("Neg", "y", "v"),
        node("Cast", "v", "b", to=1),
        node("Abs", "b", "z"),
        node("Relu", "x", "u"),
        outputs=("y", "z", "u"),
    )
    model.graph.initializer.append(numpy_helper.from_array(np.array(0.1), "one"))
    result = surveyed(model)
    by_name = ways(result)
    for name in ("to_w", "to_y", "to_v", "to_b"):
        assert by_name[name].extent == "graph"
        problem = "works on f64, which no tensor on HTP has"
        assert by_name[name].reason == (problem, "run qti-retype{old=f64 new=f32} first")
    assert [by_name[name].extent for name in ("to_z", "to_u")] == ["allocated"] * 2
    assert not result.faults


def test_inputs_of_types_that_htp_lacks_are_told_once() -> None:
    feeds = {"x": X.astype(np.float64)}
    result = surveyed(model_of([node("Relu", "x", "y")], feeds, ["y"]))
    (fault,) = result.faults
    assert fault.where == "input 'x'"
    assert ways(result)["to_y"].extent == "graph"


def test_the_survey_of_a_quantised_model_tells_what_is_in_integers() -> None:
    scales = {"s": np.array(0.05, np.float32), "z": np.array(128, np.uint8)}
    nodes = (
        node("QuantizeLinear", "x s z", "q"),
        node("DequantizeLinear", "q s z", "d"),
        node("Tanh", "d", "t"),
        node("QuantizeLinear", "t s z", "p"),
        node("DequantizeLinear", "p s z", "r"),
        node("Erf", "r", "y"),
    )
    result = surveyed(model_of(nodes, {"x": X}, ["y"], scales))
    types = {name: way.types for name, way in ways(result).items() if way.types}
    assert types == {"to_t": ("u8",), "to_y": ("f32: its result has no encoding",)}
    text = as_text(result, "a model")
    assert "integers: 1 of 2 in u8, 1 in f32 between Dequantize and Quantize\n" in text
    assert TYPES not in as_text(surveyed(of_nodes(node("Tanh", "x", "y"))), "a float model")


def test_the_survey_of_a_dynamically_quantised_model_tells_that_it_computes_in_floats() -> None:
    weights = {"w": np.ones((X.shape[-1], 3), np.int8), "s": np.array(0.1, np.float32)}
    nodes = (
        node("DynamicQuantizeLinear", "x", "q u z"),
        node("MatMulInteger", "q w z", "i"),
        node("Cast", "i", "f", to=1),
        node("Mul", "f s", "y"),
    )
    result = surveyed(model_of(nodes, {"x": X}, ["y"], weights))
    types = ways(result)["to_y"].types
    assert types == ("f32: only weights have an encoding",)
    assert "integers: none, 3 in f32\n" in as_text(result, "a model")


def test_an_op_of_a_package_that_is_no_graph_op_is_told_of() -> None:
    text = """func.func @main(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
      %0 = "HardSwishPackage.HardSwish"(%x) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      %1 = qti_aisw.Relu(%0) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
      func.return %1 : tensor<1x4x4x8xf32>
    }"""
    package = ROOT / "docs" / "examples" / "hard_swish_package"
    outcome = htp.run(["support", "-", "--package", str(package)], text)
    problem, remedy = (line.strip() for line in outcome.out.splitlines()[4:6])
    assert problem == "'%0': is no graph op"
    custom = 'package = "HardSwishPackage" and op_type = "HardSwish"'
    assert remedy == f"write it as qti_aisw.Custom with {custom}"
    assert "2 nodes: 1 graph, 1 allocated\n" in outcome.out
    assert outcome.status == 1
