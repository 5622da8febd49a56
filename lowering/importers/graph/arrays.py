"""Constants of a model as tensors of the IR."""

from __future__ import annotations

from ....dialects.dense import Array
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec

_BY_NAME = {dtype.value[1]: dtype for dtype in DType if not dtype.is_quantized}
"""Dtype by the name of numpy's."""


class UnknownType(Exception):
    """A type that graph IR has no word for, named by the text."""


def spec_of_array(array: Array) -> TensorSpec:
    """Return the spec of a constant; UnknownType where its dtype is none of ours."""
    if array.dtype.name not in _BY_NAME:
        raise UnknownType(f"element type {array.dtype}")
    return TensorSpec(array.shape, _BY_NAME[array.dtype.name])
