"""Statistics and explanations of the rules in a run of passes, as text or JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.suggestions import MOST, did_you_mean
from ...runtime.passes import instrumented
from ..rules import Rule, RuleObserver, RuleStats, observing, priority_name
from ..rules.ask.explain import Explainer, Explanation, OpExplainer
from ..rules.ask.places import Places, bare
from ..rules.engine.stats import merged

_STAYS = "stays in floats"


@dataclass(frozen=True)
class Question:
    """A rule by its name or place, at every op or at those of a name."""

    rule: str
    value: str
    places: Places

    def asks(self, entry: Explanation) -> bool:
        """Tell whether the question is about this rule at this op."""
        if not entry.rule.is_called(self.rule):
            return False
        return not self.value or self.places.is_at(
            self.value, (entry.value, entry.ssa), entry.origins
        )


class StatsKeeper(RuleObserver):
    """Keeps the statistics of every run of rules."""

    def __init__(self) -> None:
        self.runs: list[RuleStats] = []

    def ends(self, stats: RuleStats) -> None:
        self.runs.append(stats)


@contextmanager
def reporting(
    stats: str | None,
    asked: Sequence[str],
    nodes: Sequence[str],
    explain_format: str,
    out: TextIO,
) -> Iterator[None]:
    """Watch the rules that run inside the block, then print what was asked, an error's too.

    `asked` are rules, at all ops or at some, and `nodes` those of the model at which every rule is
    explained.
    """
    parts = [(rule, bare(value)) for rule, _, value in (text.partition("@") for text in asked)]
    places, wanted = Places(value for _, value in parts), Places(nodes)
    questions = [Question(rule, value, places) for rule, value in parts]
    keeper, explainer = StatsKeeper(), Explainer([question.rule for question in questions])
    at_nodes = OpExplainer(wanted)
    try:
        with (
            instrumented(places, wanted),
            observing(keeper, explainer, *[at_nodes] * bool(nodes)),
        ):
            yield
    finally:
        if questions:
            _print_explanations(questions, explainer, explain_format, out)
        if nodes:
            is_json = explain_format == "json"
            print(_json(_rows(at_nodes)) if is_json else _of_nodes(wanted, at_nodes), file=out)
        if stats:
            total = merged(keeper.runs)
            print(_json(total.rows()) if stats == "json" else total, file=out)
    if questions and not explainer.known:
        raise fail("explain", "no pass of this run has rules", "add one to -p, such as htp-lower")
    named = {name for name, *_ in at_nodes.floats} | at_nodes.met
    unmet = [node for node in nodes if node not in named]
    if lost := [node for node in unmet if not _entries(wanted, at_nodes, node)]:
        problem = "rules met no op of this name"
        raise HtpError(*(Fault(node, problem, _near(node, at_nodes)) for node in lost))


def _rows(explainer: OpExplainer) -> Iterator[Mapping[str, object]]:
    yield from ({"op": op, "outcome": _STAYS, "reason": why} for _, op, why in explainer.floats)
    yield from (entry.row() for entry in explainer.entries.values())


def _print_explanations(
    questions: Sequence[Question], explainer: Explainer, form: str, out: TextIO
) -> None:
    if form == "json":
        rows = [
            entry.row()
            for entry in explainer.entries.values()
            if any(question.asks(entry) for question in questions)
        ]
        print(_json(rows), file=out)
        return
    for question in questions:
        for rule in explainer.known:
            if rule.is_called(question.rule):
                print("\n".join(_section(rule, question, explainer)), file=out)


def _section(rule: Rule, question: Question, explainer: Explainer) -> Iterator[str]:
    yield f"{rule.label}, pass group {priority_name(rule.priority)}, {rule.match}:"
    entries = [
        entry for entry in explainer.entries.values() if entry.rule is rule and question.asks(entry)
    ]
    yield from (f"  {entry}" for entry in entries)
    if rule not in explainer.ran:
        yield "  its pass group did not run"
    elif not entries:
        wanted = f"{rule.root} of '{question.value}'" if question.value else rule.root
        yield f"  there was no {wanted} when it ran"


def _of_nodes(places: Places, explainer: OpExplainer) -> str:
    lines = []
    for node in places.names:
        entries = _entries(places, explainer, node)
        floats = [(op, why) for name, op, why in explainer.floats if name == node]
        if entries or floats:
            lines.append(f"{node}:")
        elif node in explainer.met:
            lines.append(f"{node}: no rule begins with an op of this name")
        lines += [f"  {op}: {_STAYS}: {why}" for op, why in floats]
        for entry in entries:
            why = f": {entry.reason}" if entry.reason else ""
            group = priority_name(entry.rule.priority)
            lines.append(f"  {entry.op}, {group} {entry.rule.label}: {entry.outcome.value}{why}")
    return "\n".join(lines)


def _entries(places: Places, explainer: OpExplainer, node: str) -> list[Explanation]:
    return [
        entry
        for entry in explainer.entries.values()
        if places.is_at(node, (entry.value, entry.ssa), entry.origins)
    ]


def _near(node: str, explainer: OpExplainer) -> str:
    """Name the nodes that may have been meant."""
    names = [name for name in explainer.nodes if name]
    # The kind of an op is part of what exporters call its nodes, `node_relu` or `/head/Relu`.
    parts = [f"'{name}'" for name in names if node.lower() in name.lower()][:MOST]
    meant = "give a node of the model, a value of the text or LINE:COLUMN"
    return f"did you mean {' or '.join(parts)}?" if parts else did_you_mean(node, names, meant)


def _json(rows: Iterable[Mapping[str, object]]) -> str:
    """Return a JSON array, one element on each line."""
    lines = [f"  {json.dumps(row)}" for row in rows]
    return "\n".join(["[", ",\n".join(lines), "]"]) if lines else "[]"
