"""The graph template of a rule's match: its ops with their schemas, its tags as slots; facts of it.

Graph ops are taken for the native ops of their names, whose schemas say which graphs are valid.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import cycle, permutations
from random import Random

from xdsl.ir import Operation
from xdsl.irdl import OptOperandDef

from .....dialects.htp import NATIVE_OPS, NativeOp, StateReadOp
from .....dialects.qti_aisw.base import GraphOp
from .....dialects.qti_aisw.ops.elementwise import Binary
from .....dialects.value import DType
from .....runtime.kernel.kernel import Kernel
from .....runtime.kernel.library import KernelRegistry, dtype_of
from ...definition.rule import Rule
from ...graph.env import GraphOptions
from ...graph.graph import CONST, INPUT, OUTPUT, ROOT, SHAPE, params_of, resolve
from ...language.modifiers import ALSO_REPLACE
from ...tree.expr import Expr, Let, Literal, OpForm, Tag, walk
from ...tree.function import Call, Function, options_in
from ..schemas import schema_of
from ..schemas.common import ints
from .constraint_system import Contradiction
from .template import GraphTemplate, OpTemplate, Slot, Source

_LARGEST_BOUNDARY = 4096
"""Boundary values above this are not drawn."""
_CONSTANTS = (
    *("CONSTVAL_INT", "CONSTVAL_FLOAT", "CONSTVAL_INT_VALID", "CONSTVAL_FLOAT_VALID"),
    "CONSTVAL_IS",
)


@dataclass(frozen=True)
class RuleFacts:
    """A rule with its boundary values, options and the nodes whose elements it reads.

    Boundary values are the integers that the rule mentions and their neighbours. `external`: a
    Python function makes the replacement. `stated` are first elements of constants that the
    constraint demands, by their tags. `replaced` are the tags of inner ops with a replacement.
    """

    rule: Rule
    boundary_values: tuple[int, ...]
    read: tuple[Expr, ...]
    options: tuple[str, ...]
    external: bool
    stated: Mapping[str, int]
    replaced: tuple[str, ...] = ()


def facts_of(rule: Rule) -> RuleFacts:
    """Read the constraint and the replacement of a rule."""
    parts = (rule.constraint, rule.replacement)
    exprs = [expr for part in parts for expr in walk(part)]
    calls = [expr for expr in exprs if isinstance(expr, Call)]
    return RuleFacts(
        rule,
        _boundary_values(exprs),
        tuple(call.args[0] for call in calls if call.function.name in _CONSTANTS),
        tuple(sorted({name for part in parts for name in options_in(part)})),
        any(call.function.name == "EXTERNAL_REPLACE" for call in calls),
        dict(_stated(rule.constraint)),
        tuple(str(call.args[0]).strip('"') for call in calls if call.function is ALSO_REPLACE),
    )


def _stated(expr: Expr) -> Iterator[tuple[str, int]]:
    """Yield the tags and numbers of `EQ(CONSTVAL_INT(tag, 0), number)` in an AND."""
    match expr:
        case Call(Function(name="AND"), parts):
            for part in parts:
                yield from _stated(part)
        case Call(
            Function(name="EQ"),
            (
                Call(Function(name="CONSTVAL_INT"), (Tag(tag), Literal(0))),
                Literal(int(number)),
            ),
        ):
            yield tag, number


def _boundary_values(exprs: list[Expr]) -> tuple[int, ...]:
    values = {
        int(expr.value) + near
        for expr in exprs
        if isinstance(expr, Literal) and isinstance(expr.value, int) and expr.value > 1
        for near in (-1, 0, 1)
    }
    return tuple(sorted(value for value in values if value <= _LARGEST_BOUNDARY))


_OWN = frozenset(field.name for field in fields(GraphOptions))
_SMALL, _MODERATE = 1, 2048
"""Sizes of the TCM in bytes that every tensor, and most tensors, exceed."""
_VALUES, _DRAWN = (0, 1, 8, 256, 1 << 16), 64
"""Values of further options, and the number of profiles that they are drawn for."""


def profiles(facts: RuleFacts) -> tuple[GraphOptions, ...]:
    """Return options with the rule's flags on; frequent ones occur several times.

    For a rule that reads the size of the TCM most tensors exceed it, sometimes a part, sometimes
    none. Options beyond `GraphOptions` take boundary values of the rule.
    """
    rule = facts.rule
    base = GraphOptions(extra=dict.fromkeys(rule.flags, True))
    options = [base]
    if set(facts.options) & {"tcm_size", "tcm_size_for_tiling"}:
        tight = replace(base, tcm_size=_SMALL, tcm_size_for_tiling=_SMALL)
        options = [*[tight] * 6, replace(tight, tcm_size_for_tiling=_MODERATE), base]
    free = sorted(set(facts.options) - _OWN - set(rule.flags))
    if not free:
        return tuple(options)
    # Further options get drawn values, one set for each of a number of profiles.
    random, values = Random(0), (*_VALUES, *facts.boundary_values)
    drawn = ({name: random.choice(values) for name in free} for _ in range(_DRAWN))
    return tuple(
        replace(profile, extra={**profile.extra, **extra})
        for profile, extra in zip(cycle(options), drawn, strict=False)
    )


_KEPT = "keep_dims"
"""The param of graph ops whose native ops keep all dims, as most graphs made here do."""

_DIMS = "shape"
"""The param of a graph op that is the shape of its result."""


def twin(op_class: type[Operation]) -> type[Operation]:
    """Return the native op of a graph op's name; any other op itself.

    Contradiction for a graph op without one.
    """
    if not issubclass(op_class, GraphOp):
        return op_class
    name = op_class.name.rpartition(".")[2]
    if name not in NATIVE_OPS:
        raise Contradiction(f"no native op says which graphs of {op_class.name} are valid")
    return NATIVE_OPS[name]


def input_names(op_class: type[GraphOp], count: int) -> tuple[str, ...]:
    """Return the inputs of a graph op in their order, by the names that the native op gives them.

    A param that it does not have keeps its own name. Where fewer are asked for, the last operand is
    left out, if it may be absent.
    """
    native = twin(op_class)
    if not issubclass(native, NativeOp):
        raise TypeError(f"{native.name} is no native op")
    own, params = params_of(op_class), native.PARAMS
    same = params if len(params) == len(own) and not {*params} & {*own} else own
    operands = [name for name in native.OPERANDS if name not in native.PARAMS]
    _, last = op_class.get_irdl_definition().operands[-1]
    if count < len(operands) + len(same) and isinstance(last, OptOperandDef):
        operands.pop()
    return (*operands, *same)


def relate(template: GraphTemplate, op: OpTemplate) -> None:
    """State what holds between operands and results of an op of any level."""
    native = twin(op.op_class)
    schema_of(native)(template, replace(op, op_class=native))
    if _KEPT in op.names:
        kept = op.slot(_KEPT)
        ints(template, kept, *(kept.numbers.values() or (1,)))
    if issubclass(op.op_class, Binary):
        template.same_dtype(*op.operands)
    if _DIMS in op.names and _DIMS not in getattr(native, "OPERANDS", ()):
        ints(template, op.slot(_DIMS), *op.results[0].dims)


Classes = Mapping[str, type[Operation]]
_SAME_NODE, _SELDOM, _CLOSE, _SHARED = 4, 3, 40, 70
"""Chances in percent of reusing a value, of a neighbour, the same for rules with an external
replacement, and of sharing a param."""
_ALIKE = 60
"""Chance in percent that the graph ops of a match broadcast constants alone: of many ops, few
graphs that are drawn op by op have tensors that fit."""
_FURTHER = 3
"""Number of choices of the count of further inputs, from 0 on."""


class MatchTemplate:
    """A match as a graph template.

    `tags` are the slots of the tags, `*` included; `outputs` are the slots that leave the graph.
    """

    def __init__(
        self,
        facts: RuleFacts,
        classes: Classes,
        template: GraphTemplate,
        kernels: KernelRegistry | None = None,
    ) -> None:
        rule = facts.rule
        self._kernels = kernels
        self.template = template
        self.tags: dict[str, Slot] = {}
        self.outputs: list[Slot] = []
        self._rule = rule
        self._stated = facts.stated
        self._classes = classes
        self._params: dict[tuple[type[Operation], str], Slot] = {}
        self._neighbours, self._closeness = (2, _CLOSE) if facts.external else (1, _SELDOM)
        template.alike = rule.in_graph and template.choices.chance(_ALIKE)
        self.root = self._op_template(rule.match)
        self.tags[ROOT] = self.root.results[0]

    def consumer(self, name: str, slot: Slot) -> None:
        """Add an op of this name that reads a slot; `*Output` makes the slot an output."""
        if name == OUTPUT:
            self.outputs.append(slot)
            return
        op_class = self._class(resolve(name, self._rule.package))
        names = _operand_names(op_class, 1, at_least=True)
        operands = [slot, *(self._leaf(op_class, name) for name in names[1:])]
        self._place(op_class, names, operands)

    def _op_template(self, form: OpForm) -> OpTemplate:
        op_class = self._class(resolve(form.name, self._rule.package))
        count = len(form.inputs) + (self.template.choices.below(_FURTHER) if form.at_least else 0)
        names = _operand_names(op_class, count, form.at_least)
        inputs = form.inputs
        if form.any_order:
            inputs = self.template.choices.pick([*permutations(inputs)])
        operands = [
            self._operand(expr, op_class, name) for expr, name in zip(inputs, names, strict=False)
        ]
        further = [self._leaf(op_class, name) for name in names[len(operands) :]]
        return self._place(op_class, names, [*operands, *further])

    def _place(
        self, op_class: type[Operation], names: tuple[str, ...], operands: list[Slot]
    ) -> OpTemplate:
        native = twin(op_class)
        count = native.RESULTS if issubclass(native, NativeOp) else 1
        results = [self.template.blank(source=Source.OP) for _ in range(count)]
        op = OpTemplate(op_class, operands, results, names)
        self.template.ops.append(op)
        self._as_a_kernel_takes(op)
        relate(self.template, op)
        return op

    def _as_a_kernel_takes(self, op: OpTemplate) -> None:
        """Demand the dtypes of one of the kernels of an op of a package."""
        if self._kernels is None or op.op_class in NATIVE_OPS.values():
            return
        own = self._kernels.kernels(op.op_class.name)
        rows = dict.fromkeys(filter(None, (_dtypes(kernel, op) for kernel in own)))
        if not rows:
            return
        for slot, dtypes in zip(
            (*op.results, *op.operands), self.template.choices.pick([*rows]), strict=True
        ):
            if dtypes and not slot.is_shape:
                self.template.dtype_in(slot, *dtypes)

    def _operand(self, expr: Expr, op_class: type[Operation], name: str) -> Slot:
        match expr:
            case Tag(tag):
                if tag not in self.tags:
                    self.tags[tag] = self._leaf(op_class, name)
                    if tag in self._stated:
                        number = self._stated[tag]
                        self.template.holds(self.tags[tag], self.template.number(number, number))
                return self.tags[tag]
            case Let(tag, OpForm() as form):
                self.tags[tag] = self._result(form)
                return self.tags[tag]
            case OpForm():
                return self._result(expr)
        raise TypeError(f"{expr} is no part of a match")

    def _result(self, form: OpForm) -> Slot:
        name = resolve(form.name, self._rule.package)
        if name == CONST:
            return self.template.blank(source=Source.CONST)
        if name == SHAPE:
            return self.template.blank(is_shape=True)
        if name == INPUT:
            return self.template.blank(source=Source.INPUT)
        results = self._op_template(form).results
        return self.template.choices.pick(results) if form.any_output else results[0]

    def _leaf(self, op_class: type[Operation], name: str) -> Slot:
        """Return a new value for an operand; at times an existing one or a neighbour's result."""
        native = twin(op_class)
        if issubclass(native, NativeOp):
            if name in native.SHAPES and native is op_class:
                return self.template.blank(is_shape=True)
            if name in native.PARAMS or (native is not op_class and name not in native.OPERANDS):
                # A constant, which ops of one class may share.
                key = op_class, name
                if key not in self._params or not self.template.choices.chance(_SHARED):
                    self._params[key] = self.template.blank(source=Source.CONST)
                return self._params[key]
        if self._neighbours and self.template.choices.chance(self._closeness):
            self._neighbours -= 1
            # An op of the root's class beside it.
            match = self._rule.match
            root = self._class(resolve(match.name, self._rule.package))
            names = _operand_names(root, len(match.inputs), match.at_least)
            op = self._place(root, names, [self._leaf(root, each) for each in names])
            return op.results[0]
        others = [s for s in self.template.slots if s.source is None and not s.is_shape]
        if others and self.template.choices.chance(_SAME_NODE):
            return self.template.choices.pick(others)
        return self.template.blank()

    def _class(self, name: str) -> type[Operation]:
        op_class = self._classes.get(name)
        if op_class is None:
            raise Contradiction(f"no op {name} is known")
        return op_class


def _dtypes(kernel: Kernel, op: OpTemplate) -> tuple[tuple[DType, ...], ...] | None:
    """Return the dtypes that a kernel takes as each result and operand, none for any.

    None where it does not take their number.
    """
    slots = kernel.slots_for(len(op.operands))
    if slots is None or len(kernel.outputs) != len(op.results):
        return None
    options = ([dtype_of(c) for c in (s.takes, *s.also)] for s in (*kernel.outputs, *slots))
    return tuple(
        () if None in dtypes else tuple(dtype for dtype in dtypes if dtype) for dtypes in options
    )


def _operand_names(op_class: type[Operation], count: int, at_least: bool) -> tuple[str, ...]:
    """Return the names of `count` operands; Contradiction where the op takes another number."""
    if issubclass(op_class, StateReadOp):
        return ("init", "reset")
    if issubclass(op_class, GraphOp):
        names = input_names(op_class, count)
    elif issubclass(op_class, NativeOp) and op_class.OPERANDS:
        wanted = max(count, op_class.least_operands()) if at_least else count
        of_op = op_class.names_of(wanted)
        if of_op is None:
            raise Contradiction(f"{op_class.name} takes {op_class.takes()} inputs, not {wanted}")
        return of_op
    else:
        return tuple(f"operand {index}" for index in range(count))
    if not at_least and count != len(names):
        raise Contradiction(f"{op_class.name} takes {len(names)} inputs, not {count}")
    return names
