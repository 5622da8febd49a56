"""Scratch: tensors of a kernel's own, which hold nothing before its op runs and nothing after.

Source: QNN HTP op package documentation, adding scratch memory to an op.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from operator import index
from typing import SupportsIndex, TypeVar

from ...dialects.checks import text
from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.tracebacks import raised
from ...dialects.value import RANK, Place, Quant, Shape, TensorSpec
from ..tensors.tensor_classes import CLASSES, tensor_class
from ..tensors.tensors import ShapeParam, Tensor

Sizes = Mapping[str, Sequence[int]]
"""Shapes by the name of the scratch tensor; fewer than four dims are filled with 1 on the left."""

ScratchHook = Callable[[Sequence[TensorSpec], Sequence[TensorSpec | ShapeParam]], Sizes]
"""Sizes a kernel's scratch from the op's results and operands, before anything is allocated."""

UNSIZED: Shape = (1,) * RANK
"""The shape of a scratch tensor that no hook sizes."""

_Spec = TypeVar("_Spec", bound=TensorSpec | ShapeParam)

_MAX_ELEMENTS = 2**40
"""Elements of one scratch tensor."""
_WHOLE = Quant((1.0,), (0,))
_KEYS = {class_: key for key, class_ in CLASSES.items()}


@dataclass(frozen=True)
class Scratch:
    """A scratch tensor that a kernel declares: its name and its concrete class."""

    name: str
    takes: type[Tensor]

    def spec(self, shape: Shape = UNSIZED) -> TensorSpec:
        """Make the tensor of this shape: quantised with scale 1 and zero point 0, if at all."""
        key = _KEYS[self.takes]
        quant = _WHOLE if key.dtype.is_quantized else None
        return TensorSpec(shape, key.dtype, quant, Place(key.layout, key.memory))


def described(spec: TensorSpec) -> str:
    """Describe a scratch tensor for messages: its shape and its class."""
    return f"{text(spec.shape)} {tensor_class(spec).__name__}"


def scratch_of(where: str, name: str, takes: object) -> Scratch:
    """Read the scratch tensor of an annotation; HtpError unless its class is concrete."""
    if isinstance(takes, type) and issubclass(takes, Tensor) and takes in _KEYS:
        return Scratch(name, takes)
    problem = f"scratch '{name}' has the class {getattr(takes, '__name__', takes)}"
    raise fail(where, problem, "name a concrete class: PlainFloatTensor_TCM or the like")


def sized(
    where: str,
    declared: Sequence[Scratch],
    hook: ScratchHook,
    outputs: Sequence[TensorSpec],
    operands: Sequence[TensorSpec | ShapeParam],
) -> tuple[TensorSpec, ...]:
    """Size a kernel's scratch for these tensors; HtpError where its hook fails or misleads."""
    try:
        sizes = dict(hook([_anywhere(o) for o in outputs], [_anywhere(o) for o in operands]))
    except HtpError:
        raise
    except Exception as error:
        raise fail(where, f"the scratch hook fails: {raised(error)}", "fix the hook") from error
    names = [scratch.name for scratch in declared]
    for name in sizes:
        if name not in names:
            remedy = f"declared are {', '.join(names)}"
            raise fail(where, f"the scratch hook sizes {name!r}, which is no scratch", remedy)
    return tuple(
        scratch.spec(_shape(f"{where}, scratch '{scratch.name}'", sizes[scratch.name]))
        if scratch.name in sizes
        else scratch.spec()
        for scratch in declared
    )


def _shape(where: str, dims: object) -> Shape:
    """Four dims out of what a hook gave for one tensor."""
    if not isinstance(dims, Sequence) or isinstance(dims, str):
        raise fail(where, f"the hook gives {dims!r} as its shape", "give a tuple of ints")
    if len(dims) > RANK:
        raise fail(where, f"the hook gives {len(dims)} dims", f"give {RANK} at the most")
    shape = (*UNSIZED[len(dims) :], *_ints(where, dims))
    if prod(shape) > _MAX_ELEMENTS:
        raise fail(where, f"the hook asks for {prod(shape)} elements", "fix the hook")
    return shape


def _ints(where: str, dims: Sequence[object]) -> Iterator[int]:
    for dim in dims:
        if not isinstance(dim, SupportsIndex) or isinstance(dim, bool) or index(dim) < 0:
            raise fail(where, f"the hook gives the dim {dim!r}", "give integers, at least 0")
        yield index(dim)


def _anywhere(operand: _Spec) -> _Spec:
    """The operand without an offset: sizes are asked for before there are any."""
    if isinstance(operand, ShapeParam) or operand.place is None or operand.place.offset is None:
        return operand
    return replace(operand, place=operand.place.unplaced())
