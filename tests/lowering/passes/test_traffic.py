"""Bytes between the memories, counted by hand for small functions."""

from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.traffic import TransferKind, least_traffic, traffic
from htp_mlir.lowering.report.plan import macs
from htp_mlir.runtime.tools.loading import parse_module
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ...support.graph import Graph
from ..packages.scratch_package import PACKAGE
from ..packages.test_scratch import graph

PLACED = """
func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %in = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %a = htp.ForceFormat_Crouton(%in) :
    (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  %b = htp.crouton_to_vtcm(%a) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
  %c = htp.Relu(%b) : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>
  %s = htp.Spill(%c) {reason = "room"} : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 8192>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  %f = htp.Fill(%s) {reason = "back"} : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>
  %d = htp.crouton_from_vtcm(%f) : (tensor<1x8x8x32xf32, #htp.place<crouton, tcm, 0>>)
    -> tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>
  %e = htp.ForceFormat_Flat(%d) : (tensor<1x8x8x32xf32, #htp.place<crouton, ddr>>)
    -> tensor<1x8x8x32xf32>
  %out = htp.Reshape(%e) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %out : tensor<1x8x8x32xf32>
}
"""
SIZE = 8 * 8 * 32 * 4


def parsed(text: str) -> ModuleOp:
    return parse_module(text, "test.mlir")


def test_each_kind_by_hand() -> None:
    counted = traffic(parsed(PLACED))
    assert counted.by_kind() == {
        TransferKind.CONVERSION: 4 * SIZE,
        TransferKind.COPY_IN: SIZE,
        TransferKind.SPILL: SIZE,
        TransferKind.FILL: SIZE,
        TransferKind.COPY_OUT: SIZE,
    }
    assert counted.conversions == (2, 2 * SIZE)
    assert counted.bytes == 8 * SIZE
    assert least_traffic(parsed(PLACED)) == 2 * SIZE


def test_a_slice_reads_what_it_gives() -> None:
    text = """
    func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x2x8x32xf32> {
      %in = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
      %b = htp.Shape : !htp.shape<0x4x0x0>
      %s = htp.Shape : !htp.shape<1x2x8x32>
      %a = htp.Slice_shape(%in, %b, %s) : (tensor<1x8x8x32xf32>, !htp.shape<0x4x0x0>,
        !htp.shape<1x2x8x32>) -> tensor<1x2x8x32xf32>
      %out = htp.Reshape(%a) : (tensor<1x2x8x32xf32>) -> tensor<1x2x8x32xf32>
      func.return %out : tensor<1x2x8x32xf32>
    }
    """
    assert traffic(parsed(text)).by_kind() == {TransferKind.PARTS: 2 * SIZE // 4}
    in_place = text.replace("%b, %s) :", "%b, %s) {in_place} :")
    assert traffic(parsed(in_place)).bytes == 0


def test_states_move_in_and_out() -> None:
    graph = Graph()
    mode = BufferMode.NON_BLOCKING_LEFT
    x = graph.input(1, 1, 1, 8)
    graph.give("y", graph.op("Buffer", x, buffer_size=4, buffer_dim=2, mode=mode))
    native = lower(graph.model().module, level="native")
    window, counters = 4 * 8 * 4, 2 * 4
    states = sum(op.spec.nbytes for op in native.body.block.ops if op.name == "htp.State")
    assert states >= window + counters
    assert traffic(native).by_kind()[TransferKind.STATE] == 4 * states
    assert least_traffic(native) >= 2 * states


def test_recurrent_weights_are_read_at_every_step() -> None:
    graph = Graph()
    x, steps, hidden = graph.input(5, 1, 3), 5, 4
    weights = graph.weights(1, 16, 3), graph.weights(1, 16, hidden)
    graph.give("y", graph.op("Lstm", x, *weights, hidden_size=hidden))
    native = lower(graph.model().module, level="native")
    layer = next(t for t in traffic(native).transfers if t.op.name == "htp.Lstm")
    recurrent = 16 * hidden * 4
    once = sum(t.bytes for t in traffic(native).transfers if t.op.name != "htp.Lstm")
    assert layer.read >= steps * recurrent
    assert layer.read < (steps + 1) * recurrent + 16 * 3 * 4 + 1000
    assert once == 0


def test_macs_of_a_convolution_and_a_product() -> None:
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 6, 6, 3), graph.weights(3, 3, 3, 5))
    flat = graph.op("Reshape", x, shape=(4 * 4, 5))
    graph.give("y", graph.op("MatMul", flat, graph.weights(5, 7)))
    native = lower(graph.model().module, level="native")
    assert macs(native) == 4 * 4 * 5 * 27 + 16 * 5 * 7


class OtherFullyConnected(NativeOp):
    """An op of a package with the name of one of ours, and fewer operands."""

    name = "OtherPkg.FullyConnected"

    in_ = tensor_def()


def test_an_op_of_a_package_is_none_of_ours() -> None:
    module = parsed(PLACED)
    relu = next(op for op in module.walk() if op.name == "htp.Relu")
    foreign = OtherFullyConnected.create(
        operands=relu.operands, result_types=[relu.results[0].type], properties=relu.properties
    )
    Rewriter.replace_op(relu, foreign)
    assert macs(module) == 0


def test_scratch_in_main_memory_is_written_and_read() -> None:
    """The kernel's tensors are in TCM, but for the sums of its rows: 3 x 5 floats."""
    lowered = lower(graph((1, 3, 5, 7)), packages=Packages().extended(PACKAGE))
    direct = [move for move in traffic(lowered).transfers if move.kind is TransferKind.DIRECT]
    assert direct
    assert {(move.op.name, move.read, move.written) for move in direct} == {
        ("ScratchPkg.Damp", 60, 60)
    }
