"""The result of an op from its access map: what the map says, and what it cannot be true of."""

from dataclasses import dataclass, field

import pytest
from htp_mlir.dialects.htp import Kind, NativeOp, access, param_def, shape_def, tensor_def
from htp_mlir.dialects.htp.access import Access, Mismatch, result_shape
from htp_mlir.dialects.htp.base import inferred, native
from htp_mlir.dialects.spec_of import spec_of
from xdsl.utils.exceptions import VerifyException

from ...support.native import dims, i32, spec, t

Numbers = tuple[int, ...]


@dataclass
class Op:
    """Operands as access maps read them: dims of tensors, numbers of params, None if unknown."""

    tensors: dict[str, Numbers]
    params: dict[str, Numbers | None] = field(default_factory=dict)
    SHAPES: Numbers = ()

    @property
    def OPERANDS(self) -> tuple[str, ...]:
        return (*self.tensors, *self.params)

    @property
    def PARAMS(self) -> tuple[str, ...]:
        return tuple(self.params)

    def dims(self, name: str) -> Numbers:
        return self.tensors[name]

    def ints(self, name: str) -> Numbers | None:
        return self.params[name]


WINDOWS = access("x[b, h*s.0+i*n.0-p.0:1, w, c] * f[i, 0, c, d] + bias[0, 0, 0, d]", hanging="ceil")
WINDOW_PARAMS: dict[str, Numbers | None] = {"s": (2,), "n": (1,), "p": (0, 0), "ceil": (0,)}
GROUPS = access("x[b, h, w, c@g.0] * f[0, 0, c, d@g.0]")


def _windowed(rows: int, taps: int, **params: Numbers | None) -> Op:
    return Op({"x": (1, rows, 5, 4), "f": (taps, 1, 4, 8)}, {**WINDOW_PARAMS, **params})


@pytest.mark.parametrize(
    ("op", "rows"),
    [
        (_windowed(9, 3), 4),
        (_windowed(10, 3), 4),
        (_windowed(10, 3, ceil=(1,)), 5),
        (_windowed(9, 3, n=(2,)), 3),
        (_windowed(9, 3, p=(1, 1)), 5),
    ],
    ids=["plain", "rest", "hanging", "dilated", "padded"],
)
def test_windows_are_counted(op: Op, rows: int) -> None:
    assert result_shape(WINDOWS, op) == (1, rows, 5, 8)


def test_a_window_that_would_begin_in_the_far_padding_does_not_hang() -> None:
    assert result_shape(WINDOWS, _windowed(6, 2, p=(0, 1), ceil=(1,))) == (1, 3, 5, 8)


@pytest.mark.parametrize("param", ["s", "n", "p", "ceil"])
def test_an_unknown_number_leaves_the_result_open(param: str) -> None:
    assert result_shape(WINDOWS, _windowed(9, 3, **{param: None})) is None


def test_operands_are_checked_where_the_result_is_open() -> None:
    op = Op({"x": (1, 9, 5, 3), "f": (3, 1, 4, 8)}, {**WINDOW_PARAMS, "s": None})
    with pytest.raises(Mismatch, match="operand 'f' has extent 4 in dim 2, operand 'x' gives 3"):
        result_shape(WINDOWS, op)


@pytest.mark.parametrize(
    ("map_", "op", "message"),
    [
        (WINDOWS, _windowed(2, 3), "extent 2 in dim 1, windows of 3, 2 apart, do not fit with"),
        (
            WINDOWS,
            Op({"x": (1, 9, 5, 4), "f": (3, 1, 4, 8), "bias": (1, 1, 2, 8)}, WINDOW_PARAMS),
            "operand 'bias' has extent 2 in dim 2, it must be 1",
        ),
        (
            GROUPS,
            Op({"x": (1, 1, 1, 9), "f": (1, 1, 4, 8)}, {"g": (2,)}),
            "operand 'x' has extent 9 in dim 3, operand 'f' gives 2 groups of 4",
        ),
        (
            GROUPS,
            Op({"x": (1, 1, 1, 8), "f": (1, 1, 4, 7)}, {"g": (2,)}),
            "operand 'f' has extent 7 in dim 3, it must be a multiple of 2",
        ),
        (
            access("x[b, h, w, d/m], y[b?, h?, w?, d]"),
            Op({"x": (1, 2, 2, 3), "y": (1, 1, 2, 8)}),
            "operand 'x' has extent 3 in dim 3, operand 'y' gives 8; that must be a multiple",
        ),
        (
            access("x[b, h, w%s.0, d], y[b?, h?, w/s.0, d?]"),
            Op({"x": (1, 2, 3, 3), "y": (1, 1, 2, 3)}, {"s": (2,)}),
            "operand 'x' has extent 3 in dim 2, it must be 2",
        ),
        (
            access("x[b?, h?, w, d], y[b?, h?, w, d]"),
            Op({"x": (1, 2, 3, 3), "y": (1, 4, 3, 3)}),
            "operand 'y' has extent 4 in dim 1, operand 'x' gives 2; they must be equal, or one",
        ),
        (
            access("x[b, h+s.0, w, d]", h="n.0"),
            Op({"x": (1, 4, 3, 3)}, {"s": (2,), "n": (3,)}),
            "operand 'x' has extent 4 in dim 1, it is read from 2 to 5",
        ),
    ],
)
def test_what_a_map_cannot_be_true_of_is_refused(map_: Access, op: Op, message: str) -> None:
    with pytest.raises(Mismatch) as raised:
        result_shape(map_, op)
    assert message in str(raised.value)


def test_quotients_and_parts_have_the_extent_that_their_numbers_say() -> None:
    blocks = access("x[b, h/s.0, w, d]")
    assert result_shape(blocks, Op({"x": (1, 4, 3, 3)}, {"s": (2,)})) == (1, 8, 3, 3)
    part = access("x[b, h+s.0, w, d]", h="n.0")
    assert result_shape(part, Op({"x": (1, 4, 3, 3)}, {"s": (1,), "n": (3,)})) == (1, 3, 3, 3)


class Pool(NativeOp):
    """An op of a package: all that is said of it is in its fields and its map."""

    name = "Own.Pool"
    ACCESS = access("act[b, h*stride.1+i, w*stride.2+i, d] * scale[0, 0, 0, d]", i="sizes.0")

    act = tensor_def(Kind.REAL)
    scale = tensor_def(like="act")
    offset = tensor_def(kin="act")
    stride = shape_def(plane=True)
    sizes = param_def(2, least=1, most=4, once=True)


def _pool(**changed: object) -> list[object]:
    operands: dict[str, object] = {
        "act": t("1x9x9x3xf32"),
        "scale": t("1x1x1x3xf32"),
        "offset": t("1x1x1x1xf16"),
        "stride": dims(1, 2, 2, 1),
        "sizes": i32(3, 2),
    }
    return list({**operands, **changed}.values())


def test_the_result_of_an_op_of_a_package_follows_from_its_map() -> None:
    pool = inferred(Pool, _pool())
    assert spec_of(pool.out) == spec("1x4x4x3xf32")
    pool.verify()


def test_a_result_that_the_map_does_not_give_is_refused() -> None:
    pool = native(Pool, _pool(), spec("1x4x5x3xf32"))
    with pytest.raises(VerifyException, match="has shape 1x4x5x3, its inputs give 1x4x4x3"):
        pool.verify()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"act": t("1x9x9x3xi32")}, "'act' has element type Int32, it must be a float or quant"),
        ({"scale": t("1x1x1x3xf16")}, "'scale' is Float16, operand 'act' is Float32; they must"),
        ({"offset": t("1x1x1x1xi32")}, "'act' is Float32; both must be float, or neither"),
        ({"offset": t("1x1x1x1xi1")}, "'offset' has element type Bool8, it must be a number"),
        ({"stride": dims(1, 2, 2, 2)}, "'stride' is 1x2x2x2, it must be 1xHxWx1, all >= 1"),
        ({"stride": dims(1, 0, 2, 1)}, "'stride' is 1x0x2x1, it must be 1xHxWx1, all >= 1"),
        ({"sizes": i32(3)}, "param 'sizes' has 1 numbers, it takes 2"),
        ({"sizes": i32(3, 5)}, r"param 'sizes' is \(3, 5\), each must be from 1 to 4"),
        ({"sizes": i32(3, 3)}, r"param 'sizes' is \(3, 3\), each may occur once"),
        ({"sizes": t("1x1x1x2xf32")}, "param 'sizes' is Float32, it must hold integers"),
    ],
)
def test_what_a_field_does_not_allow_is_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(VerifyException, match=rf"^Own\.Pool: .*{message}"):
        inferred(Pool, _pool(**changed))


def test_numbers_that_are_not_known_are_not_checked() -> None:
    sizes = t("1x1x1x2xi32")
    native(Pool, _pool(sizes=sizes), spec("1x4x4x3xf32")).verify()
