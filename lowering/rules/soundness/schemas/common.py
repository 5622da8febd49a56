"""What the schemas of ops have in common: params, kinds of numbers, broadcasting, windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from .....dialects.value.dtypes import DType
from .....dialects.value.layout import RANK
from ..constraint_system import IntVar
from ..template import ELEMENTS, GraphTemplate, OpTemplate, Slot

Schema = Callable[[GraphTemplate, OpTemplate], None]
"""States what holds between the operands and results of an op."""

NUMBERS = tuple(dtype for dtype in ELEMENTS if dtype is not DType.Bool8)
FLOATS = (DType.Float32, DType.Float16)
PLAIN = tuple(dtype for dtype in ELEMENTS if not dtype.is_quantized)
QUANTIZED = tuple(dtype for dtype in ELEMENTS if dtype.is_quantized)
FACTORS = tuple(d for d in NUMBERS if not d.is_integer or d in (DType.Int32, DType.Int64))
"""What keeps its dtype in a sum of products: narrower integers give Int32."""

QUARTER = Fraction(1, 4)
_PAD_SPREAD = 3
_LEAST = -8


def numbers(template: GraphTemplate, *slots: Slot) -> None:
    """The slots hold numbers of one dtype."""
    for slot in slots:
        template.dtype_in(slot, *NUMBERS)
        template.same_dtype(slots[0], slot)


def kind_of(template: GraphTemplate, slot: Slot, data: Slot) -> None:
    """A bias or a factor beside data: of its float or integer type, or integers quantised anew."""
    if template.choices.chance(25):
        template.same_dtype(slot, data)
        return

    def element(found: int) -> int:
        return ELEMENTS.index(DType.QInt32) if ELEMENTS[found].is_quantized else found

    template.derive(slot.element, [data.element], element)


def row(template: GraphTemplate, slot: Slot, depth: IntVar) -> None:
    """The slot is [1, 1, 1, depth]."""
    template.dims_are(slot, (1, 1, 1, depth))


def ints(
    template: GraphTemplate, slot: Slot, *held: int | IntVar, dims: Sequence[int] = ()
) -> None:
    """The slot is an i32 param with these numbers, [1, 1, 1, n] unless `dims` say otherwise."""
    template.dtype_in(slot, DType.Int32)
    template.dims_are(slot, dims or (1, 1, 1, len(held)))
    template.holds(slot, *(constant(template, n) for n in held))


def real(template: GraphTemplate, slot: Slot, held: IntVar, unit: Fraction = QUARTER) -> None:
    """The slot is an f32 param of one number, counted in units."""
    template.dtype_in(slot, DType.Float32)
    template.dims_are(slot, (1,) * RANK)
    template.holds(slot, held, unit=unit)


def bounds(template: GraphTemplate, op: OpTemplate) -> None:
    """The params min and max, min <= max."""
    low, high, gap = (
        template.number(_LEAST, 8, 12),
        template.number(_LEAST, 32),
        template.number(0, 24),
    )
    real(template, op.slot("min"), low)
    real(template, op.slot("max"), high)
    template.total(high, low, gap)


def constant(template: GraphTemplate, held: int | IntVar) -> IntVar:
    """Wrap a number as a variable of that one value."""
    return held if isinstance(held, IntVar) else template.number(held, held)


def axis(template: GraphTemplate, slot: Slot) -> int:
    """Choose the axis of a param where it is still open; the last one is the simplest."""
    held = slot.numbers.get(0)
    if held is not None and held.root.low == held.root.high:
        return held.root.low
    chosen = template.choices.pick(range(RANK - 1, -1, -1))
    ints(template, slot, chosen)
    return chosen


def axes(template: GraphTemplate, slot: Slot) -> tuple[int, ...]:
    """Choose the axes of a param: mostly the last one alone."""
    some = ((3,), (3,), (1, 2), (1,), (2, 3), (0,), (1, 2, 3), (2,))
    chosen = template.choices.pick(some)
    ints(template, slot, *chosen)
    return chosen


def broadcast(template: GraphTemplate, result: Slot, dims: Sequence[int], *slots: Slot) -> None:
    """The slots broadcast to the result: each dim is the result's or 1, of one slot it is not 1.

    Drawn for whole slots more often than dim by dim: rules ask for a row or a scalar.
    """
    styles = [template.choices.below(4) for _ in slots]
    if 0 not in styles and 3 not in styles:
        styles[0] = 0
    full = next((slot for slot, style in zip(slots, styles, strict=True) if style == 0), slots[0])
    for slot, style in zip(slots, styles, strict=True):
        for dim in dims:
            single = (style == 1 and dim < RANK - 1) or style == 2
            if style == 3:
                single = slot is not full and template.choices.chance(30)
            if single:
                slot.dims[dim].narrow(1, 1)
            else:
                slot.dims[dim].join(result.dims[dim])


def plane(template: GraphTemplate, slot: Slot) -> tuple[IntVar, IntVar]:
    """The height and width of a stride or a window, a shape 1xHxWx1 or two numbers of a param."""
    height, width = template.number(1, spread=3), template.number(1, spread=3)
    if slot.is_shape:
        template.dims_are(slot, (1, height, width, 1))
    else:
        ints(template, slot, height, width)
    return height, width


def pads(
    template: GraphTemplate, slot: Slot, taps: Sequence[IntVar]
) -> list[tuple[IntVar, IntVar]]:
    """The param pad_amount as (before, after) of height and width, each less than the taps."""
    held = [template.number(0, spread=_PAD_SPREAD) for _ in range(4)]
    ints(template, slot, *held, dims=(1, 1, 2, 2))
    for place, pad in enumerate(held):
        wanted, reach = template.number(0, spread=_PAD_SPREAD), taps[place // 2]
        template.relate(
            (wanted, [pad, reach], lambda pad, reach: pad if pad < reach else None),
            (pad, [wanted, reach], lambda wanted, reach: min(wanted, reach - 1)),
        )
    return [(held[0], held[1]), (held[2], held[3])]


def window(
    template: GraphTemplate,
    out: IntVar,
    length: IntVar,
    taps: IntVar,
    stride: IntVar,
    *,
    pad: tuple[IntVar, IntVar] | None = None,
    dilation: IntVar | None = None,
) -> None:
    """`out` windows of `taps` elements, `dilation` apart, fit into the padded length."""
    before, after = pad or (constant(template, 0), constant(template, 0))
    spacing, rest = dilation or constant(template, 1), template.number(0, spread=3)

    def count(size: int, f: int, s: int, b: int, a: int, d: int) -> int | None:
        room = size + b + a - (f - 1) * d - 1
        return room // s + 1 if room >= 0 else None

    def size(n: int, f: int, s: int, b: int, a: int, d: int, more: int) -> int | None:
        found = (n - 1) * s + (f - 1) * d + 1 + more % s - b - a
        return found if found >= 1 else None

    others = [taps, stride, before, after, spacing]
    template.relate((out, [length, *others], count), (length, [out, *others, rest], size))


def product(template: GraphTemplate, whole: IntVar, *parts: IntVar) -> None:
    """`whole` is the product of the parts."""

    def multiply(*values: int) -> int:
        found = 1
        for value in values:
            found *= value
        return found

    template.derive(whole, parts, multiply)
