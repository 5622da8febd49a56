"""Tensors over bytes of simulated memory, as kernels see them.

`Tensor` is the generic class. Its concrete subclasses, in `tensor_classes`, fix dtype, layout and
memory; they are what kernels name in their signatures and what selection goes by.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...dialects.value import LAYOUTS, DType, LayoutKind, Memory, TensorSpec
from ..functions.quantize import cast, dequantize, quantize
from ..functions.support.arrays import Array
from . import packing

S = TypeVar("S", bound=np.generic)
Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class ShapeParam:
    """An operand of type !htp.shape: dims without data."""

    dims: tuple[int, ...]


class Tensor:
    """Any tensor, of any dtype, layout and memory.

    `array` is the memory itself, for reading and writing: the stored values, integers where the
    tensor is quantised. It has the tensor's shape where the layout is flat; else it is the block
    array, with one axis per pair of the layout and with padding. `load()` is what the values mean:
    real numbers in f32, of the tensor's shape in any layout; `stored()` has that shape and leaves
    integers unchanged. `store` and `store_raw` are their counterparts.
    """

    def __init__(self, spec: TensorSpec, memory: Bytes | Array, constant: bool = False) -> None:
        self.spec: TensorSpec = spec
        """The shape, dtype, quantisation and place."""
        self.shape: tuple[int, ...] = spec.shape
        """The dims, without padding."""
        self.constant: bool = constant
        """True where the values are there when a kernel is bound, and never change."""
        whole = memory.ndim == 1
        self.bytes: Bytes = memory.view(np.uint8)
        """The bytes of the tensor in simulated memory; of a block of a larger one line by line."""
        array = memory.view(spec.dtype.storage)
        self.array: Array = array.reshape(_stored_shape(spec)) if whole else array
        """The stored values as they lie in memory."""

    @property
    def flat(self) -> bool:
        """Tell whether `array` has the tensor's own shape."""
        return self.spec.layout is LayoutKind.FLAT

    def load(self) -> Array:
        """Read the values: f32 for floats and quantised tensors, else the integers or bools.

        Floats of 64 bits stay, and integers of less than a byte fill one.

        May be a view of the tensor, and is not to be written.
        """
        stored, quant = self.stored(), self.spec.quant
        if quant is not None:
            return dequantize(stored, quant.scales, quant.zero_points, quant.axis)
        return _widened(stored, self.spec.dtype)

    def store(self, values: Array) -> None:
        """Write values of the tensor's shape, quantised half to even and saturated if need be."""
        quant, dtype = self.spec.quant, self.spec.dtype
        if quant is None:
            same = values.dtype == dtype.storage
            self.store_raw(values if same else cast(values, dtype.storage))
            return
        stored = quantize(values, quant.scales, quant.zero_points, dtype.storage, quant.axis)
        # The encoding's own range may be narrower than the type's.
        if quant.low is not None:
            stored = np.maximum(stored, stored.dtype.type(quant.low))
        if quant.high is not None:
            stored = np.minimum(stored, stored.dtype.type(quant.high))
        self.store_raw(stored)

    def stored(self) -> Array:
        """Read the stored values in logical order; may be a view, and is not to be written."""
        if self.flat:
            return self.array
        values = np.empty(self.shape, self.spec.dtype.storage)
        self.unpack_into(values)
        return values

    def store_raw(self, stored: Array) -> None:
        """Write stored values of the storage type; ValueError for those of another shape."""
        if stored.shape != self.shape:
            raise ValueError(f"a result has shape {stored.shape}, its tensor {self.shape}")
        self.pack_from(stored)

    def unpack_into(self, out: Array) -> None:
        """Copy the stored values into an array or view of the logical shape."""
        for block, logical in self.copy_pairs(out):
            np.copyto(logical, block)

    def pack_from(self, source: Array) -> None:
        """Copy stored values from an array or view of the logical shape."""
        for block, logical in self.copy_pairs(source):
            np.copyto(block, logical)

    def unpacker(self, out: Array) -> Callable[[], None]:
        """`unpack_into(out)` as a call for each run, its views made once."""
        return _copier([(logical, block) for block, logical in self.copy_pairs(out)])

    def packer(self, source: Array) -> Callable[[], None]:
        """`pack_from(source)` as a call for each run, its views made once."""
        return _copier(self.copy_pairs(source))

    def copy_pairs(self, logical: Array) -> tuple[packing.CopyPair, ...]:
        """Pairs of views (in this tensor, in `logical`) over the same elements."""
        if self.flat:
            return ((self.array, logical),)
        return packing.copy_pairs(self.array, logical, LAYOUTS[layout_key(self.spec)])


class RunTensor(Tensor):
    """A flat tensor with an array of its own at each run, from its op to the last op that reads it.

    `views` are the same values in other shapes.
    """

    def __init__(self, spec: TensorSpec) -> None:
        self.spec, self.shape, self.constant = spec, spec.shape, False
        self.views: list[RunTensor] = []
        self.release()

    def store_raw(self, stored: Array) -> None:
        """Take stored values over; a piece of a larger array is copied, so that the rest can go."""
        if stored.shape != self.shape:
            raise ValueError(f"a result has shape {stored.shape}, its tensor {self.shape}")
        array = stored.astype(self.spec.dtype.storage, "C", "same_kind", copy=False)
        is_piece = isinstance(array.base, np.ndarray) and array.base.nbytes > array.nbytes
        self.array = array.copy() if is_piece else array
        self.bytes = self.array.reshape(-1).view(np.uint8)
        for view in self.views:
            view.store_raw(self.array.reshape(view.shape))

    def release(self) -> None:
        """Let the values go."""
        self.array = np.empty(0, self.spec.dtype.storage)
        self.bytes = self.array.view(np.uint8)
        for view in self.views:
            view.release()


class TypedTensor(Tensor, Generic[S]):
    """A tensor whose element type the type checker knows."""

    array: NDArray[S]


class FlatTensor(TypedTensor[S]):
    """A tensor in the order of its dims: `array` has its shape."""


class CroutonTensor(TypedTensor[S]):
    """A tensor in chunks of 2,048 bytes.

    `blocks` is the block array (axes: chunks along B, H, W, D, then the pairs inside a chunk) and
    `factors` its transpose with the axes of each dim side by side, the coarsest first. Elements
    past the shape are padding without a defined value.
    """

    def __init__(self, spec: TensorSpec, memory: Bytes, constant: bool = False) -> None:
        super().__init__(spec, memory, constant)
        self.blocks: NDArray[S] = self.array
        axes = packing.factor_axes(LAYOUTS[layout_key(spec)])
        self.factors: NDArray[S] = self.array.transpose(axes)


@dataclass(frozen=True)
class TensorClass:
    """The dtype, layout family and memory of a concrete class."""

    dtype: DType
    layout: LayoutKind
    memory: Memory


_BYTES = {
    **dict.fromkeys((DType.Int4, DType.Int2), np.dtype(np.int8)),
    **dict.fromkeys((DType.UInt4, DType.UInt2), np.dtype(np.uint8)),
}


@np.errstate(invalid="ignore")
def _widened(stored: Array, dtype: DType) -> Array:
    """Plain values in a dtype that functions compute in; a signalling NaN becomes a quiet one."""
    if dtype.is_float and dtype is not DType.Float64:
        return stored.astype(np.float32, copy=False)
    return stored.astype(_BYTES[dtype]) if dtype in _BYTES else stored


def class_key(spec: TensorSpec) -> TensorClass:
    """Reduce a spec to dtype, layout and memory."""
    return TensorClass(spec.dtype, spec.layout, spec.memory)


def layout_key(spec: TensorSpec) -> tuple[LayoutKind, int]:
    """Make the key of a spec's layout in the table of layouts."""
    return spec.layout, spec.dtype.itemsize


def _stored_shape(spec: TensorSpec) -> tuple[int, ...]:
    if spec.layout is LayoutKind.FLAT:
        return spec.shape
    return packing.block_shape(LAYOUTS[layout_key(spec)], spec.shape)


def _copier(pairs: tuple[packing.CopyPair, ...] | list[packing.CopyPair]) -> Callable[[], None]:
    """One call that copies the second of each pair to the first."""
    if len(pairs) == 1:
        return partial(np.copyto, *pairs[0])

    def copy() -> None:
        for target, source in pairs:
            np.copyto(target, source)

    return copy
