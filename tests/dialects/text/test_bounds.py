"""The bounds of types: what can be addressed, in whatever way the type comes."""

import pytest
from htp_mlir.dialects.spec_of import spec_of_type, type_of
from htp_mlir.dialects.text.parser import excess
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.limits import MAX_BITS, MAX_TENSOR_BYTES
from htp_mlir.dialects.value.spec import LayoutKind, Memory, Place, TensorSpec
from xdsl.dialects.builtin import IntegerType, MemRefType, TensorType, VectorType, f32, i8
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

IN_CROUTONS = Place(LayoutKind.CROUTON, Memory.DDR)


@pytest.mark.parametrize(("depth", "fits"), [(2**30 - 1, True), (2**30, False)])
def test_a_tensor_can_be_addressed(depth: int, fits: bool) -> None:
    type_ = type_of(TensorSpec((1, depth), DType.Float32))
    if fits:
        assert spec_of_type(type_).nbytes <= MAX_TENSOR_BYTES
        return
    with pytest.raises(VerifyException, match=r"1x1073741824 Float32 takes 4294967296 bytes"):
        spec_of_type(type_)


def test_the_padding_of_a_layout_counts() -> None:
    """A crouton is 8 x 8 x 32 bytes, so one pixel of one channel takes 2,048."""
    spec = TensorSpec((2**21, 1, 1, 1), DType.UInt8)
    assert spec_of_type(type_of(spec)).nbytes == 2**21
    with pytest.raises(VerifyException, match="takes 4294967296 bytes, at most 4294967295"):
        spec_of_type(type_of(spec.with_place(IN_CROUTONS)))


@pytest.mark.parametrize(
    "type_",
    [
        TensorType(f32, [2**30]),
        VectorType(f32, [2**15, 2**15]),
        MemRefType(i8, [2**16, 2**16]),
        TensorType(IntegerType(64), [2**29]),
        IntegerType(MAX_BITS + 1),
    ],
    ids=str,
)
def test_types_of_text_that_are_too_large(type_: Attribute) -> None:
    assert str(type_) in excess(type_)


@pytest.mark.parametrize(
    "type_", [TensorType(f32, [2**30 - 1]), TensorType(f32, [-1, 2**20]), IntegerType(MAX_BITS)]
)
def test_types_of_text_that_are_taken(type_: Attribute) -> None:
    assert excess(type_) == ""
