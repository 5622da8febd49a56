"""A kernel as a value: what it takes, what it costs, how it is bound to tensors, and its scratch.

Scratch tensors hold nothing before their op runs and nothing after.
Source: QNN HTP op package documentation, adding scratch memory to an op.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from math import prod
from operator import index
from typing import SupportsIndex, TypeVar

from xdsl.ir import Operation

from ...dialects.diagnostics import HtpError, fail
from ...dialects.faults.op_faults import raised
from ...dialects.spec_of import text
from ...dialects.value import RANK, LayoutKind, Memory, Place, Quant, Shape, TensorSpec
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


Operand = TensorSpec | ShapeParam
"""An operand as a cost function and a scratch hook see it."""
BoundCall = Callable[[], None]
"""A kernel with its tensors bound: one call computes the op once."""
Call = Callable[[], object]
CostFunction = Callable[[Sequence[TensorSpec], Sequence[Operand]], float]
Annotation = type[Tensor] | type[ShapeParam]


class Cost(Enum):
    """A cost, for choosing among kernels that fit."""

    FREE = 0.0
    FAST = 1.0
    SNAIL = 1e6
    GLACIAL = 1e12


class Flag(enum.Flag):
    """A property of a kernel's op that passes ask for."""

    NONE = 0
    IS_CONST = auto()
    INHIBIT_CONST_PROP = auto()
    RESOURCE_HVX = auto()


@dataclass(frozen=True)
class KernelSlot:
    """A parameter of a kernel: its name, the class it takes and others that will do as well."""

    name: str
    takes: Annotation
    also: tuple[Annotation, ...] = ()

    @classmethod
    def of(cls, name: str, classes: Iterable[Annotation]) -> KernelSlot:
        """Make a slot that takes any of these classes; there is at least one."""
        first, *others = classes
        return cls(name, first, tuple(others))

    def fits_operand(self, class_: Annotation) -> bool:
        """Tell whether an operand of this class may be passed here."""
        generic = self.takes is Tensor and class_ is not ShapeParam
        return generic or class_ is self.takes or class_ in self.also

    def fits_output(self, class_: type[Tensor], default_placement: bool) -> bool:
        """Tell whether a result of this class, flat in main memory or not, may be passed here."""
        generic = self.takes is Tensor
        return class_ in self.also or (default_placement if generic else class_ is self.takes)

    def text(self) -> str:
        """Name the classes for messages; of more than two only the first."""
        if not self.also:
            return self.takes.__name__
        others = f"{len(self.also)} other classes"
        other = self.also[0].__name__ if len(self.also) == 1 else others
        return f"{self.takes.__name__} or {other}"


@dataclass(frozen=True)
class Signature:
    """The classes of an op's tensors; `default` tells which outputs are flat in main memory."""

    outputs: tuple[type[Tensor], ...]
    default: tuple[bool, ...]
    operands: tuple[Annotation, ...]


def signature_of(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Signature:
    """Reduce tensors to what selection goes by."""
    return Signature(
        tuple(tensor_class(spec) for spec in outputs),
        tuple(spec.layout is LayoutKind.FLAT and spec.memory is Memory.DDR for spec in outputs),
        tuple(ShapeParam if isinstance(o, ShapeParam) else tensor_class(o) for o in operands),
    )


@dataclass(frozen=True)
class Kernel:
    """One implementation of an op for particular tensor classes.

    Its scratch, sized by the hook, takes no part in the choice among kernels. `attributes` are the
    op's that it takes by name. `lacks` says of a kernel that does not run why, in words behind its
    name, and `ends` where one that runs may end. One that `shares` runs in another process, which
    maps the memory of the session.
    """

    op: str
    name: str
    function: Callable[..., BoundCall | None]
    outputs: tuple[KernelSlot, ...]
    inputs: tuple[KernelSlot, ...]
    variadic: bool
    binding: bool
    cost: Cost | CostFunction
    flags: Flag
    scratch: tuple[Scratch, ...] = ()
    hook: ScratchHook | None = None
    lacks: str = ""
    ends: str = ""
    attributes: tuple[str, ...] = ()
    shares: bool = False

    def given(self, op: Operation) -> Kernel:
        """Give the kernel the attributes of an op; HtpError where the op lacks one."""
        values = {name: op.get_attr_or_prop(name) for name in self.attributes}
        for name in (name for name, value in values.items() if value is None):
            where, problem = f"{op.name}, kernel {self.name}", f"the op has no attribute '{name}'"
            raise fail(where, problem, "state it, or take the parameter off the kernel")
        return replace(self, function=partial(self.function, **values), attributes=())

    def misfit(self, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> str | None:
        """Tell why this kernel does not take these tensors; None where it does."""
        wrong = self.first_misfit(signature_of(outputs, operands))
        if wrong is None:
            return None
        slots = self.slots_for(len(operands))
        if len(outputs) != len(self.outputs) or slots is None:
            return f"takes {self.arity()}, the op has {len(outputs)} and {len(operands)}"
        slot, tensor = (*self.outputs, *slots)[wrong], (*outputs, *operands)[wrong]
        generic_output = wrong < len(outputs) and slot.takes is Tensor
        wanted = "a flat tensor in ddr" if generic_output else slot.text()
        return f"takes {wanted} as '{slot.name}', it is {describe(tensor)}"

    def first_misfit(self, signature: Signature) -> int | None:
        """Find the first tensor that does not fit, outputs first; None if all do."""
        slots = self.slots_for(len(signature.operands))
        if slots is None or len(signature.outputs) != len(self.outputs):
            return 0
        outputs = zip(self.outputs, signature.outputs, signature.default, strict=True)
        operands = zip(slots, signature.operands, strict=True)
        fits = [
            *(slot.fits_output(class_, default) for slot, class_, default in outputs),
            *(slot.fits_operand(class_) for slot, class_ in operands),
        ]
        return None if all(fits) else fits.index(False)

    def slots_for(self, count: int) -> tuple[KernelSlot, ...] | None:
        """Find the slots of `count` operands; None where the number does not fit."""
        if not self.variadic:
            return self.inputs if count == len(self.inputs) else None
        more = count - len(self.inputs)
        return None if more < -1 else (*self.inputs, *[self.inputs[-1]] * more)[:count]

    def arity(self) -> str:
        """Write the numbers of outputs and operands for messages."""
        least = len(self.inputs) - 1
        operands = f"{least} or more" if self.variadic else str(len(self.inputs))
        return f"{len(self.outputs)} outputs and {operands} operands"

    def price(self, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
        """Compute the cost for these tensors; HtpError where the cost function fails."""
        if isinstance(self.cost, Cost):
            return self.cost.value
        try:
            return float(self.cost(outputs, operands))
        except HtpError:
            raise
        except Exception as error:
            where = f"{self.op}, kernel {self.name}"
            problem = f"the cost function fails: {raised(error)}"
            raise fail(where, problem, "fix it; it gives a number") from error

    def scratch_specs(
        self, outputs: Sequence[TensorSpec], operands: Sequence[Operand], where: str | None = None
    ) -> tuple[TensorSpec, ...]:
        """Size the scratch for these tensors; HtpError, about `where` or the op, from a hook."""
        if self.hook is None:
            return tuple(scratch.spec() for scratch in self.scratch)
        place = f"{where or self.op}, kernel {self.name}"
        return sized(place, self.scratch, self.hook, outputs, operands)

    def bind(
        self,
        outputs: Sequence[Tensor],
        operands: Sequence[Tensor | ShapeParam],
        scratch: Sequence[Tensor] = (),
    ) -> Call:
        """Make the call for each run; scratch tensors are passed by name."""
        own = {declared.name: t for declared, t in zip(self.scratch, scratch, strict=True)}
        if not self.binding:
            return partial(self.function, *outputs, *operands, **own)
        bound = self.function(*outputs, *operands, **own)
        if bound is None:
            raise TypeError(f"binding kernel {self.name} returned nothing")
        return bound


def describe(operand: Operand) -> str:
    """Name the class of an operand for messages."""
    if isinstance(operand, ShapeParam):
        return ShapeParam.__name__
    class_ = tensor_class(operand)
    if class_ is not Tensor:
        return class_.__name__
    return f"a {operand.dtype.name} tensor, {operand.layout.value} in {operand.memory.value}"
