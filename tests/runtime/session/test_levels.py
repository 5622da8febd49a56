"""One stateful model at every level: the same numbers, the same states."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.runtime.session.session import Session
from htp_mlir.runtime.tools.loading import parse_module

MODEL = """
func.func @main(%x: tensor<4x2x5xf32> {htp.name = "x"}, %w: tensor<1x12x5xf32> {htp.name = "w"},
    %u: tensor<1x12x4xf32> {htp.name = "u"}, %r: tensor<i1> {htp.name = "reset"})
    -> (tensor<4x1x2x4xf32> {htp.name = "y"}, tensor<8x1x2x4xf32> {htp.name = "window"}) {
  %0, %1 = qti_aisw.StatefulGru(%x, %w, %u, reset = %r) {hidden_size = 4 : i64}
      : (tensor<4x2x5xf32>, tensor<1x12x5xf32>, tensor<1x12x4xf32>, tensor<i1>)
      -> (tensor<4x1x2x4xf32>, tensor<1x2x4xf32>)
  %2 = qti_aisw.Buffer(%0, reset = %r) {buffer_dim = 0 : i64, buffer_size = 8 : i64,
      stride = 4 : i64, mode = #qti_aisw.buffer_mode<NON_BLOCKING_RIGHT>}
      : (tensor<4x1x2x4xf32>, tensor<i1>) -> tensor<8x1x2x4xf32>
  return %0, %2 : tensor<4x1x2x4xf32>, tensor<8x1x2x4xf32>
}
"""
LEVELS = ["native", "placed", "allocated"]


def feeds(step: int) -> dict[str, np.ndarray]:
    generator, fixed = np.random.default_rng(step), np.random.default_rng(99)
    return {
        "x": generator.standard_normal((4, 2, 5)).astype(np.float32),
        "w": fixed.standard_normal((1, 12, 5)).astype(np.float32),
        "u": fixed.standard_normal((1, 12, 4)).astype(np.float32),
        "reset": np.array(step == 2),
    }


def assert_same_steps(one: Session, other: Session, steps: range) -> None:
    for step in steps:
        expected, outputs = one.run(feeds(step)), other.run(feeds(step))
        for name, value in expected.items():
            np.testing.assert_allclose(outputs[name], value, rtol=1e-5, atol=1e-6)
            assert np.abs(value).max() > 0.01


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("check", [False, True])
def test_a_stateful_model_gives_the_same_numbers_at_every_level(level: str, check: bool) -> None:
    module = parse_module(MODEL)
    lowered = lower(module, soc="SM8650", level=level)
    assert_same_steps(Session(module), Session(lowered, check=check), range(5))


def test_a_state_saved_at_one_level_goes_on_at_another(tmp_path: Path) -> None:
    module = parse_module(MODEL)
    graph, native = Session(module), Session(lower(module, soc="SM8650", level="native"))
    graph.run(feeds(0))
    graph.save_state(tmp_path / "s.npz")
    native.load_state(tmp_path / "s.npz")
    assert_same_steps(graph, native, range(3, 5))
    native.save_state(tmp_path / "s.npz")
    fresh = Session(module)
    fresh.load_state(tmp_path / "s.npz")
    assert_same_steps(native, fresh, range(5, 7))
