"""Small native graphs of matrix products and attention."""

import numpy as np
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.native_graph import NativeGraph

from .pointwise_examples import BIG


def codes(graph: NativeGraph, rows: int, columns: int) -> list[SSAValue]:
    """Weights of two codes in a byte, with a table, two scales in a row and one zero point."""
    packed, zeros = (
        graph.const(np.full(dims, byte, np.uint8), TensorSpec(dims, DType.UInt8))
        for dims, byte in (((1, 1, rows, columns // 2), 0x5A), ((1, 1, 1, 1), 0x0A))
    )
    return [packed, graph.random(16), graph.random(1, 1, rows, 2), zeros]


def half_biased() -> ModuleOp:
    """A product in f16 whose bias of zeros is f32, and another bias."""
    graph = NativeGraph()
    spec = TensorSpec((1, 6, 5, 8), DType.Float16)
    weights, bias = (
        graph.const(
            np.random.default_rng(seed).standard_normal(dims), TensorSpec(dims, DType.Float16)
        )
        for seed, dims in enumerate([(1, 1, 8, 8), (1, 1, 1, 8)])
    )
    zeros = graph.const(np.zeros((1, 1, 1, 8)), TensorSpec((1, 1, 1, 8), DType.Float32))
    product = graph.op("FullyConnected", graph.input(spec=spec), weights, zeros)
    return graph.module(graph.op("BiasAdd", product, bias))


def dense(name: str, *scalars: float) -> ModuleOp:
    """A FullyConnected over a big tensor."""
    graph = NativeGraph()
    params = [graph.random(65, 70), graph.random(65, seed=2), *map(graph.scalar, scalars)]
    return graph.module(graph.op(name, graph.input(3, 17, 17, 70), *params, out=BIG))


def coded() -> ModuleOp:
    """A CodedFullyConnected over a big tensor, of two codes in a byte."""
    graph = NativeGraph()
    operands = [graph.input(3, 17, 17, 70), *codes(graph, 65, 70), graph.random(65)]
    return graph.module(graph.op("CodedFullyConnected", *operands, out=BIG))


def big_matmul(turned: int) -> ModuleOp:
    """A MatMul of two inputs, the second broadcast along the batch."""
    graph = NativeGraph()
    second = (1, 17, 65, 70) if turned else (1, 17, 70, 65)
    operands = [graph.input(3, 17, 17, 70), graph.input(*second), graph.ints(0), graph.ints(turned)]
    return graph.module(graph.op("MatMul", *operands, out=BIG))


def attention(*, first: int, last: int, masked: bool) -> ModuleOp:
    """Attention of queries to a window of keys, which all heads share where there is no mask."""
    graph = NativeGraph()
    q, mask = graph.input(3, 17, 17, 8), graph.input(*((1, 1, 17, 19) if masked else (1, 1, 1, 1)))
    shared = (3, 17) if masked else (1, 1)
    keys, values = graph.input(*shared, 19, 8), graph.input(*shared, 19, 5)
    params = [graph.scalar(0.3), graph.scalar(2.0), graph.ints(first), graph.ints(last)]
    out = graph.op("Attention", q, keys, values, mask, *params, out=(3, 17, 17, 5))
    return graph.module(out)
