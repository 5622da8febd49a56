"""Constants of the element types that HTP lacks come back from text bit for bit."""

import numpy as np
import pytest
from htp_mlir.dialects import spec_of
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp, const
from htp_mlir.dialects.spec_of import Array, plain_element_type
from htp_mlir.dialects.value.dtypes import INSTEAD, DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ...support.roundtrip import assert_round_trips, parse, to_text, upstream

_BITS = {"Float6": 6, "Float4": 4, "Int4": 4, "UInt4": 4, "Int2": 2, "UInt2": 2}


def patterns(dtype: DType) -> Array:
    """Every pattern of a type of a byte or less, and some of those of wider ones."""
    bits = next((n for name, n in _BITS.items() if dtype.name.startswith(name)), 0)
    if dtype.itemsize == 1:
        return np.arange(1 << (bits or 8), dtype=np.uint8).view(dtype.storage)
    random = np.random.default_rng(0).integers(256, size=256 * dtype.itemsize, dtype=np.uint8)
    return random.view(dtype.storage)


def constants(dtype: DType) -> ModuleOp:
    """All patterns as bytes, as lists of numbers, and some alone as splats."""
    every = patterns(dtype)
    arrays = [every, *(every[begin : begin + 64] for begin in range(0, every.size, 64))]
    arrays += [np.broadcast_to(one, (2, 3)) for one in every[:: max(every.size // 16, 1)]]
    return ModuleOp([const(array, TensorSpec(array.shape, dtype)) for array in arrays])


def assert_same_bits(module: ModuleOp, wanted: ModuleOp) -> None:
    for one, other in zip(module.body.block.ops, wanted.body.block.ops, strict=True):
        assert isinstance(one, ConstOp)
        assert isinstance(other, ConstOp)
        assert one.array.dtype == other.array.dtype
        assert one.array.tobytes() == other.array.tobytes()


@pytest.mark.one_per
@pytest.mark.parametrize("dtype", INSTEAD, ids=lambda dtype: dtype.name)
def test_constants_come_back(dtype: DType) -> None:
    module = constants(dtype)
    generic = assert_round_trips(to_text(module))
    assert_same_bits(parse(generic), module)


@pytest.mark.needs("mlir-opt")
@pytest.mark.one_per
@pytest.mark.parametrize("dtype", INSTEAD, ids=lambda dtype: dtype.name)
def test_upstream_reads_the_same_bits(dtype: DType) -> None:
    module = constants(dtype)
    assert_same_bits(parse(upstream(to_text(module, generic=True))), module)


def test_signs_of_small_integers_fill_their_byte() -> None:
    """Bits above those of the type do not count."""
    text = '%0 = qti_aisw.Const dense<"0x0F07"> : tensor<2xi4> -> tensor<2xi4>'
    (op,) = parse(text).body.block.ops
    assert isinstance(op, ConstOp)
    assert op.array.astype(np.int8).tolist() == [-1, 7]


def test_what_numpy_lacks_needs_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec_of, "find_spec", lambda name: None)
    with pytest.raises(VerifyException, match=r"bf16 needs .* ml_dtypes: pip install 'htp-mlir\["):
        spec_of.dtype_of(plain_element_type(DType.BFloat16))
    assert spec_of.dtype_of(plain_element_type(DType.Float64)) == (DType.Float64, None)
