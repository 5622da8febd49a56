"""The declarations of C++ source text as a value; kernels have signatures and no bodies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from xml.etree.ElementTree import Element

from ....dialects.diagnostics import Fault
from ....runtime.kernel.kernel import Cost, Flag
from ...rules import Expr, OpForm, ParamOrder, Rule, RuleSet, TensorProperties
from ...rules.tree.expr import walk
from ..cpp.kit import is_kit_header
from .declared import OpDeclaration


class Role(Enum):
    """The role of a kernel's parameter: outputs come first, scratch after the inputs.

    A special one is not a tensor, such as the graph or the slice that the kernel works on.
    """

    OUTPUT = "output"
    INPUT = "input"
    SCRATCH = "scratch"
    SPECIAL = "special"


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel: its name, the tensor class it takes, its role.

    A special one takes its type as C++ text: `const op_slice_spec &`.
    """

    name: str
    takes: str
    role: Role


@dataclass(frozen=True)
class KernelSignature:
    """A registered kernel: `function` is the C++ name, `arguments` those of its template.

    `parameters` is empty where the source does not hold the function. `cost` is a name or the C++
    function that computes it; `hook` the constructor hook that sizes the scratch outputs, `where`
    the place of the registration, `reached` the names in its text and in the functions of it.
    """

    op: str
    function: str
    arguments: tuple[str, ...] = ()
    parameters: tuple[KernelParameter, ...] = ()
    cost: Cost | str = Cost.GLACIAL
    flags: Flag = Flag.RESOURCE_HVX
    hook: str = ""
    where: str = field(default="", compare=False)
    reached: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def instance(self) -> str:
        """The function as C++ names it: `f` or `f<A, B>`."""
        return f"{self.function}<{', '.join(self.arguments)}>" if self.arguments else self.function

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """The op, the function and its tensor classes, by which a build registers it, too."""
        roles = (Role.OUTPUT, Role.INPUT, Role.SCRATCH)
        return self.op, self.function, tuple(c for role in roles for c in self.classes(role))

    def classes(self, role: Role) -> tuple[str, ...]:
        """Return the tensor classes of the parameters of one role."""
        return tuple(p.takes for p in self.parameters if p.role is role)


@dataclass(frozen=True)
class CppPackage:
    """Everything that an op package's source text says, and what of it was passed over.

    `listed` are strings of its interface file, which names all ops of the package, `called` the
    functions by file that rules call and the text has, `definitions` collections in XML.
    """

    name: str
    kernels: tuple[KernelSignature, ...] = ()
    properties: tuple[TensorProperties, ...] = ()
    param_orders: tuple[ParamOrder, ...] = ()
    rules: RuleSet = field(default_factory=RuleSet)
    axis_params: tuple[str, ...] = ()
    declarations: tuple[OpDeclaration, ...] = ()
    listed: tuple[str, ...] = field(default=(), compare=False, repr=False)
    passed_over: tuple[Fault, ...] = field(default=(), compare=False, repr=False)
    called: Mapping[Path, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    definitions: tuple[Element, ...] = field(default=(), compare=False, repr=False)

    @property
    def ops(self) -> tuple[str, ...]:
        """The package's own ops in the order in which they are first named."""
        return tuple(
            dict.fromkeys(
                [
                    *(kernel.op for kernel in self.kernels),
                    *(row.op for row in self.properties),
                    *(order.op for order in self.param_orders),
                    *(op for rule in self.rules for op in self._ops_of(rule)),
                    *(each.op for each in self.declarations),
                ]
            )
        )

    @property
    def undeclared(self) -> frozenset[str]:
        """The ops that nothing but rules name: no kernel, no param order, comment or interface."""
        named = {*(row.op for row in self.kernels), *(row.op for row in self.param_orders)}
        return frozenset(self.ops) - named - {row.op for row in self.declarations} - {*self.listed}

    @property
    def leftovers(self) -> tuple[str, ...]:
        """The declarations that lead nowhere: kernels of unknown functions, orders of no kernel."""
        run = {kernel.op for kernel in self.kernels}
        return (
            *(
                f"{k.where}: {k.function} is declared nowhere, so its tensors are not known"
                for k in self.kernels
                if k.where and not k.parameters
            ),
            *(
                f"the param order of {order.op} belongs to no kernel"
                for order in self.param_orders
                if order.op not in run
            ),
        )

    def own_op(self, rule: Rule, form: Expr) -> str:
        """Return the op of the package that a part of a rule names; empty for another part."""
        if not isinstance(form, OpForm):
            return ""
        owner, _, op = form.name.rpartition("::")
        is_own = (owner or rule.package) == self.name and not op.startswith(("$", "*"))
        return op if is_own else ""

    def _ops_of(self, rule: Rule) -> Iterator[str]:
        forms = (self.own_op(rule, f) for f in (*walk(rule.match), *walk(rule.replacement)))
        return filter(None, forms)


@dataclass(frozen=True)
class Summary:
    """A summary of a load: counts by kind, what was passed over and why, includes not found.

    `notes` are about what was read and may be meant otherwise.
    """

    counts: tuple[tuple[str, int], ...]
    skipped: tuple[Fault, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[Fault, ...] = ()

    def lines(self) -> list[str]:
        """Return a table of the counts, then one line per thing passed over and per note."""
        width = max(len(kind) for kind, _ in self.counts)
        rows = [f"{kind:<{width}}  {count:>5}" for kind, count in self.counts]
        rows += [f"passed over: {fault.line()}" for fault in self.skipped]
        rows += [f"note: {fault.line()}" for fault in self.notes]
        kit = [name for name in self.missing if name not in self.needed]
        rows += [f"not found: {', '.join(self.needed)}"] if self.needed else []
        return rows + ([f"not found, and not needed: {', '.join(kit)}"] if kit else [])

    @property
    def needed(self) -> tuple[str, ...]:
        """The includes not found that are the package's own: the kit's words are known."""
        return tuple(name for name in self.missing if not is_kit_header(name))

    def complaints(self, most: int | None = None) -> list[str]:
        """List what was passed over and what is missing of the package, at most `most` each."""
        rows = [f"passed over: {fault.line()}" for fault in self.skipped[:most]]
        more = len(self.skipped) - len(rows)
        if more:
            rows.append(f"passed over: {more} more; htp package show lists them")
        rows += [fault.line() for fault in self.notes[:most]]
        return rows + ([f"not found: {', '.join(self.needed[:most])}"] if self.needed else [])

    def __str__(self) -> str:
        return "\n".join(self.lines())
