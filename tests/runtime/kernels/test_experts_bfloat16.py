"""RoutedExperts in bf16, at the graph level: computed in f32 and rounded once."""

import ml_dtypes
import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session, parse_module
from xdsl.dialects.builtin import ModuleOp

TEXT = """func.func @main(%x: tensor<6x8xT> {htp.name = "x"}, %s: tensor<6x4xT> {htp.name = "s"},
    %u: tensor<4x8x5xT> {htp.name = "u"}, %d: tensor<4x5x7xT> {htp.name = "d"}) -> tensor<6x7xT> {
  %y = qti_aisw.RoutedExperts(%x, %s, %u, %d) {k = 2 : i64, activation = 0 : i64} :
    (tensor<6x8xT>, tensor<6x4xT>, tensor<4x8x5xT>, tensor<4x5x7xT>) -> tensor<6x7xT>
  func.return %y : tensor<6x7xT>
}"""


def module_of(element: str) -> ModuleOp:
    return parse_module(TEXT.replace("xT>", f"x{element}>"))


def test_bf16_is_f32_that_is_rounded_once() -> None:
    rng = np.random.default_rng(0)
    session = Session(module_of("bf16"), check=True)
    feeds = {
        name: rng.standard_normal(spec.shape).astype(ml_dtypes.bfloat16)
        for name, spec in session.inputs.items()
    }
    exact = Session(module_of("f32")).run({k: v.astype(np.float32) for k, v in feeds.items()})
    (result,), (wanted,) = session.run(feeds).values(), exact.values()
    np.testing.assert_array_equal(np.asarray(result), np.asarray(wanted).astype(ml_dtypes.bfloat16))


def test_htp_has_no_bf16() -> None:
    with pytest.raises(HtpError, match="has element type bf16, which no tensor on HTP has"):
        lower(module_of("bf16"))
