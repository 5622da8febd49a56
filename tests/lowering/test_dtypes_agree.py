"""Quantised and f16 models at every level: within a step of each other, on concrete kernels."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import CROUTON_TCM
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session, standard_library
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernels import DERIVED
from htp_mlir.runtime.tools.choices import kernel_choices
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import F16, F32, Element, Graph, Model, Param

TCM_BYTES = 128 * 1024
"""Little enough for tiles."""

QUANTIZED = (DType.QUInt8, DType.QInt8, DType.QUInt16, DType.QInt16)
ELEMENTS = (F16, *QUANTIZED)
LEVELS = ("native", "placed", "allocated")
HALF = 2.0**-9
"""What f16 rounding in a few layers adds up to, relative to an output's scale."""


def encoding(dtype: DType, bound: float) -> Element:
    """A dtype as it holds values of this magnitude."""
    if dtype in (F16, F32):
        return dtype
    info = np.iinfo(dtype.storage)
    scale = float(np.float32(2 * bound / (int(info.max) - int(info.min))))
    return dtype, Quant((scale,), ((int(info.max) + int(info.min) + 1) // 2,))


class Maker:
    """Layers of one dtype."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype
        self.graph = Graph()

    def input(self, *dims: int) -> SSAValue:
        return self.graph.input(*dims, of=self.of(2))

    def of(self, bound: float) -> Element:
        return encoding(self.dtype, bound)

    def weights(self, *dims: int) -> SSAValue:
        """Weights of 8 bits for quantised data, as models have them."""
        narrow = DType.QInt8 if self.dtype in QUANTIZED else self.dtype
        return self.graph.weights(*dims, of=encoding(narrow, 0.5))

    def op(self, name: str, *operands: SSAValue, bound: float, **params: Param) -> SSAValue:
        return self.graph.op(name, *operands, out=self.of(bound), **params)

    def model(self, out: SSAValue) -> Model:
        self.graph.give("y", out)
        return self.graph.model()


def convnet(dtype: DType) -> Model:
    net = Maker(dtype)
    x = net.input(1, 17, 15, 3)
    x = net.op("Conv2d", x, net.weights(3, 3, 3, 33), bound=6, pad_amount=(1, 1, 1, 1))
    x = net.op("Relu", x, bound=6)
    x = net.op("PoolMax2d", x, bound=6, filter_size=(2, 2), stride=(2, 2))
    depthwise = net.weights(3, 3, 1, 33)
    x = net.op("DepthWiseConv2d", x, depthwise, bound=16, pad_amount=(1, 1, 1, 1))
    x = net.op("ReluMinMax", x, bound=6, min_value=0.0, max_value=6.0)
    short = x
    x = net.op("Conv2d", x, net.weights(1, 1, 33, 33), bound=16)
    x = net.op("ElementWiseAdd", x, short, bound=16)
    return net.model(net.op("PoolAvg2d", x, bound=8, filter_size=(8, 7)))


def mlp(dtype: DType) -> Model:
    net = Maker(dtype)
    x = net.input(9, 65)
    x = net.op("FullyConnected", x, net.weights(70, 65), bound=12)
    x = net.op("Gelu", x, bound=12)
    x = net.op("LayerNorm", x, net.weights(70), net.weights(70), bound=2, axes=(1,))
    x = net.op("FullyConnected", x, net.weights(33, 70), bound=6)
    return net.model(net.op("Softmax", x, bound=1))


def attention(dtype: DType) -> Model:
    net = Maker(dtype)
    x = net.input(7, 36)
    heads = []
    for _ in range(3):
        rows = net.op("FullyConnected", x, net.weights(36, 36), bound=8)
        split = net.graph.op("Reshape", rows, shape=(7, 4, 9))
        heads.append(net.graph.op("Transpose", split, perm=(1, 0, 2)))
    scores = net.op("MatMul", heads[0], heads[1], bound=64, transpose_in1=True)
    weighted = net.op("Softmax", scores, bound=1, beta=0.1)
    mixed = net.op("MatMul", weighted, heads[2], bound=8)
    joined = net.graph.op("Transpose", mixed, perm=(1, 0, 2))
    return net.model(net.graph.op("Reshape", joined, shape=(7, 36)))


NETS: dict[str, Callable[[DType], Model]] = {
    "convnet": convnet,
    "mlp": mlp,
    "attention": attention,
}


@cache
def model(net: str, dtype: DType) -> Model:
    return NETS[net](dtype)


def run(module: ModuleOp, net: str, dtype: DType, check: bool = False) -> Array:
    (output,) = Session(module, check=check).run(model(net, dtype).feeds(1)).values()
    assert output is not None
    return output


@cache
def expected(net: str, dtype: DType) -> Array:
    return run(model(net, dtype).module, net, dtype)


@pytest.mark.one_per("dtype")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("net", NETS)
def test_levels_agree_within_a_step(net: str, dtype: DType, level: str) -> None:
    module = lower(model(net, dtype).module, tcm_bytes=TCM_BYTES, level=level)
    output, wanted = run(module, net, dtype, check=True), expected(net, dtype)
    assert output.dtype == wanted.dtype == dtype.storage
    if dtype is F16:
        scale = float(np.abs(wanted).max())
        np.testing.assert_allclose(output.astype("f8"), wanted.astype("f8"), atol=HALF * scale)
        return
    steps = np.abs(output.astype(np.int64) - wanted.astype(np.int64))
    assert steps.max() <= 1
    assert np.unique(wanted).size > 8


@pytest.mark.one_per
@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("net", NETS)
def test_no_op_runs_on_its_reference(net: str, dtype: DType) -> None:
    lowered = lower(model(net, dtype).module, tcm_bytes=TCM_BYTES)
    kernels = standard_library().kernels
    named = [op for op in lowered.walk() if isinstance(op, NativeOp) and op.kernel is not None]
    chosen = [kernels.by_name(op.name, op.kernel.data) for op in named if op.kernel is not None]
    assert [kernel for kernel in chosen if kernel.cost is Cost.GLACIAL] == []
    assert any(kernel in DERIVED for kernel in chosen)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_convolutions_lie_where_their_properties_want_them(dtype: DType) -> None:
    lowered = lower(model("convnet", dtype).module, tcm_bytes=TCM_BYTES, level="placed")
    layers = [op for op in lowered.walk() if "ConvLayer_valid" in op.name]
    assert layers
    assert {spec_of(op.results[0]).place for op in layers} == {CROUTON_TCM}


def test_the_choice_of_a_kernel_is_explained_by_dtype_and_place() -> None:
    lowered = lower(model("convnet", DType.QUInt8).module, tcm_bytes=TCM_BYTES)
    choices = list(kernel_choices(lowered, standard_library().kernels))
    lines = next(c.lines() for c in choices if c.op.startswith("htp.ConvLayer_valid.clamp"))
    assert lines[0].endswith("quantized.crouton_tcm, the cheapest that fits, cost FAST")
    assert any("takes PlainFloat16Tensor as 'out', it is QUint8Crouton" in line for line in lines)
    assert any("takes a flat tensor in ddr as 'out'" in line for line in lines)
