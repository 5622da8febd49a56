"""Building blocks of schemas: params, kinds of numbers, broadcasting, windows."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from .....dialects.htp.constraints import Usual
from .....dialects.value import RANK, DType, Kind
from ...graph.graph import INT_MAX, INT_MIN
from ..drawing.constraint_system import IntVar
from ..drawing.template import ELEMENTS, GraphTemplate, OpTemplate, Slot, Source

Schema = Callable[[GraphTemplate, OpTemplate], None]
"""A function that states the constraints between the operands and results of an op."""

QUARTER = Fraction(1, 4)
_PAD_SPREAD = 3
_LEAST = -8


def members(kind: Kind) -> tuple[DType, ...]:
    """List the dtypes of a kind, the simplest first."""
    return tuple(dtype for dtype in ELEMENTS if dtype in kind.value[1])


def numbers(template: GraphTemplate, *slots: Slot) -> None:
    """State that the slots hold numbers of one dtype."""
    for slot in slots:
        template.dtype_in(slot, *members(Kind.NUMBER))
        template.same_dtype(slots[0], slot)


def kind_of(template: GraphTemplate, slot: Slot, data: Slot) -> None:
    """Give a bias or a factor the float or integer type of data, or quantise its integers anew."""
    if template.choices.chance(25):
        template.same_dtype(slot, data)
        return

    def element(place: int) -> int:
        return ELEMENTS.index(DType.QInt32) if ELEMENTS[place].is_quantized else place

    template.derive(slot.element, [data.element], element)


def weights_of(template: GraphTemplate, slot: Slot, data: Slot) -> None:
    """Give weights the type of data, or quantise those beside floats."""
    if not template.choices.chance(25):
        template.same_dtype(slot, data)
        return

    def element(place: int) -> int:
        return ELEMENTS.index(DType.QInt8) if ELEMENTS[place].is_float else place

    template.derive(slot.element, [data.element], element)


def row(template: GraphTemplate, slot: Slot, depth: IntVar) -> None:
    """State that the slot is [1, 1, 1, depth]."""
    template.dims_are(slot, (1, 1, 1, depth))


def ints(
    template: GraphTemplate, slot: Slot, *numbers: int | IntVar, dims: Sequence[int] = ()
) -> None:
    """Make the slot an i32 param with these numbers, [1, 1, 1, n] unless `dims` say otherwise."""
    template.dtype_in(slot, DType.Int32)
    template.dims_are(slot, dims or (1, 1, 1, len(numbers)))
    template.holds(slot, *(n if isinstance(n, IntVar) else template.number(n, n) for n in numbers))


def real(template: GraphTemplate, slot: Slot, number: IntVar, unit: Fraction = QUARTER) -> None:
    """Make the slot an f32 param of one number, counted in units."""
    reals(template, slot, number, unit=unit)


def reals(template: GraphTemplate, slot: Slot, *numbers: IntVar, unit: Fraction = QUARTER) -> None:
    """Make the slot an f32 param with these numbers, counted in units."""
    template.dtype_in(slot, DType.Float32)
    row(template, slot, template.number(len(numbers), len(numbers)))
    template.holds(slot, *numbers, unit=unit)


def near(template: GraphTemplate, slot: Slot, value: Usual, count: int) -> None:
    """Make the slot a param of `count` numbers around a usual one, or around a list, or a text."""
    if isinstance(value, str):
        template.dtype_in(slot, DType.UInt8)
        stored = [*value.encode(), 0]
        row(template, slot, template.number(len(stored), len(stored)))
        template.holds(slot, *(template.number(byte, byte) for byte in stored))
    elif isinstance(value, float):
        unit = Fraction(value) if value % 0.25 else QUARTER
        drawn = (_from(template, int(value / unit)) for _ in range(count))
        reals(template, slot, *drawn, unit=unit)
    else:
        values = value if isinstance(value, tuple) else (value,) * count
        most = 1 if isinstance(value, bool) else INT_MAX
        ints(template, slot, *(_from(template, int(each), most) for each in values))


def _from(template: GraphTemplate, value: int, most: int = INT_MAX) -> IntVar:
    """Draw a number, of those around a value mostly that itself."""
    return template.number(INT_MIN if most > 1 else 0, most, spread=2, base=value)


def bounds(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw the params min and max, min <= max."""
    low, high, gap = (
        template.number(_LEAST, 8, 12),
        template.number(_LEAST, 32),
        template.number(0, 24),
    )
    real(template, op.slot("min"), low)
    real(template, op.slot("max"), high)
    template.total(high, low, gap)


def settled(slot: Slot) -> int | None:
    """Return the first number of a param, or None where it is still open."""
    number = slot.numbers.get(0)
    return None if number is None or number.root.low != number.root.high else number.root.low


def axis(template: GraphTemplate, slot: Slot) -> int:
    """Choose the axis of a param where it is still open; the last one is the simplest."""
    known = settled(slot)
    chosen = template.choices.pick(range(RANK - 1, -1, -1)) if known is None else known
    ints(template, slot, chosen)
    return chosen


def axes(template: GraphTemplate, slot: Slot) -> tuple[int, ...]:
    """Choose the axes of a param: mostly the last one alone."""
    some = ((3,), (3,), (1, 2), (1,), (2, 3), (0,), (1, 2, 3), (2,))
    chosen = template.choices.pick(some)
    ints(template, slot, *chosen)
    return chosen


def broadcast(template: GraphTemplate, result: Slot, dims: Sequence[int], *slots: Slot) -> None:
    """Broadcast the slots to the result: each dim is the result's or 1, of one slot it is not 1.

    Drawn for whole slots more often than dim by dim: rules ask for a row or a scalar. A template
    of `alike` tensors has constants of one element, and nothing else is broadcast.
    """
    if template.alike:
        _alike(result, dims, slots)
        return
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


def _alike(result: Slot, dims: Sequence[int], slots: Sequence[Slot]) -> None:
    """Give the slots the dims of the result, but for constants and for dims that are 1 already."""
    for dim in dims:
        whole = [slot for slot in slots if slot.source is not Source.CONST]
        whole = [slot for slot in whole if slot.dims[dim].root.high != 1]
        for slot in slots:
            if slot.source is Source.CONST:
                slot.dims[dim].narrow(1, 1)
        for slot in whole:
            slot.dims[dim].join(result.dims[dim])
        if not whole:
            result.dims[dim].narrow(1, 1)


def plane(template: GraphTemplate, slot: Slot) -> tuple[IntVar, IntVar]:
    """Draw height and width of a stride or window, a shape 1xHxWx1 or two numbers of a param."""
    height, width = template.number(1, spread=3), template.number(1, spread=3)
    if slot.is_shape:
        template.dims_are(slot, (1, height, width, 1))
    else:
        ints(template, slot, height, width)
    return height, width


def pads(
    template: GraphTemplate, slot: Slot, taps: Sequence[IntVar]
) -> list[tuple[IntVar, IntVar]]:
    """Draw pad_amount as (before, after) of height and width, each less than the taps."""
    amounts = [template.number(0, spread=_PAD_SPREAD) for _ in range(4)]
    ints(template, slot, *amounts, dims=(1, 1, 2, 2))
    for place, pad in enumerate(amounts):
        wanted, reach = template.number(0, spread=_PAD_SPREAD), taps[place // 2]
        template.relate(
            (wanted, [pad, reach], lambda pad, reach: pad if pad < reach else None),
            (pad, [wanted, reach], lambda wanted, reach: min(wanted, reach - 1)),
        )
    return [(amounts[0], amounts[1]), (amounts[2], amounts[3])]


def window(
    template: GraphTemplate,
    out: IntVar,
    length: IntVar,
    taps: IntVar,
    stride: IntVar,
    *,
    pad: tuple[IntVar, IntVar] | None = None,
    dilation: IntVar | None = None,
    hangs: bool = False,
) -> None:
    """State that `out` windows of `taps` elements, `dilation` apart, fit into the padded length.

    Where one `hangs` over the far edge, it starts inside the data or the padding before it.
    """
    before, after = pad or (template.number(0, 0), template.number(0, 0))
    spacing, rest = dilation or template.number(1, 1), template.number(0, spread=3)

    def count(size: int, f: int, s: int, b: int, a: int, d: int) -> int | None:
        room = size + b + a - (f - 1) * d - 1
        full = room // s + 1
        more = hangs and room % s > 0 and full * s < size + b
        return full + more if room >= 0 else None

    def size(n: int, f: int, s: int, b: int, a: int, d: int, more: int) -> int | None:
        least = (n - 1) * s + (f - 1) * d + 1 + more % s - b - a
        return least if least >= 1 else None

    others = [taps, stride, before, after, spacing]
    if hangs:
        template.derive(out, [length, *others], count)
    else:
        template.relate((out, [length, *others], count), (length, [out, *others, rest], size))


def product(template: GraphTemplate, whole: IntVar, *parts: IntVar) -> None:
    """State that `whole` is the product of the parts."""
    template.derive(whole, parts, lambda *values: prod(values))
