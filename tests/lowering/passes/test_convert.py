"""Conversion as a whole: signature, names, states, folded ranks, and faults that change nothing."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.faults.op_faults import grouped
from htp_mlir.dialects.htp.ops.state import StateOp
from htp_mlir.dialects.locations import named
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.conversion.convert import conversion_faults
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.checks.check_level import check_level
from htp_mlir.lowering.passes.graph.convert import ConvertToHtp
from htp_mlir.runtime import Session
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from tests.support.faults import told
from tests.support.feeds import assert_same
from tests.support.graph import F32, Graph
from tests.support.roundtrip import parse, to_text

LEFT = BufferMode.NON_BLOCKING_LEFT

BUFFER = """
func.func @NAME(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %y = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 3 : i64,
    mode = #qti_aisw.buffer_mode<MODE>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}
"""


def converted(module: ModuleOp) -> ModuleOp:
    native = module.clone()
    ConvertToHtp().apply(Context(), native)
    native.verify()
    check_level(native, Level.NATIVE)
    return native


def function(name: str, mode: str = "NON_BLOCKING_LEFT") -> str:
    return BUFFER.replace("NAME", name).replace("MODE", mode)


def uses_of_arguments(module: ModuleOp) -> int:
    arguments = [value for block in module.walk_blocks() for value in block.args]
    return sum(len(list(value.uses)) for value in arguments)


def faults_of(text: str) -> list[str]:
    """The lines of the error; the module has not changed."""
    module = parse(text)
    before, used = to_text(module), uses_of_arguments(module)
    with pytest.raises(HtpError) as error:
        ConvertToHtp().apply(Context(), module)
    assert to_text(module) == before
    assert uses_of_arguments(module) == used
    assert str(HtpError(*grouped(conversion_faults(module, Packages())))) == str(error.value)
    assert to_text(module) == before
    module.verify()
    return error.value.lines()


def test_signature_and_names_stay() -> None:
    graph = Graph()
    graph.give("out", graph.op("Relu", graph.input(3, 5)))
    module = graph.model().module
    for attribute in ("function_type", "arg_attrs", "res_attrs"):
        (before,) = (op.properties[attribute] for op in module.walk() if isinstance(op, FuncOp))
        (after,) = (
            op.properties[attribute] for op in converted(module).walk() if isinstance(op, FuncOp)
        )
        assert before == after


def test_every_native_op_has_its_nodes_name_and_location() -> None:
    graph = Graph()
    graph.give("out", graph.op("Split", graph.input(6), axis=0, split_index=(2,)))
    module = graph.model().module
    (split,) = (op for op in module.walk() if op.name == "qti_aisw.Split")
    split.attributes["htp.name"] = StringAttr("cut")
    assert sources(module) == [(StringAttr("cut"), named("cut"))] * 2
    split.location = FileLineColLoc(StringAttr("model"), IntAttr(3), IntAttr(4))
    assert sources(module) == [(StringAttr("cut"), named("cut", split.location))] * 2


def sources(module: ModuleOp) -> list[tuple[Attribute, LocationAttr]]:
    """Name and location of the slices that a module is converted to."""
    slices = [op for op in converted(module).walk() if op.name == "htp.Slice_shape"]
    return [(op.attributes["htp.name"], op.location) for op in slices]


def test_states_of_several_functions_are_their_own() -> None:
    module = converted(parse(function("main") + function("aux")))
    names = [op.sym_name.data for op in module.walk() if isinstance(op, StateOp)]
    assert names == [
        "Buffer0_content",
        "Buffer0_counters",
        "aux_Buffer0_content",
        "aux_Buffer0_counters",
    ]


def test_a_declaration_stays() -> None:
    text = "func.func private @f(tensor<2xf32>) -> tensor<2xf32>\n"
    assert "func.func private @f" in to_text(converted(parse(text + function("main"))))


@pytest.mark.parametrize("element", ["f32", "!quant.uniform<u8:f32, 0.5:128>"])
def test_blocking_buffers_are_refused(element: str) -> None:
    assert faults_of(function("main", "BLOCKING").replace("f32>", f"{element}>"))[:2] == [
        "%y = qti_aisw.Buffer: mode BLOCKING cannot run on HTP",
        "  use NON_BLOCKING_LEFT or NON_BLOCKING_RIGHT",
    ]


def test_every_op_that_fails_is_listed() -> None:
    lines = faults_of(function("main", "BLOCKING") + function("aux", "BLOCKING"))
    where, _, problem = lines[0].partition(": ")
    assert (where, len(lines)) == ("2 nodes (qti_aisw.Buffer)", 2)
    assert problem.startswith("'%y', '%y': mode BLOCKING cannot run on HTP")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            """func.func @main(%x: tensor<2x2x2x2x2x!quant.uniform<u8:f32:1, {0.5, 0.25}>>) {
              func.return
            }""",
            "@main: argument 0: shape 2x2x2x2x2 is quantised along dim 1, which merges",
        ),
        (
            """func.func @main(%x: tensor<2x2x2x2x2xf32>) {
              %y = qti_aisw.Relu(%x) : (tensor<2x2x2x2x2xf32>) -> tensor<2x2x2x2x2xf32>
              func.return
            }""",
            "%y = qti_aisw.Relu: operand 0: shape 2x2x2x2x2 has rank 5, native tensors have rank 4",
        ),
        (
            """func.func @main(%x: tensor<1x2x2x2x2xf32>) {
              %y = qti_aisw.Softmax(%x) {axis = 0 : i64} :
                (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
              func.return
            }""",
            "%y = qti_aisw.Softmax: param 'axis' names one of the first 1 dims",
        ),
        (
            """func.func @main(%x: tensor<1x1x2x2x2xf32>) {
              %y = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0, 2, 3, 4>} :
                (tensor<1x1x2x2x2xf32>) -> tensor<1x1x2x2x2xf32>
              func.return
            }""",
            "%y = qti_aisw.Transpose: param 'perm' names one of the first 1 dims",
        ),
        (
            "func.func @main(%x: tensor<2xf32>) {\n func.return\n ^b:\n func.return\n}",
            "@main: has 2 blocks, a model has one",
        ),
        (
            """func.func @main(%x: tensor<1x1x1x2xf32>) {
              %y = htp.Relu(%x) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
              func.return
            }""",
            "%y = htp.Relu: is no graph op",
        ),
    ],
)
def test_what_has_no_native_form_is_said_in_two_lines(text: str, message: str) -> None:
    assert told("\n".join(faults_of(text)))[0].startswith(message)


def test_leading_ones_fold_away_above_rank_4() -> None:
    graph = Graph()
    x = graph.input(1, 2, 3, 4, 5)
    graph.give("softmax", graph.op("Softmax", x, axis=1))
    graph.give("sum", graph.op("ReduceSum", x, axes=(0, -1), keep_dims=True))
    graph.give("turned", graph.op("Transpose", x, perm=(0, 4, 3, 1, 2)))
    graph.give("padded", graph.op("Pad", x, pad_amount=(0, 0, 1, 0, 0, 0, 0, 2, 0, 0)))
    ranges = (0, 1, 1, 0, 2, 1, 0, 3, 2, 3, -1, -1, 1, 5, 1)
    graph.give("sliced", graph.op("StridedSlice", x, ranges=ranges))
    graph.give("tiled", graph.op("Tile", x, multiples=(1, 1, 2, 1, 1)))
    graph.give("joined", graph.op("Concat", [x, x], axis=2))
    graph.give("found", graph.op("Argmax", x, axis=3))
    graph.give("held", graph.op("Buffer", x, buffer_size=4, buffer_dim=1, stride=2, mode=LEFT))
    two = graph.op("ElementWiseAdd", x, graph.const(np.ones((1, 1, 1, 4, 1), np.float32), F32))
    graph.give("added", two)
    model = graph.model()
    before, after = Session(model.module), Session(converted(model.module))
    assert {spec_of(a).rank for f in model.module.ops for a in f.body.block.args} == {5}
    for seed in range(3):
        assert_same(after.run(model.feeds(seed)), before.run(model.feeds(seed)))
