"""Schemas of ops that give images another extent."""

from __future__ import annotations

from .....dialects.qti_aisw.ops.image import INTERPOLATIONS, ROUNDINGS, TRANSFORMATIONS
from .....dialects.value.kinds import Kind
from ..drawing.template import GraphTemplate, OpTemplate, Slot
from .common import QUARTER, ints, members, plane, product, real


def resize(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw a size, half of the time a multiple of the operand's, and modes."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, *members(Kind.REAL))
    template.same_encoding(source, result)
    grows = template.choices.chance(50)
    for dim in (1, 2):
        if grows:
            product(template, result.dims[dim], source.dims[dim], template.number(1, spread=2))
    result.dims[0].join(source.dims[0])
    result.dims[3].join(source.dims[3])
    ints(template, op.slot("size"), *result.dims[1:3])
    for name, names in (
        ("interpolation_mode", INTERPOLATIONS),
        ("transformation_mode", TRANSFORMATIONS),
        ("nearest_mode", ROUNDINGS),
        ("exclude_outside", (False, True)),
    ):
        ints(template, op.slot(name), template.choices.below(len(names)))
    real(template, op.slot("cubic_coeff"), template.number(-4, 0), QUARTER)


def resize_places(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw an extent, a step, a start and a unit for rows and columns, and modes."""
    source, result = op.operands[0], op.results[0]
    template.dtype_in(source, *members(Kind.REAL))
    template.same_encoding(source, result)
    for dim in (0, 3):
        result.dims[dim].join(source.dims[dim])
    for name, extent in zip(("rows", "columns"), result.dims[1:3], strict=True):
        step, start, unit = template.number(1, 9), template.number(-9, 9), template.number(1, 9)
        ints(template, op.slot(name), extent, step, start, unit, 2)
    for name, names in (
        ("interpolation_mode", INTERPOLATIONS),
        ("nearest_mode", ROUNDINGS),
        ("exclude_outside", (False,)),
    ):
        ints(template, op.slot(name), template.choices.below(len(names)))
    real(template, op.slot("cubic_coeff"), template.number(-4, 0), QUARTER)


def spread(template: GraphTemplate, op: OpTemplate) -> None:
    """Spread the depth over blocks of pixels."""
    _blocks(template, op, op.operands[0], op.results[0])


def stack(template: GraphTemplate, op: OpTemplate) -> None:
    """Stack blocks of pixels in the depth."""
    _blocks(template, op, op.results[0], op.operands[0])


def _blocks(template: GraphTemplate, op: OpTemplate, deep: Slot, wide: Slot) -> None:
    """Draw a block of pixels of the wide image that is part of the depth of the other."""
    template.same_encoding(op.operands[0], op.results[0])
    block = plane(template, op.operands[1])
    deep.dims[0].join(wide.dims[0])
    for dim, count in enumerate(block, 1):
        product(template, wide.dims[dim], deep.dims[dim], count)
    product(template, deep.dims[3], wide.dims[3], *block)
    ints(template, op.slot("mode"), template.choices.below(2))
