"""Kernels: how they are declared, and which one an op gets.

A kernel is a function of tensors: outputs first (parameters whose names start with `out`), then
the op's operands in their order. Its annotations are the signature that selection goes by:

* a concrete tensor class fits just that class; the generic `Tensor` fits any operand, and as an
  output it fits a tensor that is flat in main memory;
* a TypeVar over tensor classes gives one kernel per class, as a C++ template does, and a union of
  classes one kernel that takes any of them;
* `ShapeParam` fits an operand of type !htp.shape; a last `*parts: X` takes any number of operands;
* keyword-only parameters, after a `*`, are scratch: each of a concrete class, without a part in
  the choice. They have the shape (1, 1, 1, 1) unless `scratch=` names a function that sizes them:
  from the specs of the results and the operands to shapes by name.

A kernel that returns None is direct: it is called at each run. One that returns a callable is
binding: it is called once, makes its views, scratch and hoisted constants, and what it returns is
called at each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from inspect import Parameter, signature
from itertools import product, takewhile
from types import UnionType
from typing import TypeVar, get_args, get_type_hints

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.value.spec import TensorSpec
from ..tensors.tensor_classes import tensor_class
from ..tensors.tensors import ShapeParam, Tensor
from .kernel import (
    Annotation,
    BoundCall,
    Call,
    Cost,
    CostFunction,
    Flag,
    Kernel,
    Operand,
    Signature,
    Slot,
    describe,
    signature_of,
)
from .scratch import ScratchHook, scratch_of

__all__ = [
    "BoundCall",
    "Call",
    "Cost",
    "CostFunction",
    "Flag",
    "Kernel",
    "KernelRegistry",
    "KernelSet",
    "Operand",
    "describe",
]

Function = TypeVar("Function", bound=Callable[..., BoundCall | None])


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
        scratch: ScratchHook | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as a kernel of an op; `name` is for functions made from a table.

        `scratch` sizes its keyword-only parameters, such as in
        `scratch=lambda outputs, operands: {"rows": outputs[0].shape}`.
        """

        def declare(function: Function) -> Function:
            label = name or function.__name__
            where = f"{self._package}.{op}"
            self._kernels += _instances(where, label, function, cost, flags, scratch)
            return function

        return declare

    def refuse(self, op: str, reason: str, outputs: int = 1) -> None:
        """Declare the generic kernel that always fails, to catch what should be specialised.

        It takes whatever no cheaper kernel does; its failure, when it is bound, says that it is
        deliberate, gives the reason and names the classes that it met. Constants are not folded
        through it.
        """
        name = f"{self._package}.{op}"
        refuse = partial(_refuse, name, reason, outputs)
        slots = tuple(Slot(f"out{index or ''}", Tensor) for index in range(outputs))
        flags = Flag.RESOURCE_HVX | Flag.INHIBIT_CONST_PROP
        self._kernels.append(
            Kernel(
                op=name,
                name="refuse",
                function=refuse,
                outputs=slots,
                inputs=(Slot("operands", Tensor, (ShapeParam,)),),
                variadic=True,
                binding=True,
                cost=Cost.GLACIAL,
                flags=flags,
            )
        )

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self._kernels)


def _refuse(op: str, reason: str, outputs: int, *tensors: Tensor | ShapeParam) -> BoundCall:
    """The kernel that fails on purpose, bound to its op, reason and number of results."""
    found = [describe(t if isinstance(t, ShapeParam) else t.spec) for t in tensors]
    made, given = (", ".join(part) or "nothing" for part in (found[:outputs], found[outputs:]))
    met = f"it met {given} for a result of {made}"
    raise fail(op, f"its generic kernel refuses on purpose: {reason}; {met}", _REMEDY)


_ANNOTATE = "write Tensor, a concrete class, a union or a TypeVar of these, or ShapeParam"
_REMEDY = "give the op tensors that a specialised kernel takes, or write one for these classes"


class KernelRegistry:
    """All kernels of some sets, by op (`htp.Add`): the project's own and those of user packages."""

    def __init__(self, sets: Iterable[Iterable[Kernel]]) -> None:
        self._sets = tuple(sets)
        self._remembered: dict[tuple[str, Signature], tuple[Kernel, ...]] = {}
        self._by_op: dict[str, dict[str, Kernel]] = {}
        self._with_scratch: set[str] = set()
        for kernel in (kernel for kernels in self._sets for kernel in kernels):
            named = self._by_op.setdefault(kernel.op, {})
            if kernel.name in named:
                raise ValueError(f"op {kernel.op} has two kernels named {kernel.name}")
            named[kernel.name] = kernel
            if kernel.scratch:
                self._with_scratch.add(kernel.op)

    def extended(self, sets: Iterable[Iterable[Kernel]]) -> KernelRegistry:
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

    def has_scratch(self, op: str) -> bool:
        """Whether any kernel of an op has scratch."""
        return op in self._with_scratch

    def select(self, op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Kernel:
        """The cheapest kernel that takes these tensors, the first declared among equals.

        Raises HtpError that says, of each kernel there is, why it does not fit, and shows one that
        would.
        """
        fitting = self._fitting(op, signature_of(outputs, operands))
        if fitting:
            return min(fitting, key=lambda kernel: kernel.price(outputs, operands))
        kernels = self.kernels(op)
        if not kernels:
            raise fail(op, "no kernel exists for this op", kernel_sketch(op, outputs, operands))
        # Said once: several faults are one line each.
        remedies = [kernel_sketch(op, outputs, operands, typed=True), *[""] * len(kernels)]
        raise HtpError(
            *(
                Fault(op, f"kernel {k.name} does not fit: {k.misfit(outputs, operands)}", remedy)
                for k, remedy in zip(kernels, remedies, strict=False)
            )
        )

    def price(
        self, op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand]
    ) -> float | None:
        """The cost of the cheapest kernel that takes these tensors; None where none does."""
        fitting = self._fitting(op, signature_of(outputs, operands))
        return min((kernel.price(outputs, operands) for kernel in fitting), default=None)

    def _fitting(self, op: str, signature: Signature) -> tuple[Kernel, ...]:
        """The kernels whose classes fit; remembered, since graphs repeat their signatures."""
        key = (op, signature)
        if key not in self._remembered:
            kernels = self.kernels(op)
            fitting = (kernel for kernel in kernels if kernel.first_misfit(signature) is None)
            self._remembered[key] = tuple(fitting)
        return self._remembered[key]


def kernel_sketch(
    op: str, outputs: Sequence[TensorSpec], operands: Sequence[Operand], *, typed: bool = False
) -> str:
    """What to do without a kernel: the three lines of one that would take these tensors.

    It takes any tensors, or with `typed` just those of their classes.
    """

    def takes(held: Operand) -> str:
        if isinstance(held, ShapeParam):
            return "ShapeParam"
        return tensor_class(held).__name__ if typed else "Tensor"

    package, _, name = op.partition(".")
    slots = [f"out{index or ''}: {takes(spec)}" for index, spec in enumerate(outputs)]
    slots += [f"in{index}: {takes(operand)}" for index, operand in enumerate(operands)]
    lines = (
        "write one for these classes"
        if typed
        else "load the package that has one, or write a kernel",
        f'  KERNELS = KernelSet("{package}")',
        f'  @KERNELS.kernel("{name}")',
        f"  def reference({', '.join(slots)}) -> None: out.store(...)",
    )
    return "\n".join(lines)


def _slot(name: str, hint: Annotation | UnionType) -> Slot:
    if isinstance(hint, UnionType):
        first, *others = get_args(hint)
        return Slot(name, first, tuple(others))
    return Slot(name, hint)


def _instances(
    op: str,
    name: str,
    function: Callable[..., BoundCall | None],
    cost: Cost | CostFunction,
    flags: Flag,
    hook: ScratchHook | None,
) -> Iterator[Kernel]:
    """The kernels that one declaration stands for: one, or one per choice of its TypeVars."""
    where = f"{op}, kernel {name}"
    if not isinstance(cost, Cost) and not callable(cost):
        raise fail(where, f"its cost is {cost!r}", "give Cost.FAST or the like, or a function")
    with _resolving(where):
        hints = get_type_hints(function)
    if "return" not in hints:
        raise fail(where, "does not say what it returns", "write -> None, or -> BoundCall")
    binding = hints.pop("return") is not type(None)
    given = list(signature(function).parameters.values())
    parameters = [p for p in given if p.kind is not Parameter.KEYWORD_ONLY]
    _check_annotations(where, [p.name for p in parameters], hints)
    own = [p.name for p in given if p.kind is Parameter.KEYWORD_ONLY]
    if hook is not None and not own:
        raise fail(where, "sizes scratch and has none", "write it as keyword-only parameters")
    variables = list(dict.fromkeys(hint for hint in hints.values() if isinstance(hint, TypeVar)))
    _check_variables(where, variables)
    for choice in product(*(variable.__constraints__ for variable in variables)):
        chosen = dict(zip(variables, choice, strict=True))
        slots = [_slot(p.name, chosen.get(hints[p.name], hints[p.name])) for p in parameters]
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
            scratch=tuple(scratch_of(where, p, _chosen(hints.get(p), chosen)) for p in own),
            hook=hook,
        )


def _check_annotations(where: str, names: Sequence[str], hints: Mapping[str, object]) -> None:
    """HtpError unless each parameter, and there are some, is annotated with what it takes."""
    if not names:
        raise fail(where, "takes nothing", "give it the op's results, then the op's operands")
    if not names[0].startswith("out"):
        found = f"its first parameter is '{names[0]}', no result"
        raise fail(where, found, "begin with the op's results: out, or out_h and so on")
    for name in names:
        hint = hints.get(name)
        if not all(map(_is_annotation, _alternatives(hint) or [hint])):
            text = "no annotation" if hint is None else f"the annotation {_spelt(hint)}"
            raise fail(where, f"parameter '{name}' has {text}", _ANNOTATE)


@contextmanager
def _resolving(where: str) -> Iterator[None]:
    """HtpError where a function's annotations name what is not there."""
    try:
        yield
    except NameError as error:
        remedy = "import it at the top of the kernel's module, or define it there"
        raise fail(where, f"its annotations do not resolve: {error}", remedy) from error


def _check_variables(where: str, variables: Sequence[TypeVar]) -> None:
    """HtpError where a TypeVar stands for no classes, which would make no kernel at all."""
    for variable in variables:
        if not variable.__constraints__:
            remedy = f'write {variable.__name__} = TypeVar("{variable.__name__}", one, another)'
            raise fail(where, f"TypeVar {variable.__name__} names no tensor classes", remedy)


def _alternatives(hint: object) -> Sequence[object]:
    """What a union or a TypeVar stands for; nothing where it is neither."""
    if isinstance(hint, TypeVar):
        return hint.__constraints__
    return get_args(hint) if isinstance(hint, UnionType) else ()


def _is_annotation(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Tensor | ShapeParam)


def _spelt(hint: object) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _chosen(hint: object, chosen: Mapping[TypeVar, type[Tensor]]) -> object:
    """The class that an annotation stands for in one instance."""
    return chosen[hint] if isinstance(hint, TypeVar) else hint
