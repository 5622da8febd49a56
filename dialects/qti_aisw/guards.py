"""Guards of graph ops: what an operand's rank, shape, element type or a param must be."""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..spec_of import require, spec_of, text
from ..value import Kind, Shape, TensorSpec

Pair = tuple[int, int]


def pair(values: tuple[int, ...]) -> Pair:
    """The first two of some values."""
    return values[0], values[1]


def window_extent(
    op: Operation, size: int, reach: int, stride: int, pads: Pair, ceil: bool = False
) -> int:
    """Count the windows of `reach` rows that fit into `size` rows with `pads` before and after.

    With `ceil` the last window may hang over the end if it starts before the padding there does.
    """
    room = size + sum(pads) - reach
    message = f"a window of {reach} is larger than the input of {size} with padding {sum(pads)}"
    require(room >= 0, op, message)
    count = room // stride + 1
    hangs = room % stride != 0 and count * stride < size + pads[0]
    return count + 1 if ceil and hangs else count


def tensor(
    op: Operation,
    name: str,
    value: SSAValue,
    kind: Kind = Kind.ANY,
    rank: int | None = None,
    rule: str = "",
) -> TensorSpec:
    """The spec of an operand, its element type and rank checked; `rule` goes before a message."""
    spec = spec_of(value)
    fault = kind.fault(f"operand '{name}'", spec.dtype)
    require(fault is None, op, f"{rule}{fault}")
    if rank is not None:
        message = f"{rule}operand '{name}' has rank {spec.rank}, it must be {rank}"
        require(spec.rank == rank, op, message)
    return spec


def same_dtype(
    op: Operation, name: str, spec: TensorSpec, lead_name: str, lead: TensorSpec, rule: str = ""
) -> None:
    """Check that two operands have one dtype; scales and zero points may differ."""
    message = f"operand '{name}' is {spec.dtype.name}, '{lead_name}' is {lead.dtype.name}"
    require(spec.dtype is lead.dtype, op, f"{rule}{message}; they must be equal")


def same_family(op: Operation, name: str, spec: TensorSpec, lead: TensorSpec) -> None:
    """Check weights against data: one float dtype, or both quantised in whatever way."""
    if not (spec.dtype.is_quantized and lead.dtype.is_quantized):
        same_dtype(op, name, spec, "inp", lead)


def check_weights(op: Operation, name: str, spec: TensorSpec, lead: TensorSpec) -> None:
    """Check weights against data: as `same_family`, or quantised beside floats."""
    if not (lead.dtype.is_float and spec.dtype.is_quantized):
        same_family(op, name, spec, lead)


def added(op: Operation, name: str, spec: TensorSpec, lead: TensorSpec) -> None:
    """Check a bias or a factor against data: of its float type, or quantised or i32 where it is."""
    if lead.dtype.is_quantized:
        message = f"operand '{name}' is {spec.dtype.name}, 'inp' is {lead.dtype.name}"
        require(not spec.dtype.is_float, op, f"{message}; it must be quantised or i32 then")
    else:
        same_dtype(op, name, spec, "inp", lead)


def same_encoding(op: Operation, name: str, spec: TensorSpec, lead: TensorSpec) -> None:
    """Check that two operands have one dtype and one quantisation."""
    message = f"operand '{name}' and the first one differ in element type; they must be equal"
    require(spec.same_encoding(lead), op, message)


def has_shape(op: Operation, name: str, spec: TensorSpec, shape: Shape, rule: str = "") -> None:
    """Check an operand's shape against the one that the other operands give."""
    message = f"operand '{name}' has shape {text(spec.shape)}, the others give {text(shape)}"
    require(spec.shape == shape, op, f"{rule}{message}")


def check_bias(
    op: Operation, value: SSAValue | None, lead: TensorSpec, width: int, unit: str
) -> None:
    """Check an optional bias: one element per output channel, added as `added` says."""
    if value is None:
        return
    spec = tensor(op, "bias", value, Kind.REAL_OR_I32, rank=1)
    message = f"operand 'bias' has {spec.elements} elements, the weights have {width} {unit}"
    require(spec.elements == width, op, f"{message}; they must be equal")
    added(op, "bias", spec, lead)


def counted(op: Operation, name: str, values: Sequence[int], count: int, least: int) -> None:
    """Check that a list param has `count` values of at least `least`."""
    problem = f"param '{name}' has {len(values)} values, it must have {count}"
    require(len(values) == count, op, problem)
    wrong = next((value for value in values if value < least), None)
    require(wrong is None, op, f"param '{name}' holds {wrong}, every value must be >= {least}")


def axis_of(op: Operation, value: int, rank: int, name: str = "axis") -> int:
    """An axis counted from the front; a negative one counts from the end."""
    message = f"param '{name}' is {value}, the tensor has rank {rank}"
    require(-rank <= value < rank, op, message)
    return value % rank


def axes_of(op: Operation, values: Sequence[int], rank: int) -> tuple[int, ...]:
    """Axes in rising order, counted from the front; each may occur once."""
    axes = sorted(axis_of(op, value, rank, "axes") for value in values)
    require(len(set(axes)) == len(axes), op, f"param 'axes' {list(values)} names an axis twice")
    require(bool(axes), op, "param 'axes' is empty")
    return tuple(axes)


def broadcast(op: Operation, *specs: TensorSpec) -> Shape:
    """The shape that operands share when extents of 1 are stretched."""
    return broadcast_shapes(op, *(spec.shape for spec in specs))


def broadcast_shapes(op: Operation, *shapes: Shape) -> Shape:
    """As `broadcast`, of bare shapes."""
    rank = max(map(len, shapes))
    columns = zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True)
    extents = [{n for n in column if n != 1} or {1} for column in columns]
    if any(len(sizes) > 1 for sizes in extents):
        shown = " and ".join(map(text, shapes))
        raise VerifyException(f"{op.name}: shapes {shown} do not broadcast")
    return tuple(sizes.pop() for sizes in extents)


def same_count(op: Operation, spec: TensorSpec, shape: Shape) -> None:
    """Check that a reshape keeps the number of elements."""
    problem = f"shape {text(shape)} has {prod(shape)} elements, the input {spec.elements}"
    require(prod(shape) == spec.elements and min(shape, default=0) >= 0, op, problem)


def nonempty(op: Operation, spec: TensorSpec, axis: int) -> None:
    """Check that there is something along an axis to choose from."""
    require(spec.shape[axis] > 0, op, f"the data has extent 0 along axis {axis}")
