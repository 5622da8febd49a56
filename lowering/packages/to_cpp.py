"""Op packages as the values that the C++ writer takes: kernels by their signatures alone."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ...dialects.diagnostics import fail
from ...runtime.kernel.kernel import Annotation, Cost, Kernel, KernelSlot
from ...runtime.tensors.tensors import ShapeParam, Tensor
from ..rules.definition.rule import RuleSet
from ..rules.language.shape_functions import LIBRARY
from ..rules.tree.expr import External, walk
from .def_package.package import KNOWN_CLASSES, CppPackage, KernelParameter, KernelSignature, Role
from .package import OpPackage

_MOST = 4
"""Instances of a kernel that takes several classes; one with more is declared as taking any."""
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t
        char32_t char8_t class compl concept const const_cast consteval constexpr constinit continue
        co_await co_return co_yield decltype default delete do double dynamic_cast else enum
        explicit export extern false float for friend goto if inline int long mutable namespace new
        noexcept not not_eq nullptr operator or or_eq private protected public register
        reinterpret_cast requires return short signed sizeof static static_assert static_cast struct
        switch template this thread_local throw true try typedef typeid typename union unsigned
        using virtual void volatile wchar_t while xor xor_eq
        """,
    )
)


def to_cpp(package: OpPackage) -> CppPackage:
    """Return the package for `write_cpp`; one that was read from C++ is as it was read.

    Python functions of kernels, costs, hooks and rules become C++ names. A kernel that takes any
    number of tensors is declared without parameters; conversions, importers and rules on
    graph ops have no form in C++. HtpError for a kernel of another package's op.
    """
    if package.cpp is not None:
        return package.cpp
    rules = tuple(rule for rule in package.rules if not rule.in_graph)
    inside = {
        external.name: external
        for rule in rules
        for tree in (rule.constraint, rule.replacement)
        for external in walk(tree)
        if isinstance(external, External) and external.function is not None
    }
    externals = {**LIBRARY, **inside, **package.rules.externals}
    return CppPackage(
        package.name,
        tuple(_signatures(package)),
        package.properties,
        package.param_orders,
        RuleSet(rules, externals=externals),
        package.axis_params,
    )


@dataclass(frozen=True)
class _Instance:
    """A kernel with one choice of its classes; None where it takes any number of tensors."""

    kernel: Kernel
    parameters: tuple[KernelParameter, ...] | None

    @property
    def shape(self) -> tuple[object, ...]:
        """Equal for instances that one C++ function template can represent."""
        if self.parameters is None:
            return (True, len(self.chosen) or self.kernel.name)
        return (False, *((p.name, p.role) for p in self.parameters))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The classes that the kernel's TypeVars represent, which end its name."""
        return tuple(part for part in self.kernel.name.split(".")[1:] if part in KNOWN_CLASSES)

    @property
    def classes(self) -> tuple[str, ...]:
        """The tensor class of each parameter."""
        return tuple(parameter.takes for parameter in self.parameters or ())


def _instances(kernel: Kernel) -> Iterator[_Instance]:
    """One per choice of classes, where a kernel's slots take several."""
    slots = (*kernel.outputs, *kernel.inputs)
    options = [(slot.takes, *slot.also) for slot in slots]
    if kernel.variadic or prod(map(len, options)) > _MOST:
        yield _Instance(kernel, None)
        return
    for chosen in product(*options):
        yield _Instance(kernel, tuple(_parameters(kernel, slots, chosen)))


def _parameters(
    kernel: Kernel, slots: tuple[KernelSlot, ...], chosen: tuple[Annotation, ...]
) -> Iterator[KernelParameter]:
    for index, (slot, class_) in enumerate(zip(slots, chosen, strict=True)):
        role = Role.OUTPUT if index < len(kernel.outputs) else Role.INPUT
        # A shape arrives in C++ as a tensor like any other.
        name = Tensor.__name__ if class_ is ShapeParam else class_.__name__
        yield KernelParameter(identifier(slot.name), name, role)
    for scratch in kernel.scratch:
        yield KernelParameter(identifier(scratch.name), scratch.takes.__name__, Role.SCRATCH)


def _signatures(package: OpPackage) -> Iterator[KernelSignature]:
    """Yield the registrations in the order of the kernels; like instances share a function."""
    instances = [instance for kernel in package.kernels for instance in _instances(kernel)]
    groups: dict[tuple[object, ...], list[_Instance]] = {}
    for instance in instances:
        if instance.kernel.op.partition(".")[0] != package.name:
            problem = f"is for {instance.kernel.op}; C++ registers kernels of the package's own ops"
            where = f"package {package.name}, kernel {instance.kernel.name}"
            raise fail(where, problem, "leave it to Python")
        groups.setdefault((instance.kernel.op, _stem(instance.kernel), instance.shape), []).append(
            instance
        )
    taken: dict[str, int] = Counter()
    signatures: dict[int, KernelSignature] = {}
    for group in groups.values():
        function = _function(group[0].kernel, taken)
        varying = _varying([instance.classes for instance in group])
        signatures.update(
            {id(instance): _signature(instance, function, varying) for instance in group}
        )
    yield from (signatures[id(instance)] for instance in instances)


def _varying(rows: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the parameters that template arguments choose: one for all that always agree."""
    columns = list(zip(*rows, strict=True))
    return [
        index
        for index, column in enumerate(columns)
        if len(set(column)) > 1 and columns.index(column) == index
    ]


def _signature(instance: _Instance, function: str, varying: Sequence[int]) -> KernelSignature:
    kernel, classes = instance.kernel, instance.classes
    return KernelSignature(
        kernel.op.partition(".")[2],
        function,
        tuple(classes[index] for index in varying) if classes else instance.chosen,
        instance.parameters or (),
        kernel.cost if isinstance(kernel.cost, Cost) else _called(kernel.cost, f"{function}_cost"),
        kernel.flags,
        "" if kernel.hook is None else _called(kernel.hook, f"{function}_hook"),
    )


def _function(kernel: Kernel, taken: dict[str, int]) -> str:
    """Return the kernel's name; with the op's, then with a number where that is taken."""
    op = kernel.op.partition(".")[2]
    for name in (_stem(kernel), f"{op}_{_stem(kernel)}"):
        if (spelling := identifier(name)) not in taken:
            break
    taken[spelling] += 1
    return spelling if taken[spelling] == 1 else f"{spelling}_{taken[spelling]}"


def _stem(kernel: Kernel) -> str:
    return kernel.name.partition(".")[0]


def identifier(name: str) -> str:
    """Return the name of a function or parameter as C++ may spell it."""
    spelling = re.sub(r"\W", "_", name, flags=re.ASCII)
    spelling = spelling if spelling[:1].isalpha() else f"k{spelling}"
    return f"{spelling}_" if spelling in _KEYWORDS else spelling


def _called(function: Callable[..., object], otherwise: str) -> str:
    name = str(getattr(function, "__name__", otherwise))
    return name if name.isidentifier() and name not in _KEYWORDS else otherwise
