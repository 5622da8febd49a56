"""The output target `report`: a page of a lowering, with tables and the data for its script."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.target import Target

from ....dialects.faults.arguments import MODULE, TEXT, a, arguments
from ....runtime.program.placing import declared_tcm
from ....runtime.tools.choices import KernelChoice, kernel_choices
from ...levels import bodies, mnemonic, runs
from ...packages.loading import installed, packages_of
from ...packages.packages import Packages
from ..html import document, table
from ..plan import ModulePlan, height, plan_of
from ..text import total_rows
from .payload import Payload, packed, taken
from .recorder import PassRecord, Recorder, RuleRecord

TARGET = "report"


@dataclass(frozen=True)
class RunReport(Target):
    """A page: passes with what they changed, rules, kernels, memory, times, totals.

    It is one file that needs no network. `htp-opt` records the passes of the run.
    Example: `htp-opt model.onnx -p 'htp-lower{soc=SM8650}' -t report -o report.html`
    """

    name = TARGET

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(run_page("Lowering", Recorder(), module, packages_of(ctx)))


@arguments(title=TEXT, recorder=a("a recorder", Recorder), module=MODULE)
def run_page(
    title: str, recorder: Recorder, module: ModuleOp, packages: Packages | None = None
) -> str:
    """Return the page of a recorded run that ended with `module`, as text of an HTML file.

    `packages` are the op packages in use, without them the installed ones. Of a run that a fault or
    Ctrl-C ended, kernels and memory are not looked at.
    """
    if recorder.ending:
        return page(title, recorder, module, (), None)
    packages = packages or installed()
    recorder.looks_at(module)
    ops = [op for block in bodies(module) for op in block.ops if runs(op)]
    choices = list(zip(ops, kernel_choices(module, packages.kernels), strict=True))
    plan = None if declared_tcm(module) is None else plan_of(module, packages)
    return page(title, recorder, module, choices, plan)


_SECTIONS = ("Totals", "Passes", "Rules", "Kernels", "Memory", "Ops")
_HELP = (
    ("j, k", "next and previous row of a list"),
    ("Enter", "open the row: what a pass changed, a rule, an op"),
    ("1 to 6", "go to a section"),
    ("/", "search passes, rules, kernels and ops"),
    ("t", "light or dark"),
    ("Escape", "close what is open"),
    ("?", "these keys"),
)


def page(
    title: str,
    recorder: Recorder,
    module: ModuleOp,
    choices: Sequence[tuple[Operation, KernelChoice]],
    plan: ModulePlan | None,
) -> str:
    """Write the page of a recorder and the module behind its passes.

    `choices` are those of kernels, `plan` is None above the allocated level.
    """
    bodies = (
        _ending(recorder) + table(("", "", "bound"), _totals(recorder, plan), {1, 2}),
        "\n".join(_passes(recorder.passes)),
        "\n".join(_rules(recorder)),
        _ENDED if recorder.ending else "\n".join(_kernels(choices)),
        _ENDED if recorder.ending else "".join(_memory(plan)),
        _OPS,
    )
    data = packed(Payload(recorder, module).data(choices, plan))
    tools = "<button type='button' id='keys' title='keys (?)'>Keys</button> "
    return document(
        title,
        [
            "<nav aria-label='sections'>",
            *(f"<a href='#{name.lower()}'>{name}</a> " for name in _SECTIONS),
            "<input type='search' id='search' placeholder='search: name, op or node (/)' "
            "aria-label='show only passes, rules, kernels and ops with this text'>",
            "<span id='matches' role='status'></span></nav>",
            "<noscript><p>The tables stand here; lists and details need scripts.</p></noscript>",
            "<main>",
            *(_section(name, body) for name, body in zip(_SECTIONS, bodies, strict=True)),
            "</main>",
            "<aside id='panel' tabindex='-1' aria-label='details' hidden></aside>",
            f"<dialog id='help' aria-label='keys'><h2>Keys</h2>{table((), _HELP, set())}</dialog>",
            f"<script type='text/plain' id='data'>{data}</script>",
        ],
        more=("run",),
        tools=tools,
    )


_OPS = (
    "<p>The module behind the last pass. A value keeps its name through all passes of this page; "
    "constants of more than 8 elements are elided.</p><div class='list' id='oplist'></div>"
)


_ENDED = "<p>The run ended before this was looked at.</p>"


def _section(name: str, body: str) -> str:
    key = name.lower()
    return (
        f"<section id='{key}' tabindex='-1' aria-labelledby='{key}-head'>"
        f"<h2 id='{key}-head'>{name}</h2>{body}</section>"
    )


def _ending(recorder: Recorder) -> str:
    if not recorder.ending:
        return ""
    return (
        f"<p>The run ended in</p><pre class='red' id='ending'>{escape(recorder.ending)}</pre>"
        "<p>The page tells of what was done before.</p>"
    )


def _totals(recorder: Recorder, plan: ModulePlan | None) -> Iterator[Sequence[str]]:
    passes = recorder.passes
    rules = recorder.rules.values()
    fired = [record for record in rules if record.counts.firings]
    outer = [record for record in passes if not record.depth]
    yield "time of the passes", _seconds(sum(record.seconds for record in outer)), ""
    yield "passes", f"{len(passes):,}", ""
    yield "ops before and after", f"{recorder.ops_before:,} to {recorder.count(recorder.now):,}", ""
    yield "rules that fired", f"{len(fired):,} of {len(rules):,}", ""
    yield "firings", f"{sum(record.counts.firings for record in fired):,}", ""
    if plan:
        yield from total_rows(plan, None)


def _passes(passes: Sequence[PassRecord]) -> Iterator[str]:
    if not passes:
        yield "<p>No pass was recorded.</p>"
        return
    yield (
        "<p>Time with the passes inside, of it its own (dark), ops behind it, lines added and "
        "removed by itself. Open a pass for what it changed and the rules that fired.</p>"
        "<ol class='rows' data-rows>"
    )
    most = max(record.seconds for record in passes) or 1.0
    for index, record in enumerate(passes):
        own, inner = 100 * record.own / most, 100 * record.inner / most
        error = record.error.partition("\n")[0]
        failed = f" <b class='red'>{escape(error)}</b>" if error else ""
        yield (
            f"<li><button type='button' class='row pass' data-pass='{index}' "
            "aria-expanded='false'>"
            f"<span class='time'>{_seconds(record.seconds)}</span>"
            f"<span class='bars'><i class='own' style='width:{own:.1f}%'></i>"
            f"<i style='width:{inner:.1f}%'></i></span>"
            f"<span class='count'>{record.ops:,}</span><span class='delta'>{_delta(record)}</span>"
            f"<code style='--depth:{record.depth}'>{escape(record.name)}{failed}</code>"
            "</button></li>"
        )
    yield "</ol>"


def _delta(record: PassRecord) -> str:
    changes = record.difference
    if not changes:
        return ""
    return f"<ins>+{changes.added:,}</ins> <del>&minus;{changes.removed:,}</del>"


def _rules(recorder: Recorder) -> Iterator[str]:
    rules = list(enumerate(recorder.rules.values()))
    fired = [(index, record) for index, record in rules if record.counts.firings]
    fired.sort(key=lambda pair: -pair[1].counts.firings)
    tried = [(i, record) for i, record in rules if record.has_run and not record.counts.firings]
    tried.sort(key=lambda pair: (-pair[1].counts.matches, -pair[1].counts.attempts))
    idle = [(index, record) for index, record in rules if not record.has_run]
    yield "<h3>Fired</h3>"
    yield from _rule_rows(fired)
    yield f"<h3>Did not fire</h3><details><summary>{len(tried):,} rules</summary>"
    yield "<p>Those that matched come first. Open one for the reason at each op.</p>"
    yield from _rule_rows(tried)
    yield "</details>"
    if idle:
        yield f"<details><summary>{len(idle):,} rules of pass groups that did not run</summary>"
        yield from _rule_rows(idle)
        yield "</details>"


def _rule_rows(rules: Sequence[tuple[int, RuleRecord]]) -> Iterator[str]:
    if not rules:
        yield "<p>None.</p>"
        return
    yield "<ol class='rows' data-rows>"
    for index, record in rules:
        counts, rule = record.counts, record.rule
        shown = f"{counts.firings:,} fired" if counts.firings else f"{counts.matches:,} matched"
        yield (
            f"<li><button type='button' class='row rule' data-rule='{index}'>"
            f"<span class='count'>{shown}</span><span class='count'>{counts.attempts:,} tried"
            f"</span><code>{escape(rule.name)}</code><span class='faint'>{escape(rule.place)}"
            "</span></button></li>"
        )
    yield "</ol>"


def _kernels(choices: Sequence[tuple[Operation, KernelChoice]]) -> Iterator[str]:
    rows = Counter((mnemonic(op), *taken(choice)) for op, choice in choices)
    if not rows:
        yield "<p>No op has a kernel at this level.</p>"
        return
    yield "<p>Open an op below for the reasons against its other kernels.</p>"
    shown = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    cells = [(op, kernel, cost, f"{count:,}") for (op, kernel, cost), count in shown]
    yield table(("op", "kernel", "cost", "ops"), cells, {3}, "kernel-table")


def _memory(plan: ModulePlan | None) -> Iterator[str]:
    if plan is None:
        yield "<p>Offsets in TCM are known once a module is at the allocated level.</p>"
        return
    kib = f"{height(plan) // 1024:,} of {plan.tcm_bytes // 1024:,} KiB"
    yield (
        "<p>Each block is a tensor in TCM, from the op that writes it to the last that reads it, "
        f"at its offset; the picture shows the lowest {kib}. Red edges are fills. The line is the "
        "sum of live bytes. Point at a block, or move the step with the arrow keys; + and &minus; "
        "change the scale. "
        "<code>-t memory-report</code> tells of each tensor why it is there.</p>"
        "<figure class='memory'><canvas id='tcm' tabindex='0' role='img' "
        "aria-label='tensors in TCM over time' aria-describedby='step'></canvas>"
        "<figcaption><span id='step' role='status'></span><span class='zoom'>"
        "<button type='button' data-zoom='2' aria-label='narrower'>&minus;</button> "
        "<button type='button' data-zoom='.5' aria-label='wider'>+</button></span>"
        "</figcaption></figure>"
    )


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
