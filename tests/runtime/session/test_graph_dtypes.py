"""Graphs of element types that HTP lacks: their arithmetic, and what sessions take and give."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import Array
from htp_mlir.dialects.value.dtypes import INSTEAD, DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.runtime import Session
from htp_mlir.runtime.files.arrays import read_npz, write_npz
from htp_mlir.runtime.tensors.tensor_classes import new_tensor

from ...support.roundtrip import parse

ELEMENTS = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
ROWS = [[0.5, -1.25, 3.0], [2.5, 0.0, -0.75]]


def ran(op: str, element: str, *feeds: Array) -> Array:
    """The result of a graph op, `{}` in which is the element type, checked."""
    text = op.replace("{}", element)
    arguments = ", ".join(
        f"%{name}: tensor<2x3x{element}>" for name, _ in zip("ab", feeds, strict=False)
    )
    result = text.rpartition("-> ")[2].strip()
    module = parse(
        f"func.func @main({arguments}) -> {result} {{ %y = {text} func.return %y : {result} }}"
    )
    session = Session(module, check=True)
    return session.run({f"arg{i}": feed for i, feed in enumerate(feeds)})["result0"]


ADD = "qti_aisw.ElementWiseAdd(%a, %b) : (tensor<2x3x{}>, tensor<2x3x{}>) -> tensor<2x3x{}>"
DIVIDE = ADD.replace("Add", "Divide")
EXP = "qti_aisw.ElementWiseExp(%a) : (tensor<2x3x{}>) -> tensor<2x3x{}>"
PRODUCT = (
    "qti_aisw.MatMul(%a, %b) {transpose_in1 = true} : (tensor<2x3x{}>, tensor<2x3x{}>)"
    " -> tensor<2x2x{}>"
)
LARGEST = (
    "qti_aisw.ReduceMax(%a) {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3x{}>)"
    " -> tensor<2x{}>"
)
TURNED = "qti_aisw.Transpose(%a) {perm = array<i64: 1, 0>} : (tensor<2x3x{}>) -> tensor<3x2x{}>"


@pytest.mark.parametrize("element", ELEMENTS)
def test_small_floats_are_computed_in_f32_and_rounded_once(element: str) -> None:
    a = np.array(ROWS, ELEMENTS[element])
    b = a[::-1] * a.dtype.type(0.3)
    x, y = a.astype(np.float32), b.astype(np.float32)
    for op, wanted in ((ADD, x + y), (DIVIDE, x / np.where(y == 0, 1, y)), (PRODUCT, x @ y.T)):
        second = np.where(y == 0, 1, y).astype(a.dtype) if op is DIVIDE else b
        got = ran(op, element, a, second)
        assert got.dtype == a.dtype
        np.testing.assert_array_equal(got, wanted.astype(a.dtype))
    np.testing.assert_array_equal(ran(EXP, element, a), np.exp(x).astype(a.dtype))
    np.testing.assert_array_equal(ran(LARGEST, element, a), x.max(axis=1).astype(a.dtype))
    np.testing.assert_array_equal(ran(TURNED, element, a), a.T)


def test_f64_keeps_its_digits() -> None:
    a = np.array(ROWS) * (1 + 2**-40)
    np.testing.assert_array_equal(ran(ADD, "f64", a, a[::-1]), a + a[::-1])
    np.testing.assert_array_equal(ran(EXP, "f64", a), np.exp(a))
    np.testing.assert_allclose(ran(PRODUCT, "f64", a, a), a @ a.T, rtol=1e-15)


def test_ui64_has_numbers_past_those_of_i64() -> None:
    a = np.array([[2**64 - 1, 2**63, 5], [7, 0, 2**60]], np.uint64)
    b = np.array([[2, 2**63, 3], [9, 1, 2**59]], np.uint64)
    np.testing.assert_array_equal(ran(ADD, "ui64", a, b), a + b)
    np.testing.assert_array_equal(ran(DIVIDE, "ui64", a, b), a // b)
    np.testing.assert_array_equal(ran(LARGEST, "ui64", a), a.max(axis=1))


def test_integers_of_4_bits_wrap() -> None:
    a = np.array([[7, -8, 3], [1, 2, -1]], "int4")
    assert ran(ADD, "i4", a, a).astype(int).tolist() == [[-2, 0, 6], [2, 4, -2]]
    b = np.array([[15, 8, 3], [1, 2, 0]], "uint4")
    assert ran(ADD, "ui4", b, b).astype(int).tolist() == [[14, 0, 6], [2, 4, 0]]


@pytest.mark.parametrize("dtype", INSTEAD, ids=lambda dtype: dtype.name)
def test_what_is_stored_is_loaded(dtype: DType) -> None:
    """Every number of a type of a byte or less, and some of the others."""
    bits = 2 if "Int2" in dtype.name else 4 if dtype.name.endswith(("Int4", "E2M1FN")) else 6
    stored = np.arange(1 << bits, dtype=np.uint8).view(dtype.storage)
    if dtype.itemsize > 1 or dtype.name.startswith("Float8"):
        stored = np.arange(-100 if dtype.is_float else 0, 100).astype(dtype.storage)
    tensor = new_tensor(TensorSpec(stored.shape, dtype))
    tensor.store_raw(stored)
    values = tensor.load()
    assert values.dtype.isbuiltin == 1
    np.testing.assert_array_equal(values, stored.astype(values.dtype))
    tensor.store(values)
    assert tensor.stored().tobytes() == stored.tobytes()


def test_feeds_are_converted_where_only_precision_is_lost() -> None:
    floats = np.array(ROWS, np.float32)
    assert ran(TURNED, "bf16", floats).dtype == ml_dtypes.bfloat16
    whole = np.array([[7, -8, 3], [1, 2, -1]], np.int64)
    np.testing.assert_array_equal(ran(TURNED, "i4", whole), whole.T.astype("int4"))
    np.testing.assert_array_equal(ran(TURNED, "f64", whole.astype("int4")), whole.T)


@pytest.mark.parametrize(
    ("element", "feed", "problem"),
    [
        ("i4", np.full((2, 3), 8), "has values outside -8 to 7"),
        ("ui2", np.full((2, 3), -1), "has values outside 0 to 3"),
        ("i4", np.zeros((2, 3), "bfloat16"), "has dtype bfloat16"),
        ("i4", np.zeros((2, 3), "V2"), r"has dtype \|V2"),
    ],
)
def test_other_feeds_are_refused(element: str, feed: Array, problem: str) -> None:
    with pytest.raises(HtpError, match=problem):
        ran(TURNED, element, feed)


@pytest.mark.parametrize("element", ELEMENTS)
def test_files_of_arrays_keep_the_bytes(element: str, tmp_path: Path) -> None:
    """numpy's format has no name for such dtypes; the model's input has."""
    array = np.array(ROWS, ELEMENTS[element])
    write_npz(tmp_path / "x.npz", {"x": array})
    read = read_npz(tmp_path / "x.npz")["x"]
    assert ran(TURNED, element, read).tobytes() == array.T.tobytes()
