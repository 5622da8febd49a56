"""Lists of what can be used: passes, dialects, ops, plugins, and the passes in a pipeline."""

import inspect
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import groupby

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.utils.hints import type_repr

from ...dialects.diagnostics import HtpError, counted, did_you_mean, fail
from ...runtime.installed.environment import KERNELS, PACKAGES, RULES, universe
from ...runtime.installed.plugins import LEFT_OUT, plugins
from ...runtime.installed.universe import GROUP as UNIVERSES
from ...runtime.installed.universe import guest_ops
from ...runtime.passes.notation import pipeline_text
from ...runtime.tools.flags import packages_in_use
from ...runtime.tools.loading import GROUP as FRONTENDS
from ...runtime.tools.tool import write_text
from ..levels import Level, level_of
from ..packages.loading import installed, packages_of
from ..packages.packages import Packages, registered
from ..passes.checks.check_level import reached_level
from ..passes.lower import Lower
from ..soc import GROUP as SOCS
from ..soc import installed_socs

_OURS = "htp-mlir"
_WORDS: Mapping[str, str] = {
    PACKAGES: "op package",
    RULES: "rules",
    KERNELS: "kernels",
    SOCS: "SoCs",
    FRONTENDS: "frontend for",
}
"""The word for each group but universes, of which every name is listed."""


def show_ops(arguments: Namespace) -> None:
    """Print the kernels, properties, params and rules of ops."""
    packages = packages_of(packages_in_use(arguments).context())
    lines = [line for name in arguments.name for line in op_lines(packages, name)]
    _print(arguments, lines)


def op_lines(packages: Packages, name: str) -> Sequence[str]:
    """Return what the packages register for an op, or what another distribution's op declares."""
    dialect = name.partition(".")[0]
    if not (known := guest_ops(dialect)):
        return registered(packages, name).lines()
    if name not in known:
        remedy = did_you_mean(name, known, f"it has {', '.join(known)}")
        raise fail(f"op '{name}'", f"is not in the dialect {dialect}", remedy)
    about = inspect.cleandoc(known[name].__doc__ or "").partition("\n")[0]
    signature, *parts = signature_lines(known[name])
    origin = f"  dialect: {dialect}, of {universe().origins['dialect', dialect]}"
    return [signature, *([f"  {about}"] if about else []), *parts, origin]


def signature_lines(kind: type[IRDLOperation]) -> list[str]:
    """Return what the definition of an op says: its operands, params and results."""
    definition = kind.get_irdl_definition()
    parts = {
        "params": [*definition.properties, *definition.attributes],
        "results": [result for result, _ in definition.results],
    }
    operands = ", ".join(name.removesuffix("_") for name, _ in definition.operands)
    named = (f"  {title}: {', '.join(names)}" for title, names in parts.items() if names)
    return [f"{kind.name}({operands})", *named]


def show_passes(arguments: Namespace) -> None:
    """Print passes with their options; HtpError for one that is not known."""
    known = universe().all_passes
    for name in arguments.name:
        if name not in known:
            remedy = did_you_mean(name, known, "`htp show pass` lists them")
            raise fail(f"pass '{name}'", "is not known", remedy)
    _print(arguments, pass_lines({name: known[name] for name in arguments.name or known}))


def show_dialects(arguments: Namespace) -> None:
    """Print all dialects of the packages in use."""
    _print(arguments, dialect_lines(packages_in_use(arguments).context()))


def show_plugins(arguments: Namespace) -> None:
    """Print what other distributions bring."""
    _print(arguments, plugin_lines())


def _print(arguments: Namespace, lines: Iterable[str]) -> None:
    write_text(arguments.output_file or "-", "".join(f"{line}\n" for line in lines))


def ours() -> Iterator[tuple[str, Sequence[str], int]]:
    """Yield `passes` and `targets`, the names of ours, and how many there are of others."""
    counts = {"pass": len(universe().all_passes), "target": len(universe().all_targets)}
    for kind, title in {"pass": "passes", "target": "targets"}.items():
        own = [name for name, source in sorted(_sources(kind).items()) if source == _OURS]
        yield title, own, counts[kind] - len(own)


def pass_lines(available: Mapping[str, Callable[[], type[ModulePass]]]) -> Iterator[str]:
    """Yield a line for each pass, its options below, by the distribution that brings them."""

    def lines(name: str) -> Iterator[str]:
        """Yield the lines of one pass."""
        kind = available[name]()
        text = kind.__doc__ or ""
        # A dataclass without a docstring has its signature in place of one.
        is_own = not text.startswith(f"{kind.__name__}(")
        line = inspect.cleandoc(text).partition("\n")[0] if is_own else ""
        yield f"  {name}: {line}".rstrip(": ")
        yield from (f"    {text}" for text in option_lines(kind))

    return _by_source("pass", available, "elsewhere", lines)


def dialect_lines(ctx: Context) -> Iterator[str]:
    """Yield a line for each dialect, by the distribution that brings it."""

    def lines(name: str) -> Iterator[str]:
        """Yield the line of one dialect."""
        dialect = ctx.get_dialect(name)
        ops = counted(len(list(dialect.operations)), "op")
        yield f"  {name}: {ops}, {counted(len(list(dialect.attributes)), 'attribute')}"

    return _by_source("dialect", ctx.registered_dialect_names, "packages in use", lines)


def _by_source(
    kind: str, names: Iterable[str], otherwise: str, lines: Callable[[str], Iterator[str]]
) -> Iterator[str]:
    """Yield the lines of each name below its distribution, ours first; a broken one's problem."""
    sources = _sources(kind)
    ordered = sorted({(sources.get(name, ""), name) for name in names})
    ours_first = sorted(ordered, key=lambda each: (each[0] != _OURS, each))
    for source, group in groupby(ours_first, key=lambda each: each[0]):
        yield f"{source or otherwise}:"
        for _, name in group:
            try:
                yield from lines(name)
            except HtpError as error:
                yield f"  {name}: {error.faults[0].problem}"


def _sources(kind: str) -> dict[str, str]:
    """Return the distribution of each name, without its version."""
    origins = universe().origins
    return {name: origins[of, name].partition(" ")[0] for of, name in origins if of == kind}


def option_lines(kind: type[ModulePass]) -> Iterator[str]:
    """Yield a line for each option of a pass: its name, its type and its default."""
    for option in fields(kind):
        if option.init and option.name != "name":
            written = option.type
            if not isinstance(written, str):
                written = type_repr(written).replace("|", " | ")
            default = option.default
            is_plain = isinstance(default, str | int | float) and default != ""
            shown = str(default).lower() if isinstance(default, bool) else default
            yield f"{option.name.replace('_', '-')} ({written}){f' = {shown}' if is_plain else ''}"


def plugin_lines() -> Iterator[str]:
    """Yield the distributions with plugins, each followed by what it brings."""
    installed()
    installed_socs()
    rows = [*_universes(), *_others()]
    for origin in sorted({origin for origin, _ in rows}):
        yield origin
        yield from (f"  {line}" for owner, line in rows if owner == origin)
    if not rows:
        yield "no plugins"


def _universes() -> Iterator[tuple[str, str]]:
    """Yield each dialect, pass and target, and each universe that was left out."""
    own = {plugin.origin for plugin in plugins(UNIVERSES) if plugin.is_own}
    for (kind, name), origin in sorted(universe().origins.items()):
        if origin not in own:
            yield origin, f"{kind} {name}"
    for plugin in LEFT_OUT:
        if plugin.entry.group == UNIVERSES:
            yield plugin.origin, f"left out: universe {plugin.entry.name} ({plugin.entry.value})"


def _others() -> Iterator[tuple[str, str]]:
    for group, word in _WORDS.items():
        for plugin in plugins(group):
            left_out = "left out: " if plugin in LEFT_OUT else ""
            if not plugin.is_own:
                name = f"{word} {plugin.entry.name} ({plugin.entry.value})"
                yield plugin.origin, f"{left_out}{name}"


def written_out(passes: Sequence[ModulePass], module: ModuleOp | None) -> str:
    """Write a pipeline with the passes of htp-lower in its place, as text to edit and to run.

    Those are the passes for the level of the module, or of a graph where there is none.
    """
    level = Level.GRAPH if module is None else reached_level(module)
    return pipeline_text(list(_lowered(passes, level))) + "\n"


def _lowered(passes: Sequence[ModulePass], level: Level) -> Iterator[ModulePass]:
    for step in passes:
        if isinstance(step, Lower):
            yield from step.steps(level)
            level = level_of(step.level)
        else:
            yield step
