"""DFT and STFT: products with constant matrices of cosines and sines along one axis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph.value import Value, joined
from ..support.context import require
from ..support.registry import ImporterSet, Ints
from ..support.types import MOST_ELEMENTS
from .tensors.steps import product

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("DFT")
def dft(
    x: Value,
    stated_length: Ints | None,
    stated_axis: Ints | None,
    *,
    inverse: bool = False,
    onesided: bool = False,
) -> Value:
    """DFT; the last dim holds the real and the imaginary part, or the real one alone."""
    last = x.rank - 1
    (axis,) = stated_axis or (-2,)
    require(-last - 1 <= axis <= last and axis % (last + 1) != last, f"axis is {axis}")
    axis %= last + 1
    size, count = x.shape[axis], x.shape[last]
    wanted = (1 + inverse,) if onesided else (1, 2)
    require(count in wanted, f"the last dim has {count} elements", f"give it {wanted[-1]}")
    (length,) = stated_length or (2 * (size - 1) if inverse and onesided else size,)
    require(length >= 1, f"the length is {length}", "use a number >= 1")
    return _transformed(x, axis, _Transform(size, length, inverse, onesided))


@ONNX.importer("STFT")
def stft(
    x: Value, steps: Ints, window: Value | None, stated: Ints | None, *, onesided: bool = True
) -> Value:
    """STFT: the DFT of frames [batch, frame, length, parts], each times the window."""
    (step,) = steps
    require(x.rank in (2, 3), f"input 0 has rank {x.rank}")
    batch, size, count = (*x.shape, 1)[:3]
    whole = size if window is None else window.shape[0]
    (length,) = stated or (whole,)
    require(step >= 1, f"the step is {step}", "use a number >= 1")
    require(1 <= length <= size, f"frames of {length} do not fit into {size} elements")
    require(window is None or length == whole, f"the window has {whole} of {length} elements")
    require(count == 1 or not onesided, "attribute 'onesided' is 1, the signal is complex")
    read = ((size - length) // step + 1) * length
    problem, remedy = f"reads {read} elements of frames", f"at most {MOST_ELEMENTS} are taken"
    require(read <= MOST_ELEMENTS, problem, remedy)
    starts = np.arange(0, size - length + 1, step)
    places = x.const((starts[:, None] + np.arange(length)).astype(np.int32))
    frames = x.reshape(batch, size, count).gather(places, axis=1)
    frames = frames if window is None else frames * window.reshape(length, 1)
    return _transformed(frames, 2, _Transform(length, length, False, onesided))


@dataclass(frozen=True)
class _Transform:
    """A DFT of a number of elements, cut or filled up with zeros to a length."""

    size: int
    length: int
    inverse: bool
    one_sided: bool

    def matrices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the real and the imaginary factors [after, before]."""
        inverse, length, half = self.inverse, self.length, self.length // 2 + 1
        after = np.arange(half if self.one_sided and not inverse else length)
        before = np.arange(self.size)
        most = half if self.one_sided and inverse else length
        weight = (before < most) / (length if inverse else 1)
        if self.one_sided and inverse:
            # What one side leaves out is the conjugate of what it holds, but for both ends.
            ends = (before == 0) | (2 * before == length)
            weight = np.where(ends, weight, 2 * weight)
        angles = np.outer(after, before) % length * (2 * np.pi / length)
        return np.cos(angles) * weight, np.sin(angles) * (weight if inverse else -weight)


def _transformed(x: Value, axis: int, one: _Transform) -> Value:
    """Return the transform along an axis; the last dim is the real and the imaginary part."""
    last = x.rank - 1
    too_large = one.length * max(one.size, one.length) > MOST_ELEMENTS
    require(not too_large, f"the length {one.length} is too large")
    cosines, sines = one.matrices()
    first, *second = x.ops("Split", axis=last, split_index=(1,)) if x.shape[last] == 2 else [x]
    real, imaginary = product(first, axis, cosines), product(first, axis, sines)
    for part in second:
        real = real - product(part, axis, sines)
        imaginary = imaginary + product(part, axis, cosines)
    return real if one.inverse and one.one_sided else joined([real, imaginary], axis=last)
