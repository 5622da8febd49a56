"""Upsampling, and sampling at a grid."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import SSAValue

from ..registry import TorchConversions

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_NEAREST = {
    "mode": "nearest",
    "nearest_mode": "floor",
    "coordinate_transformation_mode": "asymmetric",
}
_LINEAR = {"mode": "linear", "coordinate_transformation_mode": "pytorch_half_pixel"}
_CUBIC = {
    "mode": "cubic",
    "coordinate_transformation_mode": "half_pixel",
    "cubic_coeff_a": -0.75,
}
_MODES: dict[str, dict[str, Any]] = {
    "nearest1d": _NEAREST,
    "nearest2d": _NEAREST,
    "nearest3d": _NEAREST,
    "linear1d": _LINEAR,
    "bilinear2d": _LINEAR,
    "trilinear3d": _LINEAR,
    "bicubic2d": _CUBIC,
}
"""Attributes of Resize by what ATen calls the mode."""
_CORNERS = {"coordinate_transformation_mode": "align_corners"}


def _upsample(options: dict[str, Any], node: AtenNode) -> SSAValue:
    """Build interpolate by size or by scales."""
    x, factors = node.value(node.first("self", "input")), node.argument("scale_factors")
    if node.argument("align_corners"):
        options = {**options, **_CORNERS}
    if factors:
        scales = np.array([1, 1, *factors], np.float32)
        return node.one("Resize", x, None, scales, **options)
    return node.one("Resize", x, None, None, np.array(node.out().shape, np.int64), **options)


for _name, _options in _MODES.items():
    ATEN.conversion(f"aten.upsample_{_name}")(partial(_upsample, _options))

_INTERPOLATIONS = ("linear", "nearest", "cubic")
_PADDINGS = ("zeros", "border", "reflection")


@ATEN.conversion("aten.grid_sampler_2d")
def grid_sample(node: AtenNode) -> SSAValue:
    """grid_sample."""
    return node.one(
        "GridSample",
        node.value("input"),
        node.value("grid"),
        mode=_INTERPOLATIONS[node.argument("interpolation_mode")],
        padding_mode=_PADDINGS[node.argument("padding_mode")],
        align_corners=int(node.argument("align_corners")),
    )
