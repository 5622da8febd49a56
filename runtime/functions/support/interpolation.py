"""Interpolation along one axis, as a matrix from the elements before to those after.

Each element after lies at a place between the elements before: the coordinate mode says where. Its
row holds the weights of the elements near that place: those of a kernel function, stretched by
antialiasing where the axis shrinks. Elements beyond an end count as the last one there. O(n * m).

Example: 2 elements to 4, linear, half pixels: the places are -0.25, 0.25, 0.75 and 1.25, the rows
(1, 0), (0.75, 0.25), (0.25, 0.75) and (0, 1). Source: ONNX operator spec Resize.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """Elements before and after, elements after per element before, and the part that is taken."""

    before: int
    after: int
    scale: float
    start: float = 0.0
    end: float = 1.0

    @property
    def span(self) -> float:
        """Elements after, before they were rounded to a whole number."""
        return self.scale * self.before

    @property
    def exact(self) -> bool:
        """Tell whether the extents alone say the scale."""
        return math.isclose(self.span, self.after, rel_tol=1e-12)


@dataclass(frozen=True)
class Method:
    """The interpolation between places; `cubic` is the coefficient of the cubic kernel."""

    mode: str
    rounding: str = "floor"
    cubic: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False


def _scaled_back(axis: Axis, x: Reals) -> Reals:
    """Divide by the scale: by extents without an error, by another scale in f32 as models run.

    A place that is a whole number, or halfway between two, decides which element is the nearest.
    """
    if axis.exact:
        return x * axis.before / axis.after
    return (x.astype(np.float32) / np.float32(axis.scale)).astype(np.float64)


def _half_pixel(axis: Axis, x: Reals) -> Reals:
    return _scaled_back(axis, x + 0.5) - 0.5


def _symmetric(axis: Axis, x: Reals) -> Reals:
    middle = axis.before / 2 * (1 - axis.after / axis.span)
    return middle + (x + 0.5) * axis.before / axis.span - 0.5


def _aligned(axis: Axis, x: Reals) -> Reals:
    return x * 0 if axis.after == 1 else x * (axis.before - 1) / (axis.after - 1)


def _cropped(axis: Axis, x: Reals) -> Reals:
    last, part = axis.before - 1, axis.end - axis.start
    if axis.after == 1:
        return x * 0 + (axis.start + axis.end) / 2 * last
    return x * part * last / (axis.after - 1) + axis.start * last


COORDINATES: dict[str, Callable[[Axis, Reals], Reals]] = {
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _symmetric,
    "pytorch_half_pixel": lambda axis, x: x * 0 if axis.after == 1 else _half_pixel(axis, x),
    "align_corners": _aligned,
    "asymmetric": _scaled_back,
    "tf_crop_and_resize": _cropped,
}
"""The place of each element after among those before, by the name of the coordinate mode."""

ROUNDINGS: dict[str, Callable[[Axis, Reals], Reals]] = {
    "round_prefer_floor": lambda axis, x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda axis, x: np.floor(x + 0.5),
    "floor": lambda axis, x: np.floor(x),
    "ceil": lambda axis, x: np.ceil(x),
    "simple": lambda axis, x: np.ceil(x) if axis.scale < 1 else np.floor(x),
}
"""The nearest element to a place, by the name of the rounding; "simple" was that of opset 10."""


def places(axis: Axis, coordinates: str) -> Reals:
    """Return the place of each element after among those before."""
    return COORDINATES[coordinates](axis, np.arange(axis.after, dtype=np.float64))


def nearest(axis: Axis, at: Reals, rounding: str) -> NDArray[np.int32]:
    """Return the index of the element nearest to each place."""
    return np.clip(ROUNDINGS[rounding](axis, at), 0, axis.before - 1).astype(np.int32)


def weights(axis: Axis, at: Reals, method: Method) -> Reals:
    """Return the matrix [after, before] of linear or cubic interpolation at these places."""
    stretch = min(axis.scale, 1.0) if method.antialias else 1.0
    radius, kernel = KERNELS[method.mode]
    reach = math.ceil(radius / stretch)
    taps = np.floor(at)[:, None] + np.arange(1 - reach, reach + 1)
    distance = np.abs(taps - at[:, None]) * stretch
    part = kernel(distance, method.cubic)
    if method.exclude_outside:
        part = np.where((taps >= 0) & (taps < axis.before), part, 0)
    part = part / part.sum(axis=1, keepdims=True)
    matrix = np.zeros((axis.after, axis.before))
    columns = np.clip(taps, 0, axis.before - 1).astype(np.int64)
    np.add.at(matrix, (np.arange(axis.after)[:, None], columns), part)
    return matrix


def _cubic(d: Reals, a: float) -> Reals:
    """Keys' kernel: 1 at 0, and 0 at 1 and from 2 on."""
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = a * (((d - 5) * d + 8) * d - 4)
    return np.select([d <= 1, d < 2], [near, far], 0.0)


KERNELS: dict[str, tuple[int, Callable[[Reals, float], Reals]]] = {
    "linear": (1, lambda d, a: np.clip(1 - d, 0, 1)),
    "cubic": (2, _cubic),
}
"""Elements that a place reaches to either side, and their weights by distance, by the mode."""
