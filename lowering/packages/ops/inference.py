"""The declaration of an op that nobody declares, from what the text of its package tells.

Kernels tell the number of operands, and so do the rules that match the op; without kernels there
may be more. Names are those of tensor properties, then of kernels. The last operands are the params
of the param order, in which defaults show the kind; others are params where a rule builds the op
with constants or reads their elements, or a kernel takes a shape.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ....dialects.htp.constraints import ANY, Constraint, ParamConstraint, ShapeConstraint, Usual
from ....dialects.htp.fields import MANY
from ...rules import Param, Rule
from ...rules.language.modifiers import MAX_OUTPUTS
from ...rules.tree.expr import Expr, Literal, OpForm, Tag, forms_in
from ...rules.tree.function import Call, calls_in
from ..def_package.declared import DeclaredOperand, OpDeclaration
from ..def_package.package import SHAPE_CLASS, CppPackage, KernelParameter, Role

_INTEGER = ("gen_ConstScalar_i32", "gen_ConstArr_i32", "gen_ConstArr_vals_i32")
_REAL = ("gen_ConstScalar_f32", "gen_ConstArr_f32")
_READ = ("CONSTVAL_INT", "CONSTVAL_FLOAT")
_SHAPE = ("gen_Shape", "gen_ShapeOf")


def inferred(package: CppPackage, op: str, results: int) -> OpDeclaration:
    """Return the declaration that the text implies for an op with this number of results."""
    seen = _Evidence(package, op)
    least, most, names = seen.least, seen.most, seen.names
    operands = {name: DeclaredOperand(seen.constraint(at)) for at, name in enumerate(names)}
    for name in seen.optional(most - least):
        operands[name] = DeclaredOperand(operands[name].constraint, optional=True)
    if seen.is_open:
        operands[f"operands{MANY}"] = DeclaredOperand(ANY, optional=True, many=True)
    return OpDeclaration(op, operands, count=results)


def results_stated(package: CppPackage) -> Mapping[str, int]:
    """Return the number of results of each op: by tensor properties, kernels and OpMultiOut."""
    stated = [(row.op, len(row.outputs)) for row in package.properties]
    stated += [(kernel.op, len(kernel.classes(Role.OUTPUT))) for kernel in package.kernels]
    for rule in package.rules:
        for call in calls_in(rule.replacement, "WITH_MULTI_OUT"):
            outputs, form = call.args
            if isinstance(outputs, Literal) and (op := package.own_op(rule, form)):
                stated.append((op, min(int(str(outputs.value)), MAX_OUTPUTS)))
    counts = dict.fromkeys(package.ops, 1)
    for op, count in stated:
        counts[op] = max(counts[op], count)
    return counts


@dataclass(frozen=True)
class _Evidence:
    """The evidence about one op: kernels, tensor properties, the param order and rules."""

    package: CppPackage
    op: str

    @cached_property
    def kernels(self) -> Sequence[Sequence[KernelParameter]]:
        """The inputs of each kernel whose function the text has, the most first."""
        own = [kernel for kernel in self.package.kernels if kernel.op == self.op]
        rows = [[p for p in k.parameters if p.role is Role.INPUT] for k in own if k.parameters]
        return sorted(rows, key=len, reverse=True)

    @property
    def is_open(self) -> bool:
        """No kernel, or one whose function the text does not have, says how many there may be."""
        own = [kernel for kernel in self.package.kernels if kernel.op == self.op]
        return not all(kernel.parameters for kernel in own) or not own

    @cached_property
    def tags(self) -> Sequence[str]:
        """The names of the first operands in the tensor properties."""
        rows = (row.inputs for row in self.package.properties if row.op == self.op)
        return next(rows, ())

    @cached_property
    def params(self) -> Sequence[Param]:
        """The params of the param order."""
        orders = (order.params for order in self.package.param_orders if order.op == self.op)
        return next(orders, ())

    @cached_property
    def matched(self) -> Sequence[OpForm]:
        """The op where rules match it with all of its inputs."""
        return [f for r in self.package.rules for f in self._forms(r, r.match)]

    @cached_property
    def built(self) -> Sequence[OpForm]:
        """The op where rules build it."""
        return [f for r in self.package.rules for f in self._forms(r, r.replacement)]

    def _forms(self, rule: Rule, expr: Expr) -> Iterator[OpForm]:
        for form in forms_in(expr):
            if not form.at_least and self.package.own_op(rule, form) == self.op:
                yield form

    @cached_property
    def counts(self) -> Sequence[int]:
        """The numbers of operands that kernels and rules tell."""
        forms = (*self.matched, *self.built) if self.is_open else self.matched
        return [*map(len, self.kernels), *(len(form.inputs) for form in forms)]

    @property
    def most(self) -> int:
        """The greatest number of operands that the text shows."""
        return max([*self.counts, len(self.tags)])

    @property
    def least(self) -> int:
        """The least number of operands: params without a default may be absent."""
        absent = sum(not param.mandatory and param.default is None for param in self.params)
        return max(0, min([*self.counts, self.most - absent]))

    @cached_property
    def names(self) -> Sequence[str]:
        """A name for each operand: of a tensor property, a kernel or the param order."""
        longest = [p.name for p in self.kernels[0]] if self.kernels else []
        first = self.most - len(self.params)
        order = [""] * max(first, 0) + [param.name for param in self.params]
        names: list[str] = []
        for at in range(self.most):
            tags = (row[at] for row in (self.tags, longest, order) if at < len(row) and row[at])
            fresh = (name for name in tags if name not in names)
            names.append(next(fresh, f"operand{at}"))
        return names

    def optional(self, count: int) -> Sequence[str]:
        """Return as many operands that may be left out.

        First those of absent params, then those that only the longest kernel has, then the last.
        """
        of_params = dict(zip(reversed(self.names), reversed(self.params), strict=False))
        absent = [n for n, p in of_params.items() if not p.mandatory and p.default is None]
        longest, shortest = (self.kernels[at] if self.kernels else () for at in (0, -1))
        kept = {p.name for p in shortest}
        extra = [n for n, p in zip(self.names, longest, strict=False) if p.name not in kept]
        tensors = [n for n in reversed(self.names) if n not in of_params]
        candidates = dict.fromkeys([*absent, *extra, *tensors, *reversed(self.names)])
        return list(candidates)[:count]

    def constraint(self, at: int) -> Constraint:
        """Return what an operand is: a shape, a param near a usual value, or any tensor."""
        longest = self.kernels[0] if self.kernels else ()
        if at < len(longest) and longest[at].takes == SHAPE_CLASS:
            return ShapeConstraint()
        param = at - (self.most - len(self.params))
        if self.most >= len(self.params) and param >= 0:
            return ParamConstraint(usual=self._usual(at, self.params[param].default))
        if read := self._read_as_constant(at):
            return ParamConstraint(usual=1.0 if read.endswith("FLOAT") else 1)
        whole = [form for form in self.built if len(form.inputs) == self.most]
        calls = [form.inputs[at] for form in whole]
        names = {part.function.name for part in calls if isinstance(part, Call)}
        if names & {*_SHAPE}:
            return ShapeConstraint()
        return ParamConstraint(usual=self._usual(at, None)) if names & {*_INTEGER, *_REAL} else ANY

    def _read_as_constant(self, at: int) -> str:
        """Return the function by which a rule that matches the op reads an operand's elements."""
        for rule in self.package.rules:
            parts = (rule.constraint, rule.replacement)
            readers = [call for part in parts for call in calls_in(part, *_READ)]
            whole = [f for f in self._forms(rule, rule.match) if len(f.inputs) == self.most]
            tags = [form.inputs[at] for form in whole if isinstance(form.inputs[at], Tag)]
            for call in readers:
                if call.args[0] in tags:
                    return call.function.name
        return ""

    def _usual(self, at: int, default: Usual | None) -> Usual:
        """Return the default of a param, else what a rule builds the op with, else 1."""
        if default is not None:
            return default
        for form in self.built:
            part = form.inputs[at] if at < len(form.inputs) else None
            if isinstance(part, Call) and part.function.name in (*_INTEGER, *_REAL):
                first = part.args[0] if part.args else None
                number = first.value if isinstance(first, Literal) else 1
                if isinstance(number, int | float):
                    return float(number) if part.function.name in _REAL else int(number)
        return 1
