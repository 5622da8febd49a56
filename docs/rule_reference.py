"""The page of the rule language: its functions, constants, priorities and options."""

from collections.abc import Iterable
from importlib import import_module
from inspect import cleandoc, isfunction
from types import ModuleType

from htp_mlir.lowering import rules
from htp_mlir.lowering.rules.graph.graph import ExprKind
from htp_mlir.lowering.rules.language.shape_functions import LIBRARY
from htp_mlir.lowering.rules.tree.expr import Literal
from htp_mlir.lowering.rules.tree.function import Call, Function
from reference_text import EXAMPLE, headline, sentence, table, value_text

_RULE_MODULES = (
    "definition.rule",
    "engine.engine",
    "ask.explain",
    "language.forms",
    "graph.graph",
    "language.operators",
    "language.queries",
    "language.external",
    "language.split",
    "language.tile_plan",
    "language.constants",
    "language.modifiers",
    "language.properties",
    "graph.param_order",
)


def rule_sections() -> Iterable[str]:
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
        listed = table(("name", "gives", "meaning", "example"), filter(None, rows))
        yield f"## {headline(module.__doc__)}\n\n{listed}"
    library = ((name, sentence(external.function.__doc__)) for name, external in LIBRARY.items())
    for title, columns, rows in (
        ("Shape functions", ("name", "gives"), library),
        ("Priorities", ("name", "number"), rules.PRIORITIES.items()),
        ("Graph options", ("name", "default"), rules.GraphOptions().values().items()),
    ):
        yield f"## {title}\n\n{table(columns, ((f'`{name}`', value_text(v)) for name, v in rows))}"


def _rule_row(module: ModuleType, name: str) -> tuple[str, ...] | None:
    """The line of a function or constant of a module; None for what it only imports."""
    member = getattr(module, name)
    if isinstance(member, Literal | Call):
        return (f"`{name}`", member.kind.value, f"`{member}`", "")
    if isinstance(member, Function):
        text, kind = member.doc, member.result
    elif isfunction(member) and member.__module__ == module.__name__:
        text, kind = cleandoc(member.__doc__ or ""), None
    else:
        return None
    match = EXAMPLE.search(text)
    if match is None:
        raise ValueError(f"{name}: the docstring has no `Example: ...`")
    gives = kind.value if isinstance(kind, ExprKind) else ""
    return (f"`{name}`", gives, sentence(text), f"`{' '.join(match[1].split())}`")
