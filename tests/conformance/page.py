"""The counts of a run as text, and the page that keeps them with every failure and its reason."""

import platform
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib.metadata import version

from .reasons import Kind
from .run_case import Result

_HEADING = """# Conformance

What `make conformance` printed on {date}: the node tests of onnx's backend test suite, and its
suites `simple`, `pytorch-converted` and `pytorch-operator`, at the tolerances of the suite; and the
nine image models that onnx ships (`light`), with weights drawn anew and judged by ONNX Runtime
{onnxruntime}.
htp-mlir {project} ({commit}), onnx {onnx}, numpy {numpy}, xDSL {xdsl}, Python {python}.

A case passes at the graph level with its model as it is, or with constants: then inputs that say
shapes, axes, pads and the like, or all inputs but the first of each node, are fixed to the case's
own data, as `--const` does. One passes with padded rows where the rows of its result are as many
as the data say: ours come first and are compared, and those behind them must all be -1. Of a case
that is evaluated on import nothing is left to run; onnx's own evaluator made its numbers, so it
is not counted as passing. Every case with right numbers is lowered to the allocated level, and run
there with every access checked. A case with wrong numbers is a bug, whatever the reason; one is not
holdable if it is refused at that level and has tensors of an element type that HTP lacks; the share
is of the others.
"""


def counts(results: Sequence[Result]) -> str:
    """Return a table of counts by suite and level."""
    rows = [["suite", "cases", "passing", *_GRAPH]]
    rows += [_row(name, part) for name, part in _by_suite(results).items()]
    levels = [["suite", "lowered", *_LOWERED, "passes of 100 holdable"]]
    levels += [_lowered_row(name, part) for name, part in _by_suite(results).items()]
    return f"{_table(rows)}\n\nAt the allocated level:\n\n{_table(levels)}"


def page(results: Sequence[Result], date: str, commit: str) -> str:
    """Return the page: versions, counts, and a list of failures by level and reason."""
    heading = _HEADING.format(
        date=date,
        commit=commit,
        project=version("htp-mlir"),
        python=platform.python_version(),
        **{name: version(name) for name in ("onnx", "onnxruntime", "numpy", "xdsl")},
    )
    parts = [heading, counts(results), *_failures(results)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


_GRAPH = tuple(kind for kind in Kind if kind is not Kind.LACKED)
"""The ends that a case can have at the graph level."""

_LOWERED = (Kind.LACKED, Kind.PASSES, Kind.REFUSED, Kind.BUG)
"""The ends that a lowered case can have."""

_TITLES = {
    Kind.BUG: "Bugs",
    Kind.MISSING: "Missing ops",
    Kind.REFUSED: "Refused",
    Kind.DESIGN: "Not passed, by design",
    Kind.LACKED: "Of types that HTP lacks",
}


def _by_suite(results: Sequence[Result]) -> dict[str, list[Result]]:
    parts: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        parts[result.suite].append(result)
    return {**parts, "all": [*results]} if len(parts) > 1 else parts


def _row(name: str, results: Sequence[Result]) -> list[str]:
    by_kind = Counter(result.graph.kind for result in results)
    passing = sum(result.graph.kind.passes for result in results)
    return [name, f"{len(results)}", f"{passing}", *(f"{by_kind[kind]}" for kind in _GRAPH)]


def _lowered_row(name: str, results: Sequence[Result]) -> list[str]:
    by_kind = Counter(result.allocated.kind for result in results if result.allocated)
    holdable = by_kind.total() - by_kind[Kind.LACKED]
    share = f"{100 * by_kind[Kind.PASSES] / holdable:.1f}" if holdable else "-"
    return [name, f"{by_kind.total()}", *(f"{by_kind[kind]}" for kind in _LOWERED), share]


def _failures(results: Sequence[Result]) -> Iterator[str]:
    for kind, title in _TITLES.items():
        cases = [(r.graph.reason, r.name) for r in results if r.graph.kind is kind]
        yield from _listed(f"{title}, graph level", cases)
    for kind in (Kind.BUG, Kind.REFUSED, Kind.LACKED):
        lowered = [(r.allocated, r.name) for r in results if r.allocated is not None]
        cases = [(end.reason, name) for end, name in lowered if end.kind is kind]
        yield from _listed(f"{_TITLES[kind]}, allocated level", cases)


def _listed(title: str, cases: Sequence[tuple[str, str]]) -> Iterator[str]:
    names: dict[str, list[str]] = defaultdict(list)
    for reason, name in cases:
        names[reason.replace("|", "/")].append(name.removeprefix("test_"))
    if names:
        ordered = sorted(names.items(), key=lambda item: (-len(item[1]), item[0]))
        rows = [[f"{len(n)}", reason, " ".join(f"`{one}`" for one in n)] for reason, n in ordered]
        yield f"## {title}: {len(cases)}"
        yield _table([["cases", "reason", "tests"], *rows])


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest])
