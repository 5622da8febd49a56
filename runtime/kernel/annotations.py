"""A kernel's parameters from its function's annotations."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import Parameter, signature
from itertools import product, takewhile
from types import UnionType
from typing import TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from xdsl.ir import Attribute

from ...dialects.diagnostics import fail
from ..tensors.tensors import ShapeParam, Tensor
from .kernel import Annotation, KernelSlot

Takes: TypeAlias = Annotation | UnionType | TypeVar | tuple[Annotation, ...]
"""The classes of one parameter: one, any of several, or a TypeVar, which is one of several in each
instance of the kernel."""

Choice: TypeAlias = Mapping[object, Annotation]
"""The class of each TypeVar in one instance of a kernel."""

_REMEDY = "write Tensor, a concrete class, a union or a TypeVar of these, or ShapeParam"


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
            raise fail(where, f"parameter '{name}' has {text}", _REMEDY)
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
