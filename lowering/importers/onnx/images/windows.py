"""Sliding windows: ONNX's spatial attributes as (height, width) pairs, and channels-last data.

A 1-D op is a 2-D one of height 1. Source: ONNX operator spec Conv, MaxPool, AveragePool.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...graph.value import Value
from ...support.registry import Ints, require
from ...support.types import require_few

Pair = tuple[int, int]
Change = Callable[[Value], Value]
"""Makes other images of some."""
LAST_TO_FIRST = {3: (0, 2, 1), 4: (0, 3, 1, 2)}
FIRST_TO_LAST = {3: (0, 2, 1), 4: (0, 2, 3, 1)}


@dataclass(frozen=True)
class ImageWindow:
    """Kernel, stride, dilation and (top, bottom, left, right) padding of an op on images."""

    kernel: Pair
    stride: Pair
    dilation: Pair
    pad: tuple[int, int, int, int]


@dataclass(frozen=True)
class AxisWindow:
    """A window along one axis of `before` elements; `pad` is before the first and past the last."""

    before: int
    kernel: int
    stride: int
    dilation: int
    pad: Pair

    @property
    def after(self) -> int:
        """Windows that fit into the elements and their padding."""
        room = self.before + sum(self.pad) - self.dilation * (self.kernel - 1) - 1
        return room // self.stride + 1

    @property
    def is_idle(self) -> bool:
        """Tell whether each window is one element, and each element a window."""
        return (self.kernel, self.stride, self.pad) == (1, 1, (0, 0))

    def taps(self, after: int) -> NDArray[np.int32]:
        """Return the places [after, kernel] that the windows read; those outside are padding."""
        require_few(after * self.kernel, f"{after} windows of {self.kernel} elements")
        starts = np.arange(after)[:, None] * self.stride - self.pad[0]
        return (starts + np.arange(self.kernel) * self.dilation).astype(np.int32)


@dataclass(frozen=True)
class Sliding:
    """The attributes of an op whose windows slide over spatial dims."""

    auto_pad: str = "NOTSET"
    dilations: Ints | None = None
    kernel_shape: Ints | None = None
    pads: Ints | None = None
    strides: Ints | None = None

    def windows(self, spatial: Sequence[int], kernel: Sequence[int]) -> list[AxisWindow]:
        """Return the window along each spatial axis."""
        count = len(spatial)
        stride = sizes("strides", self.strides, count)
        dilation = sizes("dilations", self.dilations, count)
        pads = self._padding(spatial, kernel, stride, dilation)
        sides = zip(pads[:count], pads[count:], strict=True)
        columns = zip(spatial, kernel, stride, dilation, sides, strict=True)
        return [AxisWindow(*column) for column in columns]

    def _padding(
        self,
        spatial: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int],
        dilation: Sequence[int],
    ) -> Ints:
        """Return paddings as ONNX writes them: all befores, then all afters."""
        mode, pads = self.auto_pad, sizes("pads", self.pads, 2 * len(spatial), 0)
        if mode == "NOTSET":
            return pads
        if mode == "VALID":
            return (0,) * (2 * len(spatial))
        require(mode in ("SAME_UPPER", "SAME_LOWER"), f"attribute 'auto_pad' is {mode}")
        totals = [
            max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
            for size, k, s, d in zip(spatial, kernel, stride, dilation, strict=True)
        ]
        return split_pads(totals, more_before=mode == "SAME_LOWER")


def sizes(name: str, stated: Ints | None, count: int, least: int = 1) -> Ints:
    """Return an attribute of `count` numbers, none below `least`; all are `least` if absent."""
    numbers = stated or (least,) * count
    fits = len(numbers) == count and min(numbers) >= least
    require(fits, f"attribute '{name}' is {list(numbers)}", f"give {count} numbers >= {least}")
    return numbers


def window_of(reaches: Sequence[AxisWindow]) -> ImageWindow:
    """Return the window of one or two spatial dims."""
    return ImageWindow(
        pair([reach.kernel for reach in reaches]),
        pair([reach.stride for reach in reaches]),
        pair([reach.dilation for reach in reaches]),
        as_pad_amount([reach.pad[side] for side in (0, 1) for reach in reaches]),
    )


def numbers_of(
    reaches: Sequence[AxisWindow], after: Sequence[int], *, by_column: bool = False
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return the numbers [windows, taps] of the elements that windows read, and which are inside.

    Elements of an image are counted row by row, or column by column.
    """
    count, extents = len(reaches), [reach.before for reach in reaches]
    shape = (prod(after), prod(reach.kernel for reach in reaches))
    require_few(prod(shape), f"{shape[0]} windows of {shape[1]} elements")
    numbers, inside = np.zeros((), np.int32), np.ones((), np.bool_)
    for axis, (reach, places) in enumerate(zip(reaches, after, strict=True)):
        others = [d for a in range(count) if a != axis for d in (a, count + a)]
        taps = np.expand_dims(reach.taps(places), others)
        numbers = numbers + taps * prod(extents[:axis] if by_column else extents[axis + 1 :])
        inside = inside & (taps >= 0) & (taps < reach.before)
    return numbers.astype(np.int32).reshape(shape), inside.reshape(shape)


def check_spatial(count: int) -> None:
    """One to three spatial dims are supported."""
    require(count in (1, 2, 3), f"has {count} spatial dims, 1 to 3 are supported")


def split_pads(totals: Sequence[int], *, more_before: bool) -> Ints:
    """Return each total in two halves; one of the two sides has the odd one."""
    before = [(total + 1) // 2 if more_before else total // 2 for total in totals]
    return (*before, *(total - b for total, b in zip(totals, before, strict=True)))


def pair(values: Sequence[int], fill: int = 1) -> Pair:
    """(height, width) of one or two values."""
    return (values[0], values[1]) if len(values) == 2 else (fill, values[0])


def as_pad_amount(pads: Sequence[int]) -> tuple[int, int, int, int]:
    """(top, bottom, left, right) of ONNX's befores and afters."""
    half = len(pads) // 2
    (top, left), (bottom, right) = pair(pads[:half], 0), pair(pads[half:], 0)
    return (top, bottom, left, right)


def channels_last(value: Value) -> Value:
    """[N, C, H, W] or [N, C, W] as [N, H, W, C]."""
    moved = value.transpose(*FIRST_TO_LAST[value.rank])
    if moved.rank == 4:
        return moved
    n, width, channels = moved.shape
    return moved.reshape(n, 1, width, channels)


def channels_first(value: Value, rank: int) -> Value:
    """[N, H, W, C] as the model's [N, C, H, W] or [N, C, W]."""
    if rank == 3:
        n, _, width, channels = value.shape
        value = value.reshape(n, width, channels)
    return value.transpose(*LAST_TO_FIRST[rank])


def volumes(images: Value, batch: int) -> Value:
    """[N * D, H, W, C] as [N, C, D, H, W]."""
    count, *image = images.shape
    require(batch > 0, "its batch is empty", "give it one sample or more")
    return images.reshape(batch, count // batch, *image).transpose(0, 4, 1, 2, 3)


def by_images(x: Value, images: Change, depth: Change) -> Value:
    """Change each image of volumes [N, C, D, H, W], and then the steps along their depth.

    To `images` these are [N * D, H, W, C], to `depth` one row for each step, [N, D, H * W, C].
    """
    batch, channels, before, height, width = x.shape
    changed = images(x.transpose(0, 2, 3, 4, 1).reshape(batch * before, height, width, channels))
    _, height, width, _ = changed.shape
    steps = depth(changed.reshape(batch, before, height * width, channels))
    return volumes(steps.reshape(batch * steps.shape[1], height, width, channels), batch)
