"""Declaring kernels, whose parameters are read from the annotations of their functions.

A kernel is a function of tensors: outputs first (parameters whose names start with `out`), then
the op's operands in their order. Its annotations are the signature that selection goes by:

* a concrete tensor class fits just that class; the generic `Tensor` fits any operand, and as an
  output it fits a tensor that is flat in main memory;
* a TypeVar over tensor classes gives one kernel per class, as a C++ template does, and a union of
  classes one kernel that takes any of them;
* `ShapeParam` fits an operand of type !htp.shape; a last `*parts: X` takes any number of operands;
* keyword-only parameters, after a `*`, are scratch: each of a concrete class, without a part in
  the choice. They have the shape (1, 1, 1, 1) unless `scratch=` names a function that sizes them:
  from the specs of the results and the operands to shapes by name;
* one of them whose annotation is an attribute class of xDSL takes the op's attribute of its name.

A kernel that returns None is direct: it is called at each run. One that returns a callable is
binding: it is called once, makes its views, scratch and hoisted constants, and what it returns is
called at each run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter, signature
from itertools import product, takewhile
from types import UnionType
from typing import TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from xdsl.ir import Attribute

from ...dialects.diagnostics import fail
from ...dialects.registrar import Registrar
from ..tensors.tensors import ShapeParam, Tensor
from .kernel import (
    Annotation,
    BoundCall,
    Cost,
    CostFunction,
    Flag,
    Kernel,
    KernelSlot,
    ScratchHook,
    describe,
    scratch_of,
)

Takes: TypeAlias = Annotation | UnionType | TypeVar | tuple[Annotation, ...]
"""The classes of one parameter: one, any of several, or a TypeVar, which is one of several in each
instance of the kernel."""

Choice: TypeAlias = Mapping[object, Annotation]
"""The class of each TypeVar in one instance of a kernel."""

_ANNOTATE = "write Tensor, a concrete class, a union or a TypeVar of these, or ShapeParam"


@dataclass(frozen=True)
class Parameters:
    """A kernel's parameters by name; a variadic kernel repeats the last input.

    `attributes` are those that take an attribute of the op.
    """

    outputs: Mapping[str, Takes]
    inputs: Mapping[str, Takes]
    scratch: Mapping[str, object] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    variadic: bool = False
    binding: bool = True

    def choices(self) -> Iterator[Choice]:
        """List all choices of a class for each TypeVar; a single empty one without any."""
        hints = (*self.outputs.values(), *self.inputs.values(), *self.scratch.values())
        variables = list(dict.fromkeys(hint for hint in hints if isinstance(hint, TypeVar)))
        for classes in product(*(variable.__constraints__ for variable in variables)):
            yield dict(zip(variables, classes, strict=True))


def parameters(where: str, function: Callable[..., object]) -> Parameters:
    """Read a kernel function's signature; HtpError where it is not a kernel's."""
    with _resolving(where):
        hints = get_type_hints(function)
    if "return" not in hints:
        raise fail(where, "does not say what it returns", "write -> None, or -> BoundCall")
    binding = hints.pop("return") is not type(None)
    declared = list(signature(function).parameters.values())
    positional = [p.name for p in declared if p.kind is not Parameter.KEYWORD_ONLY]
    _check(where, positional, hints)
    outputs = list(takewhile(lambda name: name.startswith("out"), positional))
    named = {p.name: hints.get(p.name) for p in declared if p.name not in positional}
    attributes = tuple(name for name, hint in named.items() if _is_attribute(hint))
    return Parameters(
        outputs={name: hints[name] for name in outputs},
        inputs={name: hints[name] for name in positional[len(outputs) :]},
        scratch={name: hint for name, hint in named.items() if name not in attributes},
        attributes=attributes,
        variadic=any(p.kind is Parameter.VAR_POSITIONAL for p in declared),
        binding=binding,
    )


def slots(parameters: Mapping[str, Takes], chosen: Choice) -> tuple[KernelSlot, ...]:
    """Make the slots of an instance, in which TypeVars are these classes."""

    def classes(takes: Takes) -> tuple[Annotation, ...]:
        if isinstance(takes, TypeVar):
            return (chosen[takes],)
        if isinstance(takes, UnionType):
            return get_args(takes)
        return takes if isinstance(takes, tuple) else (takes,)

    return tuple(KernelSlot.of(name, classes(takes)) for name, takes in parameters.items())


def _check(where: str, names: Sequence[str], hints: Mapping[str, object]) -> None:
    """HtpError unless each parameter, and there are some, is annotated with what it takes."""
    if not names:
        raise fail(where, "takes nothing", "give it the op's results, then the op's operands")
    if not names[0].startswith("out"):
        problem = f"its first parameter is '{names[0]}', no result"
        raise fail(where, problem, "begin with the op's results: out, or out_h and so on")
    for name in names:
        hint = hints.get(name)
        if not all(map(_is_annotation, _alternatives(hint) or [hint])):
            spelt = hint.__name__ if isinstance(hint, type) else str(hint)
            text = "no annotation" if hint is None else f"the annotation {spelt}"
            raise fail(where, f"parameter '{name}' has {text}", _ANNOTATE)
    for variable in (hint for hint in hints.values() if isinstance(hint, TypeVar)):
        if not variable.__constraints__:
            remedy = f'write {variable.__name__} = TypeVar("{variable.__name__}", one, another)'
            raise fail(where, f"TypeVar {variable.__name__} names no tensor classes", remedy)


@contextmanager
def _resolving(where: str) -> Iterator[None]:
    """HtpError where a function's annotations name what is not there."""
    try:
        yield
    except NameError as error:
        remedy = "import it at the top of the kernel's module, or define it there"
        raise fail(where, f"its annotations do not resolve: {error}", remedy) from error


def _alternatives(hint: object) -> Sequence[object]:
    """List the classes of a union or a TypeVar; of anything else nothing."""
    if isinstance(hint, TypeVar):
        return hint.__constraints__
    return get_args(hint) if isinstance(hint, UnionType) else ()


def _is_annotation(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Tensor | ShapeParam)


def _is_attribute(hint: object) -> bool:
    kind = get_origin(hint) or hint
    return isinstance(kind, type) and issubclass(kind, Attribute)


Function = TypeVar("Function", bound=Callable[..., BoundCall | None])

_REMEDY = "give the op tensors that a specialised kernel takes, or write one for these classes"


class KernelSet(Registrar[Kernel]):
    """The kernels of one module for ops of one package, in the order of their declarations.

    The decorator is `kernel = KernelSet().kernel`; one function may carry it several times.
    Kernels that a table makes are declared with `add`, without annotations.
    """

    def __init__(self, package: str = "htp") -> None:
        self._package = package
        super().__init__()

    def kernel(
        self,
        op: str,
        *,
        cost: Cost | CostFunction = Cost.GLACIAL,
        flags: Flag = Flag.RESOURCE_HVX,
        name: str | None = None,
        scratch: ScratchHook | None = None,
    ) -> Callable[[Function], Function]:
        """Declare a function as a kernel of an op, by its annotations.

        `name` replaces the function's own. `scratch` sizes its keyword-only parameters, such as in
        `scratch=lambda outputs, operands: {"rows": outputs[0].shape}`. HtpError where an annotation
        is not a class of tensors, or where the kernel sizes scratch and has none.
        """

        def declare(function: Function) -> Function:
            label = name or function.__name__
            where = f"{self._package}.{op}, kernel {label}"
            declared = parameters(where, function)
            if scratch is not None and not declared.scratch:
                remedy = "write it as keyword-only parameters"
                raise fail(where, "sizes scratch and has none", remedy)
            self._declare(op, label, function, declared, cost, flags, scratch)
            return function

        return declare

    def add(
        self,
        op: str,
        function: Callable[..., BoundCall | None],
        outputs: Mapping[str, Takes],
        inputs: Mapping[str, Takes],
        *,
        name: str,
        variadic: bool = False,
        cost: Cost | CostFunction = Cost.GLACIAL,
        flags: Flag = Flag.RESOURCE_HVX,
    ) -> None:
        """Declare a binding function as a kernel of an op, by the classes of its parameters.

        It is called with the outputs, then the inputs; `variadic` repeats the last input.
        """
        declared = Parameters(outputs, inputs, variadic=variadic)
        self._declare(op, name, function, declared, cost, flags, None)

    def refuse(self, op: str, reason: str, outputs: int = 1) -> None:
        """Declare the generic kernel that always fails, to catch what should be specialised.

        It takes whatever no cheaper kernel does; its failure, when it is bound, says that it is
        deliberate, gives the reason and names the classes that it met. Constants are not folded
        through it.
        """
        self.add(
            op,
            partial(_refuse, f"{self._package}.{op}", reason, outputs),
            {f"out{index or ''}": Tensor for index in range(outputs)},
            {"operands": (Tensor, ShapeParam)},
            name="refuse",
            variadic=True,
            flags=Flag.RESOURCE_HVX | Flag.INHIBIT_CONST_PROP,
        )

    def _declare(
        self,
        op: str,
        name: str,
        function: Callable[..., BoundCall | None],
        declared: Parameters,
        cost: Cost | CostFunction,
        flags: Flag,
        hook: ScratchHook | None,
    ) -> None:
        """Add the kernels of one declaration: one, or one per choice of its TypeVars."""
        where = f"{self._package}.{op}, kernel {name}"
        if not isinstance(cost, Cost) and not callable(cost):
            raise fail(where, f"its cost is {cost!r}", "give Cost.FAST or the like, or a function")
        for chosen in declared.choices():
            kernel = Kernel(
                op=f"{self._package}.{op}",
                name=".".join([name, *(class_.__name__ for class_ in chosen.values())]),
                function=function,
                outputs=slots(declared.outputs, chosen),
                inputs=slots(declared.inputs, chosen),
                variadic=declared.variadic,
                binding=declared.binding,
                cost=cost,
                flags=flags,
                scratch=tuple(
                    scratch_of(where, parameter, chosen.get(takes) or takes)
                    for parameter, takes in declared.scratch.items()
                ),
                hook=hook,
                attributes=declared.attributes,
            )
            self._rows.append(kernel)


def _refuse(op: str, reason: str, outputs: int, *tensors: Tensor | ShapeParam) -> BoundCall:
    """The kernel that fails on purpose, bound to its op, reason and number of results."""
    classes = [describe(t if isinstance(t, ShapeParam) else t.spec) for t in tensors]
    results, operands = (", ".join(p) or "nothing" for p in (classes[:outputs], classes[outputs:]))
    met = f"it met {operands} for a result of {results}"
    raise fail(op, f"its generic kernel refuses on purpose: {reason}; {met}", _REMEDY)
