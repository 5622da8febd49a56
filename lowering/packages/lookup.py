"""What is registered for an op, for people who look for the reason of something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...runtime.choices import cost_text
from ...runtime.kernel import Cost, Kernel
from ..rules.expr import Expr, OpForm
from ..rules.names import DEFAULT_PACKAGE, resolve
from ..rules.param_order import ParamOrder
from ..rules.priorities import priority_name
from ..rules.properties import TensorProperties
from ..rules.rule import Rule
from .packages import Packages


@dataclass(frozen=True)
class Registered:
    """An op with all that the packages in use say of it.

    `matching` are the rules at whose root or inside whose match it stands, `building` those that
    make it.
    """

    op: type[NativeOp]
    kernels: tuple[Kernel, ...]
    properties: TensorProperties | None
    param_order: ParamOrder | None
    matching: tuple[Rule, ...]
    building: tuple[Rule, ...]

    def lines(self) -> list[str]:
        """All of it as text."""
        return [
            f"{self.op.name}({', '.join(self.op.OPERANDS)})",
            *_section("kernels", map(_kernel, self.kernels)),
            *_section("tensor properties", _properties(self.properties)),
            *_section("param order", _params(self.param_order)),
            *_section("rules that match it", map(_rule, self.matching)),
            *_section("rules that build it", map(_rule, self.building)),
        ]


def registered(packages: Packages, name: str) -> Registered:
    """What is registered for an op: `Pkg.Op`, or `Op` for one of the package htp.

    HtpError where no package has the op.
    """
    full = name if name in packages.ops else f"{DEFAULT_PACKAGE}.{name}"
    if full not in packages.ops:
        near = get_close_matches(name, packages.ops, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "name it as the IR does: Pkg.Op"
        raise fail(f"op '{name}'", "no package in use has it", hint)
    rules = packages.rules.rules
    return Registered(
        packages.ops[full],
        packages.kernels.kernels(full),
        packages.properties.get(full),
        packages.param_orders.get(full),
        tuple(rule for rule in rules if full in _op_names(rule.match, rule.package)),
        tuple(rule for rule in rules if full in _op_names(rule.replacement, rule.package)),
    )


def _op_names(expr: Expr, package: str) -> Iterator[str]:
    if isinstance(expr, OpForm):
        yield resolve(expr.name, package)
    for part in expr.parts():
        yield from _op_names(part, package)


def _section(title: str, rows: Iterable[str]) -> Iterator[str]:
    yield f"  {title}:"
    found = list(rows) or ["none"]
    yield from (f"    {row}" for row in found)


def _kernel(kernel: Kernel) -> str:
    cost = cost_text(kernel.cost.value) if isinstance(kernel.cost, Cost) else "by a function"
    slots = [f"{slot.name}: {slot.text()}" for slot in (*kernel.outputs, *kernel.inputs)]
    tensors = ", ".join([*slots[:-1], f"*{slots[-1]}" if kernel.variadic else slots[-1]])
    flags = "".join(f", {flag.name}" for flag in kernel.flags)
    return f"{kernel.name}({tensors}), cost {cost}{flags}"


def _properties(held: TensorProperties | None) -> Iterator[str]:
    """Each tensor with what it must be; without a declaration all are at home."""
    if held is None:
        yield "none, so everything is flat in main memory"
        return
    for tag in (*held.outputs, *held.inputs):
        layout, memory = held.layout(tag), held.memory(tag)
        where = [layout.value] if layout else []
        where += [f"in {memory.value}"] if memory else []
        yield f"{tag}: {' '.join(where) or 'anywhere'}"


def _params(held: ParamOrder | None) -> Iterator[str]:
    for param in held.params if held else ():
        default = "" if param.default is None else f", default {param.default}"
        yield f"{param.name}{', mandatory' if param.mandatory else ''}{default}"


def _rule(rule: Rule) -> str:
    return f"{priority_name(rule.priority)}: {rule.label}"
