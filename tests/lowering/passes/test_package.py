"""The project's own properties and kernels through all passes; the numbers stay."""

import numpy as np
import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import inferred
from htp_mlir.dialects.htp.ops.const import const, shape
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.memory_plan import verify
from htp_mlir.runtime.session.session import Session
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...support.roundtrip import parse
from .kit import REAL, Model, lowered, run

SHAPE = (1, 8, 16, 32)
ONE = 8 * 16 * 32 * 4


class Net(Model):
    """Layers that keep the shape 1x8x16x32."""

    def put(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.append(inferred(NATIVE_OPS[name], operands))

    def data(self, *dims: int) -> SSAValue:
        numbers = np.random.default_rng(sum(dims)).standard_normal(dims, np.float32)
        return self.append(const(numbers / 8, TensorSpec(dims, DType.Float32)))

    def ints(self, *numbers: int) -> SSAValue:
        spec = TensorSpec((1, 1, 1, len(numbers)), DType.Int32)
        return self.append(const(np.array([[[numbers]]], np.int32), spec))

    def shape(self, *dims: int) -> SSAValue:
        return self.append(shape(dims))

    def conv(self, value: SSAValue) -> SSAValue:
        weights, bias = self.data(1, 1, 32, 32), self.data(1, 1, 1, 32)
        return self.put("ConvLayer_valid", value, weights, self.shape(1, 1, 1, 1), bias)

    def pool(self, value: SSAValue) -> SSAValue:
        window = self.shape(1, 2, 1, 1)
        half = self.put("MaxPool_valid", value, window, window)
        return self.put("Concat", self.ints(1), half, half)

    def halves(self, value: SSAValue) -> SSAValue:
        size = self.shape(1, 4, 16, 32)
        first = self.put("Slice_shape", value, self.shape(0, 0, 0, 0), size)
        second = self.put("Slice_shape", value, self.shape(0, 4, 0, 0), size)
        return self.put("Concat", self.ints(1), self.put("Relu", second), first)

    def softmax(self, value: SSAValue) -> SSAValue:
        return self.put("Softmax", value, self.ints(3), self.data(1, 1, 1, 1))

    def bias(self, value: SSAValue) -> SSAValue:
        return self.put("BiasAdd", value, self.data(1, 1, 1, 32))

    def add(self, value: SSAValue) -> SSAValue:
        return self.put("Add", value, self.x)


LAYERS = ["conv", "pool", "halves", "softmax", "bias", "add"]


def net(layers: list[str]) -> ModuleOp:
    model = Net(*SHAPE)
    value = model.x
    for layer in layers:
        value = getattr(model, layer)(value)
    return model.module(value)


def assert_close(before: dict[str, Array], after: dict[str, Array]) -> None:
    """Kernels for other layouts add up in another order."""
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_allclose(after[name], value, rtol=1e-5, atol=1e-5)


def assert_lowers(module: ModuleOp, tcm_bytes: int) -> None:
    allocated = lowered(module, tcm_bytes, REAL)
    assert verify(certificate(allocated), tcm_bytes, TCM_ALIGNMENT) == ()
    before, after = (run(m, library=REAL.library) for m in (module, allocated))
    assert_close(before, after)


@pytest.mark.parametrize("layer", LAYERS)
def test_each_layer_alone(layer: str) -> None:
    assert_lowers(net([layer]), 64 * ONE)


@settings(max_examples=15)
@given(st.lists(st.sampled_from(LAYERS), min_size=2, max_size=5), st.sampled_from([4, 5, 64]))
def test_layers_in_any_order_in_any_tcm(layers: list[str], tensors: int) -> None:
    assert_lowers(net(layers), tensors * ONE)


STATEFUL = """
  htp.State @sum : tensor<1x8x16x32xf32>
  func.func @main(
    %x: tensor<8x16x32xf32> {htp.name = "x"}, %r: tensor<i1> {htp.name = "reset"}
  ) -> (tensor<8x16x32xf32> {htp.name = "y"}) {
    %0 = htp.Reshape(%x) : (tensor<8x16x32xf32>) -> tensor<1x8x16x32xf32>
    %1 = htp.Reshape(%r) : (tensor<i1>) -> tensor<1x1x1x1xi1>
    %init = htp.Const dense<1.0> : tensor<1x8x16x32xf32> -> tensor<1x8x16x32xf32>
    %old = htp.StateRead @sum, %init, %1
      : tensor<1x8x16x32xf32>, tensor<1x1x1x1xi1> -> tensor<1x8x16x32xf32>
    %new = htp.Add(%old, %0)
      : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
    htp.StateWrite @sum, %new : tensor<1x8x16x32xf32>
    %before = htp.Relu(%old) : (tensor<1x8x16x32xf32>) -> tensor<1x8x16x32xf32>
    %y = htp.Reshape(%before) : (tensor<1x8x16x32xf32>) -> tensor<8x16x32xf32>
    func.return %y : tensor<8x16x32xf32>
  }
"""


@pytest.mark.parametrize("tensors", [3, 64])
def test_a_state_is_kept_from_run_to_run(tensors: int) -> None:
    module = parse(STATEFUL)
    allocated = lowered(module, tensors * ONE, REAL)
    sessions = [Session(m, check=True, library=REAL.library) for m in (module, allocated)]
    for step, reset in enumerate([False, False, True, False]):
        x = np.random.default_rng(step).standard_normal((8, 16, 32), np.float32)
        before, after = (s.run({"x": x, "reset": reset})["y"] for s in sessions)
        assert before is not None
        assert after is not None
        np.testing.assert_array_equal(before, after)
