"""What the engine counts, and what it tells those who watch."""

import re

import pytest
from htp_mlir.lowering.rules import (
    DIM_HEIGHT,
    EARLY,
    EQ,
    LATE,
    OK,
    Op,
    Rule,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.engine.engine import RuleObserver
from htp_mlir.runtime.passes import instrumented
from xdsl.ir import Operation

from tests.support.native_graph import NativeGraph

from ..kit import becomes, chain


def test_counts() -> None:
    tall = EQ(DIM_HEIGHT("X"), 99)
    never = rule(EARLY, Op("Neg", "X"), tall, "X", name="never")
    inner = rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X", name="inner")
    other = becomes("Elu", "Abs")
    stats = run_rules(chain("Neg", "Neg", "Relu", "Neg"), rules(never, inner, other))
    counts = stats.of("never")
    assert (counts.attempts, counts.matches, counts.refusals, counts.firings) == (4, 4, 4, 0)
    assert counts.seconds > 0.0
    assert stats.of(inner).firings == stats.firings == 1
    assert stats.of(other).attempts == 0
    with pytest.raises(KeyError):
        stats.of("nobody")


def test_repeated_tag_counts_as_an_attempt_without_a_match() -> None:
    graph = NativeGraph()
    module = graph.module(graph.op("Add", graph.input(1, 1, 1, 1), graph.input(1, 1, 1, 1)))
    stats = run_rules(module, rules(rule(EARLY, Op("Add", "X", "X"), OK, "X")))
    assert (stats.of("Add").attempts, stats.of("Add").matches) == (1, 0)


def test_statistics_as_text_and_as_rows() -> None:
    first, idle = becomes("Neg", "Abs"), becomes("Elu", "Abs", LATE + 1)
    stats = run_rules(chain("Neg", "Neg"), rules(first, idle))
    header, line, total, rest = str(stats).splitlines()
    assert header.split() == ["attempts", "matches", "refusals", "firings", "ms", "rule"]
    assert re.fullmatch(r" +2 +2 +0 +2 +\d+\.\d\d  EARLY Neg to Abs \(.*:\d+, 1st rule\)", line)
    assert re.fullmatch(r" +2 +2 +0 +2 +\d+\.\d\d  all", total)
    assert rest == "1 more rule met no op to be tried at"
    assert [row["group"] for row in stats.rows()] == ["EARLY", "LATE+1"]
    assert stats.rows()[0]["firings"] == 2
    assert stats.rows()[0]["where"] == first.where
    assert [row["nth"] for row in stats.rows()] == [1, 2]


def test_observer_hears_of_every_step() -> None:
    heard: list[str] = []

    class Log(RuleObserver):
        def starts(self, run: object, members: object, function: object) -> None:
            heard.append(f"group of {len(members)}")

        def visits(self, root: Operation, left_alone: object) -> None:
            if root.name in ("htp.Neg", "htp.Abs"):
                heard.append(f"{root.name} {len(left_alone)}")

        def fired(self, rule: Rule, root: object, new: list[Operation]) -> None:
            heard.append(f"{rule.name}: {len(new)}")

        def ends(self, stats: object) -> None:
            heard.append("end")

    with instrumented(Log()):
        run_rules(chain("Neg"), rules(becomes("Neg", "Abs")))
    run_rules(chain("Neg"), rules(becomes("Neg", "Abs")))
    assert heard == ["group of 1", "htp.Neg 0", "Neg to Abs: 1", "htp.Abs 0", "htp.Abs 0", "end"]
