"""Writes docs/reference/ from the docstrings and declarations of ops, passes, rules and modules.

Run it after a change to one of them: `python docs/generate_reference.py`. A test compares the pages
with what it would write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc, getmodule, isfunction
from itertools import groupby
from pathlib import Path
from types import ModuleType

import constraint_reference
import core_reference
import pipeline_reference
import python_reference
import support_reference
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops import const, state
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, ConstOp, CustomOp
from htp_mlir.dialects.qti_aisw.params import param_value
from htp_mlir.dialects.value.place import LayoutKind, Memory
from htp_mlir.lowering import rules
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.patterns.properties import PROPERTIES
from htp_mlir.lowering.rules.graph.types import Kind
from htp_mlir.lowering.rules.language.shape_functions import LIBRARY
from htp_mlir.lowering.rules.tree.expr import Literal
from htp_mlir.lowering.rules.tree.function import Call, Function
from htp_mlir.lowering.universe import PASSES
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
)
from xdsl.irdl import (
    IRDLOperation,
    OptOperandDef,
    OptPropertyDef,
    PropertyDef,
    VarOperandDef,
    VarResultDef,
)

FOLDER = Path(__file__).parent / "reference"
GENERATED = "<!-- Written by docs/generate_reference.py: change the docstrings, not this page. -->"
LINE = 100

_EXAMPLE = re.compile(r"Example:\s*`([^`]+)`")
_KINDS = {
    DenseArrayBase: "list of ints",
    IntegerAttr: "int",
    FloatAttr: "float",
    StringAttr: "text",
}
_RULE_MODULES = (
    "definition.rule",
    "engine.engine",
    "ask.explain",
    "language.forms",
    "graph.names",
    "language.operators",
    "language.arithmetic",
    "language.queries",
    "language.constvals",
    "language.derived",
    "language.external",
    "language.split",
    "language.tile_plan",
    "language.constants",
    "language.modifiers",
    "language.precision",
    "language.properties",
    "graph.param_order",
)
_MODULE_OPS = (const.ConstOp, const.ShapeOp, state.StateOp, state.StateReadOp, state.StateWriteOp)

GRAPH_INTRO = """\
The ops of a model as it is imported. Operands are tensors of any rank and static shape, data NHWC,
filters HWIO. Params are properties; one with a default may be left out. Negative axes count from
the end. An optional operand is written by name, `bias = %b`, where an earlier one is absent.

A constraint that speaks of an element type alone leaves the scale and the zero point of a quantised
tensor open. The last table of each op follows its example down the levels, lowered on its own for
SM8650: the native ops that it becomes, where their results are placed, and the kernels that run
them."""
NATIVE_INTRO = """\
The ops that the tensor processor runs. Every tensor has rank 4, with dims b, h, w, d. Params are
operands that `htp.Const` makes, or `htp.Shape` where a shape is wanted. From the placed level on, a
tensor's type has its place: `tensor<1x8x8x32xf32, #htp.place<flat, tcm>>`. *Layouts* and *memories*
are the demands of the op there; a tensor that is not named may be anywhere, and an op without
either wants all of its tensors flat in ddr.

All ops take tensors of rank 4 with an element type that HTP has; that is not repeated. The last
list of each op names its kernels: name, cost class, then dtypes and places of the first result.
`reference` takes any tensor and is chosen where no other kernel fits."""
PASSES_INTRO = """\
The project's passes, for `htp-opt model.mlir -p 'name{option=value},name'` and for any other tool
built on xDSL."""
RULES_INTRO = """\
A rule is `rule(priority, match, constraint, replacement)`. A bare string is a tag: the match binds
it to a node, `"*"` is the root. Numbers are int (32 bits, with a sign), size (64 bits, without) or
float, as in C++; a mix of int and size is a size. A rule that does not type-check is an error where
it is written. All names come from `htp_mlir.lowering.rules`.

A replacement is built against a *reference*: the shape, dtype and quantisation that the next op
gives. At the start it is the root's; modifiers change it for what they hold; inside a split it is
the slice."""
INDEX_INTRO = "Generated from the code's docstrings, whose examples run as tests."


@dataclass(frozen=True)
class Documented:
    """A docstring in its parts."""

    paragraphs: tuple[str, ...]
    constraints: tuple[str, ...]
    example: str


def documented(op: type[IRDLOperation]) -> Documented:
    """The parts of an op's docstring; ValueError where it shows no example."""
    text = cleandoc(op.__doc__ or "")
    match = _EXAMPLE.search(text)
    if match is None:
        raise ValueError(f"{op.name}: the docstring has no `Example: ...`")
    paragraphs = [part.strip() for part in _EXAMPLE.sub("", text).split("\n\n") if part.strip()]
    prose = [part for part in paragraphs if not part.startswith("Constraints:")]
    constraints = constraint_reference.constraints(op)
    return Documented(tuple(prose), constraints, _wrapped(" ".join(match[1].split())))


@cache
def pages() -> dict[str, str]:
    """Every page by its file name, without that of PyTorch where this is not installed."""
    names = [name for name in _PAGES if name != TORCH_PAGE or find_spec("torch")]
    rows = ((name, *_PAGES[name]) for name in names)
    return {name: _page(title, intro, make()) for name, title, intro, make in rows}


def main() -> None:
    """Write the pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def _page(title: str, intro: str, parts: Iterable[str]) -> str:
    return "\n\n".join((GENERATED, f"# {title}", intro, *parts)) + "\n"


def _graph_ops() -> Iterable[str]:
    return _families([("Const", ConstOp), *GRAPH_OPS.items(), ("Custom", CustomOp)])


def _native_ops() -> Iterable[str]:
    ops: list[type[IRDLOperation]] = [*_MODULE_OPS, *NATIVE_OPS.values()]
    return _families([(op.name.removeprefix("htp."), op) for op in ops])


def _index() -> Iterable[str]:
    titles = {name: title for name, (title, _, _) in _PAGES.items() if name != INDEX}
    yield "\n".join(f"- [{title}]({name})" for name, title in titles.items())


def _families(ops: Iterable[tuple[str, type[IRDLOperation]]]) -> Iterable[str]:
    for module, family in groupby(ops, lambda item: getmodule(item[1])):
        yield f"## {_headline(module.__doc__)}"
        for mnemonic, op in family:
            yield _op(mnemonic, op)


def _headline(docstring: str | None) -> str:
    """The first sentence of a module's docstring, without its full stop."""
    return re.split(r"[.:](?:\s|$)", docstring or "", maxsplit=1)[0]


def _op(mnemonic: str, op: type[IRDLOperation]) -> str:
    found = documented(op)
    native = issubclass(op, NativeOp)
    signature = _native_signature(op) if native else _signature(op)
    constraints = ("Constraints:", _bullets(found.constraints)) if found.constraints else ()
    return "\n\n".join(
        (
            f"### {mnemonic}",
            *found.paragraphs,
            _bullets(f"{what}: {items}" for what, items in signature.items() if items),
            *constraints,
            f"```mlir\n{found.example}\n```",
            *(_levels(found.example) if mnemonic in GRAPH_OPS and not native else ()),
            *(_kernels(op) if native else ()),
        )
    )


def _levels(example: str) -> Iterator[str]:
    """The example of a graph op at each level."""
    rows = support_reference.levels_of_example(example, installed().context())
    yield _table(("level", "the example there"), rows)


def _kernels(op: type[NativeOp]) -> Iterator[str]:
    yield "Kernels, with the tensors that they give:"
    yield _bullets(support_reference.kernels_of(op)) or "- none: it is folded or made a view"


def _bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _signature(op: type[IRDLOperation]) -> dict[str, str]:
    definition = op.get_irdl_definition()
    properties = [
        (name, held)
        for name, held in definition.properties.items()
        if name not in ("operandSegmentSizes", "resultSegmentSizes")
    ]
    properties.sort(key=lambda item: item[1].default_value is not None)
    return {
        "operands": ", ".join(f"`{name}`{_arity(held)}" for name, held in definition.operands),
        "params": "; ".join(_param(name, held) for name, held in properties),
        "results": ", ".join(f"`{name}`{_arity(held)}" for name, held in definition.results),
    }


def _native_signature(op: type[NativeOp]) -> dict[str, str]:
    core = CORE_OF.get(op.mnemonic())
    return {
        "operands": ", ".join(f"`{name}`" for name in op.OPERANDS),
        "params among them": ", ".join(
            f"`{name}` (shape)" if name in op.SHAPES else f"`{name}`" for name in op.PARAMS
        ),
        "results": "" if op.RESULTS == 1 else str(op.RESULTS),
        "core form": f"[{core}](#{core.lower()})" if core else "",
        "levels": support_reference.levels_of(op),
        **_demands(op),
    }


def _demands(op: type[NativeOp]) -> dict[str, str]:
    """The layouts and memories that an op wants its tensors in, once they are placed."""
    held = PROPERTIES.get(op.mnemonic())
    if held is None:
        return {}
    operands = dict(zip(held.inputs, op.OPERANDS, strict=False))
    names = {tag: f"`{operands.get(tag, tag)}`" for tag in held.inputs + held.outputs}
    names["*"] = "the result"
    placed = [tag for tag in names if operands.get(tag) not in op.SHAPES]
    return {
        "layouts": _grouped((names[tag], held.layout(tag)) for tag in placed),
        "memories": _grouped((names[tag], held.memory(tag)) for tag in placed),
    }


def _grouped(pairs: Iterable[tuple[str, LayoutKind | Memory | None]]) -> str:
    groups: dict[str, list[str]] = {}
    for name, value in pairs:
        if value is not None:
            groups.setdefault(value.value, []).append(name)
    parts = [f"{value} {', '.join(names)}" for value, names in groups.items()]
    return "; ".join(parts) or "any"


def _arity(definition: object) -> str:
    match definition:
        case OptOperandDef():
            return " (optional)"
        case VarOperandDef() | VarResultDef():
            return " (any number)"
        case _:
            return ""


def _param(name: str, definition: PropertyDef) -> str:
    if isinstance(definition.default_value, DictionaryAttr):
        return f"`{name}` (dictionary, empty by default)"
    if definition.default_value is not None:
        return f"`{name}` = {_value(param_value(definition.default_value))}"
    bases = definition.constr.get_bases() or set()
    kind = next((text for base, text in _KINDS.items() if base in bases), "attribute")
    optional = ", optional" if isinstance(definition, OptPropertyDef) else ""
    return f"`{name}` ({kind}{optional})"


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(map(str, value))
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def _wrapped(statement: str) -> str:
    """An example with its types on lines of their own where it is long."""
    if len(statement) <= LINE:
        return statement
    start = statement.rfind(" : ", 0, statement.index(" -> "))
    head, types = statement[:start], statement[start + 3 :]
    if len(types) + 4 <= LINE:
        return f"{head}\n  : {types}"
    operands, _, results = types.partition(" -> ")
    return f"{head}\n  : {operands}\n  -> {results}"


def _passes() -> Iterable[str]:
    yield pipeline_reference.pipeline()
    for name, load in sorted(PASSES.all_passes.items()):
        made = load()
        options = "\n".join(_option(field) for field in fields(made))
        yield "\n\n".join(filter(None, (f"## {name}", cleandoc(made.__doc__ or ""), options)))


def _option(field: Field[object]) -> str:
    default = (
        "" if field.default is MISSING or field.default == "" else f" = {_value(field.default)}"
    )
    return f"- `{field.name.replace('_', '-')}` ({field.type}){default}"


def _rules() -> Iterable[str]:
    modules = [import_module(f"{rules.__name__}.{name}") for name in _RULE_MODULES]
    public = vars(rules)
    last = {
        name: module
        for module in modules
        for name, value in vars(module).items()
        if public.get(name) is value
    }
    for module in modules:
        rows = [_rule_row(module, name) for name in vars(module) if last.get(name) is module]
        table = _table(("name", "gives", "meaning", "example"), filter(None, rows))
        yield f"## {_headline(module.__doc__)}\n\n{table}"
    library = ((name, _sentence(held.function.__doc__)) for name, held in LIBRARY.items())
    for title, columns, rows in (
        ("Shape functions", ("name", "gives"), library),
        ("Priorities", ("name", "number"), rules.PRIORITIES.items()),
        ("Graph options", ("name", "default"), rules.GraphOptions().values().items()),
    ):
        yield f"## {title}\n\n{_table(columns, ((f'`{name}`', _value(v)) for name, v in rows))}"


def _rule_row(module: ModuleType, name: str) -> tuple[str, ...] | None:
    """The line of a function or constant of a module; None for what it only imports."""
    held = getattr(module, name)
    if isinstance(held, Literal | Call):
        return (f"`{name}`", held.kind.value, f"`{held}`", "")
    if isinstance(held, Function):
        text, kind = held.doc, held.result
    elif isfunction(held) and held.__module__ == module.__name__:
        text, kind = cleandoc(held.__doc__ or ""), None
    else:
        return None
    match = _EXAMPLE.search(text)
    if match is None:
        raise ValueError(f"{name}: the docstring has no `Example: ...`")
    gives = kind.value if isinstance(kind, Kind) else ""
    return (f"`{name}`", gives, _sentence(text), f"`{' '.join(match[1].split())}`")


def _core() -> Iterable[str]:
    entries = core_reference.entries({op: documented(op).example for op in GRAPH_OPS.values()})
    graph, native = core_reference.graph_rows(entries), core_reference.core_rows(entries)
    yield f"## Graph ops\n\n{_table(('graph op', 'role', 'becomes', 'above rank 4'), graph)}"
    yield f"## The ops of the core\n\n{_table(('native op', 'why', 'graph ops'), native)}"


def _python() -> Iterable[str]:
    return _sections(python_reference.MODULES)


def _torch() -> Iterator[str]:
    return _sections(python_reference.TORCH_MODULES)


def _sections(modules: Iterable[str]) -> Iterator[str]:
    ops = [*_MODULE_OPS, *NATIVE_OPS.values()]
    return python_reference.sections(modules, "\n".join(_rules()), ops)


def _sentence(docstring: str | None) -> str:
    """The first paragraph on one line, without its example."""
    text = _EXAMPLE.sub("", cleandoc(docstring or ""))
    return " ".join(text.split("\n\n")[0].split())


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(columns)
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


INDEX = "README.md"
TORCH_PAGE = "pytorch.md"
"""The page that stays as it is where PyTorch is not installed."""
_PAGES: dict[str, tuple[str, str, Callable[[], Iterable[str]]]] = {
    INDEX: ("Reference", INDEX_INTRO, _index),
    "qti_aisw.md": ("Graph ops: `qti_aisw`", GRAPH_INTRO, _graph_ops),
    "htp.md": ("Native ops: `htp`", NATIVE_INTRO, _native_ops),
    "core.md": ("The core", core_reference.INTRO, _core),
    "passes.md": ("Passes", PASSES_INTRO, _passes),
    "rules.md": ("Rewrite rules", RULES_INTRO, _rules),
    "python.md": ("Python", python_reference.INTRO, _python),
    TORCH_PAGE: ("PyTorch", python_reference.TORCH_INTRO, _torch),
}


if __name__ == "__main__":
    main()
