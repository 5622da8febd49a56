"""Ops on tensors of rank 5 and more give the same numbers at rank 4, at every level."""

from collections.abc import Callable
from itertools import pairwise, permutations
from random import Random

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.lowering.conversion.ranks.dims import Dims
from htp_mlir.lowering.conversion.ranks.reduce import first_move
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.graph.convert import ReduceRanks
from htp_mlir.runtime import Session, parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import BOOL, I32, Graph, Model, u8
from tests.support.roundtrip import to_text

DEEP = (2, 7, 1, 3, 5, 4)
SIZES = (1, 1, 2, 3, 7, 33, 65)
LARGEST = 20_000
"""Elements of one tensor of a random graph."""


def reduced(module: ModuleOp) -> ModuleOp:
    lowered = module.clone()
    ReduceRanks().apply(Context(), lowered)
    lowered.verify()
    return lowered


def high(module: ModuleOp) -> list[str]:
    """The ops but Reshapes that have a tensor of a rank above 4."""
    return [
        op.name
        for block in bodies(module)
        for op in block.ops
        if op.name.startswith("qti_aisw.") and op.name not in ("qti_aisw.Reshape", "qti_aisw.Const")
        if max(spec_of(value).rank for value in (*op.operands, *op.results)) > 4
    ]


def assert_every_level_agrees(model: Model, tcm_bytes: int = 1 << 20) -> None:
    inputs = model.feeds(0)
    expected = Session(model.module).run(inputs)
    small = reduced(model.module)
    assert high(small) == []
    assert_same(Session(small).run(inputs), expected)
    for level in ("native", "placed", "allocated"):
        lowered = lower(model.module, tcm_bytes=tcm_bytes, level=level)
        assert_same(Session(lowered, check=True).run(inputs), expected)


def elementwise(graph: Graph) -> SSAValue:
    x = graph.op("ElementWiseAdd", graph.input(*DEEP), graph.weights(5, 4))
    return graph.op("Relu", graph.op("ElementWiseMultiply", graph.weights(), x))


def stretched_in_turn(graph: Graph) -> SSAValue:
    return graph.op("ElementWiseAdd", graph.input(2, 1, 3, 1, 5, 1), graph.input(1, 4, 1, 3, 1, 2))


def select(graph: Graph) -> SSAValue:
    condition = graph.input(2, 1, 3, 1, 5, 1, of=BOOL)
    return graph.op("ElementWiseSelect", condition, graph.input(2, 4, 3, 2, 5, 3), graph.weights())


def prelu(graph: Graph) -> SSAValue:
    return graph.op("Prelu", graph.input(2, 3, 4, 3, 5), graph.weights(3, 1, 3, 1))


def quantised(graph: Graph) -> SSAValue:
    x = graph.op("Transpose", graph.input(2, 3, 4, 3, 5, of=u8()), perm=(4, 2, 0, 3, 1))
    return graph.op("Softmax", x, axis=1, out=u8(0.004, 0))


def reversed_order(graph: Graph) -> SSAValue:
    return graph.op("Transpose", graph.input(2, 3, 4, 5, 6, 7), perm=(5, 4, 3, 2, 1, 0))


def inner_axis(name: str) -> Callable[[Graph], SSAValue]:
    return lambda graph: graph.op(name, graph.input(*DEEP), axis=-3)


def over(name: str, *axes: int, keep_dims: bool = False) -> Callable[[Graph], SSAValue]:
    return lambda graph: graph.op(name, graph.input(*DEEP), axes=axes, keep_dims=keep_dims)


def norm(*axes: int) -> Callable[[Graph], SSAValue]:
    def build(graph: Graph) -> SSAValue:
        gamma = graph.weights(*(DEEP[axis] for axis in axes))
        return graph.op("LayerNorm", graph.input(*DEEP), gamma, axes=axes)

    return build


def concat(graph: Graph) -> SSAValue:
    parts = [graph.input(2, 3, 4, 3, 5), graph.input(2, 3, 1, 3, 5)]
    return graph.op("Concat", parts, axis=2)


def split(graph: Graph) -> SSAValue:
    parts = graph.ops("Split", graph.input(2, 3, 4, 3, 5), axis=-4, split_index=(2,))
    return graph.op("ElementWiseAdd", *parts[::-1])


def strided_slice(graph: Graph) -> SSAValue:
    ranges = (0, 2, 1, 1, 7, 2, 0, 1, 1, 2, -1, -1, 0, 5, 1, 1, 4, 2)
    return graph.op("StridedSlice", graph.input(*DEEP), ranges=ranges)


def pad(graph: Graph) -> SSAValue:
    amounts = (0, 1, 0, 0, 1, 0, 2, 2, 0, 0, 1, 1)
    return graph.op("Pad", graph.input(*DEEP), pad_amount=amounts, pad_constant_value=0.5)


def tile(graph: Graph) -> SSAValue:
    return graph.op("Tile", graph.input(*DEEP), multiples=(1, 2, 3, 1, 2, 2))


def gather(*count: int, axis: int) -> Callable[[Graph], SSAValue]:
    def build(graph: Graph) -> SSAValue:
        indices = graph.input(*count, of=I32, low=-3, high=3)
        return graph.op("Gather", deep(graph), indices, axis=axis)

    return build


def deep(graph: Graph) -> SSAValue:
    return graph.input(3, 3, 4, 3, 5)


def matmul(graph: Graph) -> SSAValue:
    left, right = graph.input(2, 1, 3, 1, 5, 4), graph.input(3, 1, 2, 6, 4)
    return graph.op("MatMul", left, right, transpose_in1=True)


def dense(graph: Graph) -> SSAValue:
    return graph.op("FullyConnected", deep(graph), graph.weights(6, 5), graph.weights(6))


def batch_norm(graph: Graph) -> SSAValue:
    return graph.op("Batchnorm", deep(graph), graph.weights(5), graph.weights(5))


CASES: dict[str, Callable[[Graph], SSAValue]] = {
    "element-wise": elementwise,
    "stretched in turn": stretched_in_turn,
    "select": select,
    "prelu": prelu,
    "quantised": quantised,
    "reversed": reversed_order,
    "softmax": inner_axis("Softmax"),
    "argmax": inner_axis("Argmax"),
    "sum of neighbours": over("ReduceSum", 1, 2, 3),
    "mean of dims apart": over("ReduceMean", 0, 3, 5),
    "max of dims apart, kept": over("ReduceMax", 1, 4, keep_dims=True),
    "norm": norm(4, 5),
    "norm of dims apart": norm(1, 3),
    "concat": concat,
    "split": split,
    "slice": strided_slice,
    "pad": pad,
    "tile": tile,
    "gather": gather(2, 2, axis=2),
    "gather one": gather(axis=0),
    "gather to rank 5": gather(1, 3, axis=-1),
    "matmul": matmul,
    "dense": dense,
    "batch norm": batch_norm,
}


@pytest.mark.one_per
@pytest.mark.parametrize("name", CASES)
def test_the_numbers_stay(name: str) -> None:
    graph = Graph()
    graph.give("y", CASES[name](graph))
    assert_every_level_agrees(graph.model())


Grow = Callable[[Random, Graph, SSAValue], SSAValue]
"""Appends one move or one op along some dims."""


def shape(value: SSAValue) -> tuple[int, ...]:
    return spec_of(value).shape


def reshaped(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    """Split a dim in two, or join two, until a rank of 1 to 6 is reached."""
    dims, rank = list(shape(x)), random.randint(1, 6)
    while len(dims) > rank:
        place = random.randrange(len(dims) - 1)
        dims[place : place + 2] = [dims[place] * dims[place + 1]]
    while len(dims) < rank:
        place = random.randrange(len(dims))
        part = random.choice([n for n in range(1, dims[place] + 1) if dims[place] % n == 0])
        dims[place : place + 1] = [part, dims[place] // part]
    return graph.op("Reshape", x, shape=dims)


def transposed(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    return graph.op("Transpose", x, perm=random.sample(range(len(shape(x))), len(shape(x))))


def repeated(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    return graph.op("Tile", x, multiples=[random.choice([1, 1, 2]) for _ in shape(x)])


def sliced(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    ranges: list[int] = []
    for size in shape(x):
        begin = random.choice([0, random.randrange(size)])
        ranges += [begin, random.choice([size, random.randint(begin + 1, size)]), 1]
    return graph.op("StridedSlice", x, ranges=ranges)


def added(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    dims = [random.choice([1, size]) for size in shape(x)]
    return graph.op("ElementWiseAdd", x, graph.weights(*dims[random.randint(0, len(dims)) :]))


def joined(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    return graph.op("Concat", [x, x], axis=random.randrange(len(shape(x))))


def summed(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    axes = random.sample(range(len(shape(x))), random.randint(1, min(3, len(shape(x)))))
    keep = len(axes) == len(shape(x)) or random.random() < 0.5
    return graph.op("ReduceMean", x, axes=axes, keep_dims=keep)


def soft(random: Random, graph: Graph, x: SSAValue) -> SSAValue:
    return graph.op("Softmax", x, axis=random.randrange(len(shape(x))))


GROWTHS: tuple[Grow, ...] = (
    *(reshaped, reshaped, transposed, transposed, transposed),
    *(repeated, sliced, added, joined, summed, soft),
)


def grown(seed: int) -> Model:
    random, graph = Random(seed), Graph()
    dims = [random.choice(SIZES[: 7 - min(rank, 3)]) for rank in range(random.randint(1, 6))]
    values = [graph.input(*dims)]
    for _ in range(7):
        value = random.choice(GROWTHS)(random, graph, values[-1])
        if spec_of(value).elements <= LARGEST:
            values.append(value)
    graph.give("y", values[-1])
    return graph.model()


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(12))
def test_random_moves_keep_the_numbers(seed: int) -> None:
    assert_every_level_agrees(grown(seed))


def test_up_to_rank_4_nothing_changes() -> None:
    graph = Graph()
    graph.give("y", graph.op("Transpose", graph.input(2, 3, 4, 5), perm=(3, 1, 0, 2)))
    module = graph.model().module
    assert to_text(reduced(module)) == to_text(module)


def test_a_quantisation_along_one_dim_keeps_the_rank() -> None:
    text = """func.func @main(%x: tensor<2x2x2x2x2x!quant.uniform<u8:f32:4, {0.5, 0.25}>>) ->
        tensor<2x2x2x2x2x!quant.uniform<u8:f32:4, {0.5, 0.25}>> {
      %y = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0, 2, 3, 4>} :
        (tensor<2x2x2x2x2x!quant.uniform<u8:f32:4, {0.5, 0.25}>>) ->
        tensor<2x2x2x2x2x!quant.uniform<u8:f32:4, {0.5, 0.25}>>
      func.return %y : tensor<2x2x2x2x2x!quant.uniform<u8:f32:4, {0.5, 0.25}>>
    }"""
    with pytest.raises(HtpError, match="quantise it per tensor"):
        lower(parse_module(text))


@pytest.mark.parametrize("rank", [5, 6])
def test_a_move_joins_dims_in_every_order(rank: int) -> None:
    """So an order of five dims takes two moves, and one of six at most three."""
    for order in permutations(range(rank)):
        move, rest = first_move(order, 4)
        assert tuple(move[dim] for dim in rest) == order
        assert 1 + sum(after != before + 1 for before, after in pairwise(rest)) < rank


def test_what_comes_to_the_front_comes_first() -> None:
    """Keys among queries and values are then rows of the second Transpose, and none is of both."""
    move, rest = first_move((2, 0, 3, 1, 4), 4)
    assert (move[0], rest[0]) == (2, 0)


def test_dims_merge_from_the_left_and_no_further_than_needed() -> None:
    letters = (0, 1, 2, 3, 4)
    dims = Dims((letters, (0, 3, 4, 1, 2)), ((2, 3, 4, 5, 6), (2, 5, 6, 3, 4)), {})
    merged = dims.merged(4)
    assert merged.tensors == (((0,), (1, 2), (3,), (4,)), ((0,), (3,), (4,), (1, 2)))
    assert (merged.shape(0), merged.shape(1)) == ((2, 12, 5, 6), (2, 5, 6, 12))
    assert dims.merged(3).shape(1) == (2, 30, 12)
