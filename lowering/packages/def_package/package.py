"""The declarations of C++ source text as a value; kernels have signatures and no bodies.

DEF_PACKAGE_OP and its kin and CTOR_OPHOOK say which function runs an op, on which tensor classes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from xml.etree.ElementTree import Element

from ....dialects.diagnostics import Fault, did_you_mean, listed
from ....dialects.value import LayoutKind
from ....runtime import Cost, Flag, Tensor
from ...rules import Expr, OpForm, ParamOrder, Rule, RuleSet, TensorProperties
from ...rules.language.queries import CLASS_LAYOUTS
from ...rules.tree.expr import walk
from ..cpp.calls import MacroCall
from ..cpp.code import Code
from ..cpp.kit import is_kit_header
from ..cpp.tokens import NotUnderstood, TokenKind, Tokens, bare, operands, text_of
from .declared import OpDeclaration
from .language import Parser


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


SHAPE_CLASS = "TensorShape<4>"
"""The class of a shape, which has dims and no data."""
DECLARED_CLASSES = (
    "Tensor",
    *(f"{name}{suffix}" for name in CLASS_LAYOUTS for suffix in ("", "_TCM")),
)
"""The tensor classes that the header declares."""
KNOWN_CLASSES = (*DECLARED_CLASSES, SHAPE_CLASS)
"""The tensor classes that a parameter may have."""
SPECIAL_CLASSES = ("Graph", "Op", "OpIoPtrs", "op_slice_spec")
"""The classes of a kernel's parameters that are not tensors: they take no part in its choice."""
_SPELLINGS = {
    f"TensorContiguous<Tdefs::{name.removesuffix('Tensor')}>": name
    for name, (layout, _) in CLASS_LAYOUTS.items()
    if layout is LayoutKind.FLAT
}
"""The older spelling of the flat classes."""


def known_class(type_: str) -> str | None:
    """Return the known class that a type is, behind its namespace or its older spelling.

    Example: `known_class("hnnx::TensorContiguous<Tdefs::Int32>") == "Int32Tensor"`
    """
    head, mark, arguments = type_.partition("<")
    short = head.rpartition("::")[2] + mark + arguments
    class_ = _SPELLINGS.get(short, short)
    return class_ if class_ in KNOWN_CLASSES else None


KERNEL_MACROS = {
    "DEF_PACKAGE_OP": 2,
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS": 3,
    "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS": 3,
}
"""The least number of operands of each macro that registers a kernel."""


def read_kernel(call: MacroCall, code: Code) -> KernelSignature:
    """Return the signature that one registration represents."""
    least = KERNEL_MACROS[call.name]
    if len(call.args) < least or (least == 2 and len(call.args) > 2):
        raise NotUnderstood(call.token, f"{call.name} with {len(call.args)} operands")
    op = Parser(call.args[1], code.values).whole()
    if not isinstance(op, str) or not op:
        raise NotUnderstood(call.token, "the op's name is no string")
    function, arguments = _instance(call, call.args[0], code)
    parameters = tuple(_parameters(function, arguments, code))
    _check_classes(call, parameters)
    reached = code.reached(function.rpartition("::")[2])
    signature = KernelSignature(
        op, function, arguments, parameters, where=call.token.where, reached=reached
    )
    if least == 2:
        return signature
    return replace(signature, cost=_cost(call, call.args[2]), flags=_flags(call.args[3:]))


def read_hook(call: MacroCall, code: Code) -> tuple[str, str]:
    """Return the function instance and the class of its constructor hook."""
    if len(call.args) != 2 or not call.args[1]:
        raise NotUnderstood(call.token, f"CTOR_OPHOOK with {len(call.args)} operands")
    function, arguments = _instance(call, call.args[0], code)
    return KernelSignature("", function, arguments).instance, text_of(call.args[1])


def _instance(call: MacroCall, tokens: Tokens, code: Code) -> tuple[str, tuple[str, ...]]:
    """`f`, `f<A>` or `(f<A, B>)` as the name and the template arguments."""
    named = bare(tokens)
    opening = next((i for i, token in enumerate(named) if token.text == "<"), len(named))
    name = named[:opening]
    plain = bool(name) and all(t.kind is TokenKind.WORD or t.text == "::" for t in name)
    if not plain or (opening < len(named) and named[-1].text != ">"):
        raise NotUnderstood(call.token, f"'{text_of(named)}' names no function")
    inner = named[opening + 1 : -1] if opening < len(named) else []
    return text_of(name), tuple(
        code.type_name(text_of(part), known_class) for part in operands(inner, angles=True)
    )


def _parameters(name: str, arguments: tuple[str, ...], code: Code) -> Iterator[KernelParameter]:
    function = code.functions.get(name.rpartition("::")[2])
    if function is None:
        return
    chosen = function.chosen(arguments)
    reads = False
    for parameter in function.parameters:
        takes = code.type_name(chosen.get(parameter.takes, parameter.takes), known_class)
        if takes in SPECIAL_CLASSES:
            yield KernelParameter(parameter.name, parameter.written(takes), Role.SPECIAL)
            continue
        reads = reads or parameter.const
        role = Role.INPUT if parameter.const else Role.SCRATCH if reads else Role.OUTPUT
        yield KernelParameter(parameter.name, takes, role)


def _check_classes(call: MacroCall, parameters: tuple[KernelParameter, ...]) -> None:
    for parameter in (p for p in parameters if p.role is not Role.SPECIAL):
        if parameter.takes not in KNOWN_CLASSES:
            problem = (
                f"parameter '{parameter.name}' is of the unknown tensor class {parameter.takes}"
            )
            hint = did_you_mean(parameter.takes, KNOWN_CLASSES, "no kernel was made")
            raise NotUnderstood(call.token, problem, hint)
        if parameter.role is Role.SCRATCH and parameter.takes == Tensor.__name__:
            problem = f"scratch '{parameter.name}' is of the generic class {parameter.takes}"
            raise NotUnderstood(call.token, problem, "scratch is of a concrete class")
        if parameter.role is not Role.INPUT and parameter.takes == SHAPE_CLASS:
            problem = f"'{parameter.name}' is a shape that the kernel may write"
            raise NotUnderstood(call.token, problem, "take it by const reference")


def _cost(call: MacroCall, tokens: Tokens) -> Cost | str:
    text = text_of(bare(tokens)).removeprefix("&")
    name = text.rpartition("::")[2]
    if call.name.endswith("COST_F_AND_FLAGS"):
        if not name.isidentifier():
            raise NotUnderstood(call.token, f"'{text}' names no cost function")
        return text
    if name not in Cost.__members__:
        known = listed(name, Cost.__members__)
        raise NotUnderstood(call.token, f"'{text}' is no cost", known)
    return Cost[name]


def _flags(parts: tuple[Tokens, ...]) -> Flag:
    flags = Flag.NONE
    for token in (token for part in parts for token in part):
        if token.kind is not TokenKind.WORD or token.text == "Flags":
            continue
        if token.text not in Flag.__members__:
            known = listed(token.text, Flag.__members__)
            raise NotUnderstood(token, f"'{token.text}' is no flag", known)
        flags |= Flag[token.text]
    return flags
