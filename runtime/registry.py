"""Kernels: how they are declared, and which one an op gets.

A kernel is a function of tensors: outputs first (parameters whose names start with `out`), then
the op's operands in their order. Its annotations are the signature that selection goes by:

* a concrete tensor class fits just that class; the generic `Tensor` fits any operand, and as an
  output it fits a tensor that is flat in main memory;
* a TypeVar over tensor classes gives one kernel per class, as a C++ template does;
* `ShapeParam` fits an operand of type !htp.shape; a last `*parts: X` takes any number of operands.

A kernel that returns None is direct: it is called at each run. One that returns a callable is
binding: it is called once, makes its views, scratch and hoisted constants, and what it returns is
called at each run.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from inspect import Parameter, signature
from itertools import product, takewhile
from typing import TypeVar, get_type_hints

from ..dialects.diagnostics import Fault, HtpError, fail
from ..dialects.place import LayoutKind, Memory
from ..dialects.spec import TensorSpec
from .tensor_classes import tensor_class
from .tensors import ShapeParam, Tensor

Operand = TensorSpec | ShapeParam
BoundCall = Callable[[], None]
Call = Callable[[], object]
CostFunction = Callable[[Sequence[TensorSpec], Sequence[Operand]], float]
Function = TypeVar("Function", bound=Callable[..., BoundCall | None])
Annotation = type[Tensor] | type[ShapeParam]


class Cost(Enum):
    """What a kernel costs, for choosing among those that fit."""

    FREE = 0.0
    FAST = 1.0
    SNAIL = 1e6
    GLACIAL = 1e12


class Flag(enum.Flag):
    """What else is to be known about a kernel's op."""

    NONE = 0
    IS_CONST = auto()
    INHIBIT_CONST_PROP = auto()
    RESOURCE_HVX = auto()


@dataclass(frozen=True)
class Slot:
    """A parameter of a kernel: its name and the class it takes."""

    name: str
    takes: Annotation

    def fits_operand(self, found: Annotation) -> bool:
        """Whether an operand of this class may be passed here."""
        return found is self.takes or (self.takes is Tensor and found is not ShapeParam)

    def fits_output(self, found: type[Tensor], homely: bool) -> bool:
        """Whether a result of this class may be passed here."""
        return homely if self.takes is Tensor else found is self.takes


@dataclass(frozen=True)
class Signature:
    """The classes of an op's tensors; `homely` says which outputs are flat in main memory."""

    outputs: tuple[type[Tensor], ...]
    homely: tuple[bool, ...]
    operands: tuple[Annotation, ...]


def signature_of(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Signature:
    """What selection goes by."""
    return Signature(
        tuple(tensor_class(spec) for spec in outputs),
        tuple(_homely(spec) for spec in outputs),
        tuple(ShapeParam if isinstance(o, ShapeParam) else tensor_class(o) for o in operands),
    )


def _homely(spec: TensorSpec) -> bool:
    return spec.layout is LayoutKind.FLAT and spec.memory is Memory.DDR


@dataclass(frozen=True)
class Kernel:
    """One implementation of an op for particular tensor classes."""

    op: str
    name: str
    function: Callable[..., BoundCall | None]
    outputs: tuple[Slot, ...]
    inputs: tuple[Slot, ...]
    variadic: bool
    binding: bool
    cost: Cost | CostFunction
    flags: Flag

    def misfit(self, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> str | None:
        """Why this kernel does not take these tensors; None where it does."""
        wrong = self.first_misfit(signature_of(outputs, operands))
        if wrong is None:
            return None
        slots = self.slots_for(len(operands))
        if len(outputs) != len(self.outputs) or slots is None:
            return f"takes {self.arity()}, the op has {len(outputs)} and {len(operands)}"
        slot, found = (*self.outputs, *slots)[wrong], (*outputs, *operands)[wrong]
        wanted = _expected(slot) if wrong < len(outputs) else slot.takes.__name__
        return f"takes {wanted} as '{slot.name}', it is {describe(found)}"

    def first_misfit(self, signature: Signature) -> int | None:
        """The position, outputs first, of the first tensor that does not fit; None if all do."""
        slots = self.slots_for(len(signature.operands))
        if slots is None or len(signature.outputs) != len(self.outputs):
            return 0
        fits = [
            *map(Slot.fits_output, self.outputs, signature.outputs, signature.homely),
            *map(Slot.fits_operand, slots, signature.operands),
        ]
        return None if all(fits) else fits.index(False)

    def slots_for(self, count: int) -> tuple[Slot, ...] | None:
        """The slots that `count` operands go to, or None where the number does not fit."""
        if not self.variadic:
            return self.inputs if count == len(self.inputs) else None
        more = count - len(self.inputs)
        return None if more < -1 else (*self.inputs, *[self.inputs[-1]] * more)[:count]

    def arity(self) -> str:
        """The numbers of outputs and operands, for messages."""
        least = len(self.inputs) - 1
        operands = f"{least} or more" if self.variadic else str(len(self.inputs))
        return f"{len(self.outputs)} outputs and {operands} operands"

    def price(self, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
        """The cost for these tensors."""
        if isinstance(self.cost, Cost):
            return self.cost.value
        return self.cost(outputs, operands)

    def bind(self, outputs: Sequence[Tensor], operands: Sequence[Tensor | ShapeParam]) -> Call:
        """The call to make at each run."""
        if not self.binding:
            return partial(self.function, *outputs, *operands)
        bound = self.function(*outputs, *operands)
        if bound is None:
            raise TypeError(f"binding kernel {self.name} returned nothing")
        return bound


class KernelSet:
    """The kernels of one module for ops of one package, in the order of their declarations.

    The decorator is `kernel = KernelSet().kernel`; one function may carry it several times.
    """

    def __init__(self, package: str = "htp") -> None:
        self._package = package
        self._kernels: list[Kernel] = []

    def kernel(
        self,
        op: str,
        *,
        cost: Cost | CostFunction = Cost.GLACIAL,
        flags: Flag = Flag.RESOURCE_HVX,
        name: str | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as a kernel of an op; `name` is for functions made from a table."""

        def declare(function: Function) -> Function:
            label = name or function.__name__
            self._kernels += _instances(f"{self._package}.{op}", label, function, cost, flags)
            return function

        return declare

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self._kernels)


class KernelRegistry:
    """All kernels of some sets, by op (`htp.Add`): the project's own and those of user packages."""

    def __init__(self, sets: Iterable[KernelSet]) -> None:
        self._sets = tuple(sets)
        self._remembered: dict[tuple[str, Signature], tuple[Kernel, ...]] = {}
        self._by_op: dict[str, dict[str, Kernel]] = {}
        for kernel in (kernel for kernels in self._sets for kernel in kernels):
            named = self._by_op.setdefault(kernel.op, {})
            if kernel.name in named:
                raise ValueError(f"op {kernel.op} has two kernels named {kernel.name}")
            named[kernel.name] = kernel

    def extended(self, sets: Iterable[KernelSet]) -> KernelRegistry:
        """A registry with these kernels and, after them, more."""
        return KernelRegistry([*self._sets, *sets])

    def kernels(self, op: str) -> tuple[Kernel, ...]:
        """The kernels of an op in the order of their declaration."""
        return tuple(self._by_op.get(op, {}).values())

    def by_name(self, op: str, name: str) -> Kernel:
        """The kernel that allocated IR names; HtpError where there is none."""
        named = self._by_op.get(op, {})
        if name not in named:
            known = ", ".join(named) or "none"
            raise fail(op, f"has no kernel '{name}'", f"known are {known}")
        return named[name]

    def select(self, op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Kernel:
        """The cheapest kernel that takes these tensors, the first declared among equals.

        Raises HtpError that says, of each kernel there is, why it does not fit.
        """
        fitting = self._fitting(op, signature_of(outputs, operands))
        if fitting:
            return min(fitting, key=lambda kernel: kernel.price(outputs, operands))
        kernels = self.kernels(op)
        if not kernels:
            raise fail(op, "no kernel exists for this op", "load the package that has one")
        reasons = [(kernel, kernel.misfit(outputs, operands)) for kernel in kernels]
        raise HtpError(
            *(Fault(op, f"kernel {kernel.name} does not fit: {why}") for kernel, why in reasons)
        )

    def _fitting(self, op: str, signature: Signature) -> tuple[Kernel, ...]:
        """The kernels whose classes fit; remembered, since graphs repeat their signatures."""
        key = (op, signature)
        if key not in self._remembered:
            kernels = self.kernels(op)
            fitting = (kernel for kernel in kernels if kernel.first_misfit(signature) is None)
            self._remembered[key] = tuple(fitting)
        return self._remembered[key]


def describe(operand: Operand) -> str:
    """The class of an operand as messages name it."""
    if isinstance(operand, ShapeParam):
        return ShapeParam.__name__
    class_ = tensor_class(operand)
    if class_ is not Tensor:
        return class_.__name__
    return f"a {operand.dtype.name} tensor, {operand.layout.value} in {operand.memory.value}"


def _expected(slot: Slot) -> str:
    return "a flat tensor in ddr" if slot.takes is Tensor else slot.takes.__name__


def _instances(
    op: str,
    name: str,
    function: Callable[..., BoundCall | None],
    cost: Cost | CostFunction,
    flags: Flag,
) -> Iterator[Kernel]:
    """The kernels that one declaration stands for: one, or one per choice of its TypeVars."""
    hints = get_type_hints(function)
    binding = hints.pop("return") is not type(None)
    parameters = list(signature(function).parameters.values())
    variables = list(dict.fromkeys(hint for hint in hints.values() if isinstance(hint, TypeVar)))
    for choice in product(*(variable.__constraints__ for variable in variables)):
        chosen = dict(zip(variables, choice, strict=True))
        slots = [Slot(p.name, chosen.get(hints[p.name], hints[p.name])) for p in parameters]
        outputs = tuple(takewhile(lambda slot: slot.name.startswith("out"), slots))
        yield Kernel(
            op=op,
            name=".".join([name, *(class_.__name__ for class_ in choice)]),
            function=function,
            outputs=outputs,
            inputs=tuple(slots[len(outputs) :]),
            variadic=parameters[-1].kind is Parameter.VAR_POSITIONAL,
            binding=binding,
            cost=cost,
            flags=flags,
        )
