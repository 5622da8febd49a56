"""Inputs that are made up: of each dtype, and masks that leave something to see."""

import numpy as np
from htp_mlir.lowering.numerics.runs import made_up
from htp_mlir.runtime import Session, parse_module

TEXT = """
!data = tensor<1x4x4x8xf32>
!square = tensor<1x4x8x8xf32>
!window = tensor<2x4x4x8xf32>
!stored = tensor<1x4x4x8x!quant.uniform<u8:f32, 0.1:3>>
func.func @main(
    %x: !data {htp.name = "x"}, %q: !stored {htp.name = "q"},
    %m: tensor<1x8xi32> {htp.name = "mask"},
    %l: tensor<1x2xi32> {htp.name = "lengths"}, %s: !square {htp.name = "s"},
    %c: tensor<1x4x4x8xi1> {htp.name = "shown"}, %r: tensor<i1> {htp.name = "r"})
    -> (!data, !square, !window, !data) {
  %0 = qti_aisw.MaskedSoftmax(%x, %m) : (!data, tensor<1x8xi32>) -> !data
  %1 = qti_aisw.MaskedSoftmax(%s, %l) {mode = #qti_aisw.mask_mode<COMPRESSED>}
    : (!square, tensor<1x2xi32>) -> !square
  %2 = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 0 : i64, buffer_size = 2 : i64,
    mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>} : (!data, tensor<i1>) -> !window
  %3 = qti_aisw.ElementWiseSelect(%c, %x, %0) : (tensor<1x4x4x8xi1>, !data, !data) -> !data
  func.return %0, %1, %2, %3 : !data, !square, !window, !data
}
"""


def test_inputs_by_dtype_and_use() -> None:
    module = parse_module(TEXT)
    session = Session(module)
    steps = made_up(module, session.inputs, 0, 4)
    for feeds in steps:
        session.run(feeds)
    assert [bool(feeds["r"]) for feeds in steps] == [False, False, True, False]
    assert {int(n) for feeds in steps for n in np.unique(feeds["mask"])} == {-10_000, 0}
    assert all(feeds["mask"][0, 0] == 0 for feeds in steps)
    assert all(feeds["shown"][..., 0].all() and not feeds["shown"].all() for feeds in steps)
    assert {int(n) for feeds in steps for n in np.unique(feeds["lengths"])} <= {0, 1}
    assert steps[0]["q"].dtype == np.uint8
    again = made_up(module, session.inputs, 0, 4)
    assert all(np.array_equal(a[n], b[n]) for a, b in zip(steps, again, strict=True) for n in a)
    assert not np.array_equal(steps[0]["x"], steps[1]["x"])
