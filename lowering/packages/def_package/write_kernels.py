"""Kernels as C++ text: functions declared so that their instances have the classes they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ....dialects.diagnostics import fail
from ....runtime.kernel.kernel import Cost, Flag
from ..cpp.layout import CallText, lay_out
from .classes import KNOWN_CLASSES
from .express import quoted
from .package import KernelSignature, Role

_DEFAULT_FLAGS = Flag.RESOURCE_HVX


def kernel_lines(kernels: Sequence[KernelSignature]) -> Iterator[list[str]]:
    """Blocks of text: classes, functions with their registrations, hooks."""
    yield _classes(kernels)
    costs = dict.fromkeys(kernel.cost for kernel in kernels if isinstance(kernel.cost, str))
    yield [_declared(cost, "float {}(const Op *op);") for cost in costs]
    yield from ([_declaration(group)] for group in _by_function(kernels))
    yield [_registration(kernel) for kernel in kernels]
    hooked = {kernel.instance: kernel.hook for kernel in kernels if kernel.hook}
    yield [_declared(hook, "class {};") for hook in dict.fromkeys(hooked.values())]
    yield [f"CTOR_OPHOOK(({instance}), {hook})" for instance, hook in hooked.items()]


def _classes(kernels: Sequence[KernelSignature]) -> list[str]:
    """Declarations of tensor classes that are the package's own."""
    used = [
        name
        for kernel in kernels
        for name in (*kernel.arguments, *(p.takes for p in kernel.parameters))
    ]
    own = dict.fromkeys(name for name in used if name.isidentifier() and name not in KNOWN_CLASSES)
    return [f"class {name};" for name in own if name not in ("true", "false")]


def _by_function(kernels: Sequence[KernelSignature]) -> list[list[KernelSignature]]:
    """Kernels of one function together, each instance once."""
    groups: dict[str, dict[str, KernelSignature]] = {}
    for kernel in kernels:
        same = groups.setdefault(kernel.function, {}).setdefault(kernel.instance, kernel)
        if same.parameters != kernel.parameters:
            raise fail(f"kernel {kernel.instance}", "is two functions of one name", "rename one")
    return [list(group.values()) for group in groups.values()]


def _declaration(group: Sequence[KernelSignature]) -> str:
    first = group[0]
    if any(len(k.parameters) != len(first.parameters) for k in group):
        raise fail(f"kernel {first.function}", "its instances differ in number", "rename some")
    counts = [len(kernel.arguments) for kernel in group]
    defaults = {at: _default(group, at) for at in range(min(counts), max(counts))}
    whole = [_completed(kernel, defaults) for kernel in group]
    parameters = [_parameter(whole, at) for at in range(len(first.parameters))] or ["..."]
    variables = [
        f"{'typename' if _is_type(argument) else 'int'} T{at}"
        + (f" = {defaults[at]}" if at in defaults else "")
        for at, argument in enumerate(whole[0].arguments)
    ]
    head = f"template <{', '.join(variables)}> " if variables else ""
    owner, _, name = first.function.rpartition("::")
    text = head + lay_out(CallText(f"GraphStatus {name}", parameters)) + ";"
    return _inside(owner, text)


def _declared(name: str, text: str) -> str:
    """Return the declaration of a name, in the namespace that it has."""
    owner, _, bare = name.rpartition("::")
    return _inside(owner, text.format(bare))


def _inside(namespace: str, text: str) -> str:
    return f"namespace {namespace} {{ {text} }}" if namespace else text


def _default(group: Sequence[KernelSignature], variable: int) -> str:
    """Find the class of a parameter in instances without the argument it follows in others."""
    with_argument = [kernel for kernel in group if len(kernel.arguments) > variable]
    without = [kernel for kernel in group if len(kernel.arguments) <= variable]
    for at in range(len(group[0].parameters)):
        follows = all(k.arguments[variable] == k.parameters[at].takes for k in with_argument)
        takes = {k.parameters[at].takes for k in without}
        if follows and len(takes) == 1:
            return takes.pop()
    return "void" if _is_type(with_argument[0].arguments[variable]) else "0"


def _completed(kernel: KernelSignature, defaults: Mapping[int, str]) -> KernelSignature:
    """Return the signature with every template argument."""
    missing = [defaults[at] for at in defaults if at >= len(kernel.arguments)]
    return replace(kernel, arguments=(*kernel.arguments, *missing))


def _is_type(argument: str) -> bool:
    return argument not in ("true", "false") and (argument[:1].isalpha() or argument[:1] == "_")


def _parameter(group: Sequence[KernelSignature], at: int) -> str:
    """Write a parameter: one class for all instances, or the template argument it follows."""
    parameters = [kernel.parameters[at] for kernel in group]
    first, takes = parameters[0], {parameter.takes for parameter in parameters}
    if any((p.name, p.role) != (first.name, first.role) for p in parameters):
        raise fail(f"kernel {group[0].function}", f"parameter {at} differs by instance", "rename")
    if first.role is Role.SPECIAL:
        return f"{first.takes}{first.name}"
    constant = "const " if first.role is Role.INPUT else ""
    return f"{constant}{_class(group, at, takes)} &{first.name}"


def _class(group: Sequence[KernelSignature], at: int, takes: set[str]) -> str:
    for variable in range(len(group[0].arguments)):
        if all(k.arguments[variable] == k.parameters[at].takes for k in group):
            return f"T{variable}"
    if len(takes) == 1:
        return takes.pop()
    raise fail(
        f"kernel {group[0].function}", f"parameter {at} follows no template argument", "rename"
    )


def _registration(kernel: KernelSignature) -> str:
    function = f"({kernel.instance})" if "," in kernel.instance else kernel.instance
    named = [function, quoted(kernel.op)]
    if kernel.cost is Cost.GLACIAL and kernel.flags == _DEFAULT_FLAGS:
        return lay_out(CallText("DEF_PACKAGE_OP", named))
    flags = [f"Flags::{flag.name}" for flag in kernel.flags]
    computed = isinstance(kernel.cost, str)
    cost = kernel.cost if isinstance(kernel.cost, str) else kernel.cost.name
    word = (
        "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS" if computed else "DEF_PACKAGE_OP_AND_COST_AND_FLAGS"
    )
    return lay_out(CallText(word, [*named, cost, *flags]))
