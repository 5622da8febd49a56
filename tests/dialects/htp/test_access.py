"""How elements of results read operands: the notation, and that the maps of ops are true."""

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.access import Index, Number, access
from htp_mlir.dialects.htp.ops.copies import CopyOp

IRREGULAR = {
    "TransposeConv2d": "windows overlap in the result",
    "ConvLayer.opt.im2col_stride2": "windows are laid along the depth",
    "ConvLayer.opt.weights_for_im2col": "three dims become one",
    "Transpose": "a param says which dim is which",
    "Resize": "params say between which positions",
    "DepthToSpace": "three dims become one",
    "SpaceToDepth": "three dims become one",
    "DecodeWeights": "several elements come out of a byte, as many as a table says",
    "Pad": "positions outside the operand hold a value",
    "ScatterNd": "an operand says where to write",
    "Tile": "positions begin again",
    "TopK": "positions depend on data",
    "NonMaxSuppression": "rows depend on data",
    "StridedSlice": "strides may be negative",
    **dict.fromkeys(("Lstm", "Gru", "Lstm.pinned", "Gru.pinned"), "a step reads the one before it"),
    "BufferStep": "rows go into a content that stays",
    "SequenceIds": "positions depend on data",
}
"""Ops without an access map, and why."""


class Layer:
    """A convolution as access maps read it."""

    PARAMS = ("stride", "pads", "turned", "straight", "unknown")
    SHAPES = ("stride",)

    def dims(self, name: str) -> tuple[int, ...]:
        return {"stride": (1, 2, 3, 1), "weights": (5, 7, 16, 32), "act": (1, 9, 9, 16)}[name]

    def ints(self, name: str) -> tuple[int, ...] | None:
        return {"pads": (1, 2, 0, 0), "turned": (1,), "straight": (0,)}.get(name)


CONVOLUTION = access("act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d] + bias[0,0,0,d]")


def test_windows_have_a_stride_and_a_tap() -> None:
    _, rows, *_ = CONVOLUTION.operands["act"]
    assert rows == Index("h", sign="*", by=Number("stride", 1), tap="i")
    assert Number("stride", 1).of(Layer()) == 2


def test_padding_is_before_and_after() -> None:
    ((index,),) = access("in[h*stride.1+i*pads.1-pads.0:1]").operands.values()
    assert (index.spacing, index.before, index.after) == (
        Number("pads", 1),
        Number("pads", 0),
        Number("pads", 1),
    )
    assert Number("pads", 1).of(Layer()) == 2
    assert Number("unknown", 1).of(Layer()) == 0


def test_a_range_of_the_result_reads_ranges_of_some_operands() -> None:
    assert CONVOLUTION.follows("d").keys() == {"weights", "bias"}
    (rows,) = CONVOLUTION.follows("h").values()
    assert (rows.dim, rows.taps) == (1, Number("weights", 0))
    assert not access("in[h%stride.1]").follows("h")


def test_letters_that_are_no_dims_of_the_result_are_summed() -> None:
    assert CONVOLUTION.summed == ("i", "j", "c")
    assert CONVOLUTION.holders("c") == {"act": 3, "weights": 2}
    assert CONVOLUTION.products(Layer()) == 5 * 7 * 16
    assert CONVOLUTION.added == ("bias",)


def test_what_is_no_sum_of_products_has_none() -> None:
    pool = access("act[b, h*stride.1+i, w, d]", i="stride.2")
    assert pool.extent("i") == Number("stride", 2)
    assert pool.products(Layer()) == 0


def test_a_position_near_a_place_names_the_param_that_says_where() -> None:
    near = access("in[b, h~rows.0, w, d]")
    (follow,) = near.follows("h").values()
    assert (follow.dim, follow.index.near) == (1, "rows")
    assert CONVOLUTION.follows("d")["weights"].index.near is None


@pytest.mark.parametrize(("flag", "extent"), [("turned", 16), ("straight", 9)])
def test_a_turned_operand_has_its_last_dims_exchanged(flag: str, extent: int) -> None:
    matrix = access("act[b, h, c, w] * weights[0, 0, 0, d]", turned={"act": flag})
    assert matrix.products(Layer()) == extent
    assert [index.dim for index in matrix.indices("act", turned=True)] == ["b", "h", "w", "c"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("act[h!2]", "'h!2' is no index"),
        ("act[h] weights[w]", "'weights[w]' begins no operand"),
        ("* act[h]", "'* act[h]' begins no operand"),
        ("act", "'act' begins no operand"),
    ],
)
def test_what_is_no_access_map_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match="access map") as refused:
        access(text)
    assert str(refused.value) == f"access map: {fault}"


@pytest.mark.parametrize("name", sorted(NATIVE_OPS))
def test_every_op_states_its_access_map_or_is_irregular(name: str) -> None:
    op = NATIVE_OPS[name]
    irregular = name in IRREGULAR or issubclass(op, CopyOp)
    assert (op.ACCESS is None) == irregular, f"{name}: state ACCESS, or say in IRREGULAR why not"


@pytest.mark.parametrize("name", sorted(name for name, op in NATIVE_OPS.items() if op.ACCESS))
def test_a_map_names_all_tensors_that_are_not_read_as_a_whole(name: str) -> None:
    op = NATIVE_OPS[name]
    assert op.ACCESS
    tensors = {operand.removesuffix("...") for operand in op.OPERANDS if operand not in op.PARAMS}
    whole = {"gamma", "beta", "indices"} if op.ACCESS.along else {"table"} & tensors
    assert tensors - whole == op.ACCESS.operands.keys() & tensors
    numbers = [n for indices in op.ACCESS.operands.values() for i in indices for n in (i.by,)]
    assert {number.operand for number in numbers if number} <= set(op.PARAMS)


def test_params_may_count_from_a_position() -> None:
    text = "q[b, h, w, e], k[b, h, n, e]"
    assert access(text, counted={"last": "w"}).counted == {"last": "w"}
    assert not access(text).counted
    counted = {name for op in NATIVE_OPS.values() if op.ACCESS for name in op.ACCESS.counted}
    assert counted == {"first", "last"}
