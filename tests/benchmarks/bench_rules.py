"""How fast rules run: `python tests/benchmarks/bench_rules.py`. Prints markdown tables.

Three questions, each answered by ratios inside one run: is the time per op flat from 1,000 to
50,000 ops; what do 1,000 rules that do not match cost beside 10; what does a firing cost beside
the same rewrite written by hand as an xDSL pattern under GreedyRewritePatternApplier.
"""

import argparse
import gc
import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import cycle
from pathlib import Path
from statistics import median

from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import native
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.rules import (
    AND,
    DIM_DEPTH,
    EARLY,
    EQ,
    GT,
    OK,
    GraphOptions,
    Op,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.definition.rule import RuleSet
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)

SIZES = (1_000, 5_000, 20_000, 50_000)
RULES = (10, 100, 1_000)
SPEC = TensorSpec((1, 4, 4, 8), DType.Float32)
HEADING = """# Rule engine benchmark

What `python tests/benchmarks/bench_rules.py` printed, newest first. Times per op are medians of
repeated runs on fresh copies of the graph; compare ratios, not times, between runs.
"""


def chain(count: int) -> ModuleOp:
    """Neg after Neg ... with an Abs between, so that no two Negs meet."""
    block = Block(arg_types=[type_of(SPEC)])
    value: SSAValue = block.args[0]
    for index in range(count):
        op = native(NATIVE_OPS["Neg" if index % 2 else "Abs"], [value], SPEC)
        block.add_op(op)
        value = op.results[0]
    return _module(block, value)


def branching(count: int) -> ModuleOp:
    """Each Add reads the last value and one from up to 16 ops before: values have many users."""
    block = Block(arg_types=[type_of(SPEC)])
    values: list[SSAValue] = [block.args[0]]
    for index in range(count):
        back = values[max(0, len(values) - 1 - index % 16)]
        name, operands = ("Neg", [back]) if index % 2 else ("Add", [values[-1], back])
        op = native(NATIVE_OPS[name], operands, SPEC)
        block.add_op(op)
        values.append(op.results[0])
    return _module(block, values[-1])


def _module(block: Block, result: SSAValue) -> ModuleOp:
    block.add_op(ReturnOp(result))
    types = ([arg.type for arg in block.args], [result.type])
    return ModuleOp([FuncOp("main", types, Region(block))])


def unmatched(count: int) -> RuleSet:
    """Rules on the graph's own root ops whose match fails: no such producer is in the graph."""
    producers = [name for name in NATIVE_OPS if name not in ("Neg", "Abs", "Add")]
    members = [
        rule(EARLY, Op(("Neg", "Abs")[index % 2], Op(name, "X")), OK, "X", name=f"idle {index}")
        for index, name in zip(range(count), cycle(producers), strict=False)
    ]
    return rules(*members)


def refused(count: int) -> RuleSet:
    """Rules that match every second op of a chain and whose constraint is evaluated and false."""
    never = AND(GT(DIM_DEPTH("*"), 1000), EQ(DIM_DEPTH("X"), 8))
    return rules(*(rule(EARLY, Op("Neg", "X"), never, "X", name=f"no {i}") for i in range(count)))


NEG_TO_ABS = rules(rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X")))


class NegToAbs(RewritePattern):
    """The same rewrite by hand."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, NATIVE_OPS["Neg"]):
            absolute = native(NATIVE_OPS["Abs"], op.operands, spec_of(op.results[0]))
            rewriter.replace(op, absolute)


def by_hand(module: ModuleOp) -> None:
    """Run the pattern as xDSL's own passes do."""
    PatternRewriteWalker(GreedyRewritePatternApplier([NegToAbs()])).rewrite_module(module)


def seconds(run: Callable[[ModuleOp], object], module: ModuleOp, rounds: int) -> float:
    """The median time of a run on a fresh copy."""
    samples = []
    for _ in range(rounds):
        copy = module.clone()
        gc.collect()
        start = time.perf_counter()
        run(copy)
        samples.append(time.perf_counter() - start)
    return median(samples)


def with_rules(rule_set: RuleSet) -> Callable[[ModuleOp], object]:
    """A run of these rules."""
    return lambda module: run_rules(module, rule_set, GraphOptions())


def table(head: list[str], rows: list[list[str]]) -> str:
    """A markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def visits(make: Callable[[int], ModuleOp], sizes: tuple[int, ...], rounds: int) -> list[list[str]]:
    """Microseconds per op with rules that do not match, by size and number of rules."""
    sets = {count: unmatched(count) for count in RULES}
    rows, first = [], {}
    for size in sizes:
        module = make(size)
        times = {
            n: seconds(with_rules(members), module, rounds) / size for n, members in sets.items()
        }
        first = first or times
        cells = [f"{times[n] * 1e6:.1f} ({times[n] / first[n]:.2f}x)" for n in RULES]
        rows.append([f"{make.__name__} {size:,}", *cells, f"{times[1000] / times[10]:.2f}x"])
    return rows


def refusals(rounds: int) -> list[list[str]]:
    """Microseconds per rule whose constraint is evaluated at a node, by number of rules."""
    module = chain(SIZES[0])
    tries = SIZES[0] // 2
    times = {n: seconds(with_rules(refused(n)), module, rounds) / (tries * n) for n in RULES[:2]}
    return [[f"{n}", f"{time_ * 1e6:.1f}"] for n, time_ in times.items()]


def firings(sizes: tuple[int, ...], rounds: int) -> list[list[str]]:
    """Microseconds per firing, by rule and by hand."""
    rows = []
    for size in sizes:
        module = chain(size)
        ours = seconds(with_rules(NEG_TO_ABS), module, rounds) / (size // 2)
        hand = seconds(by_hand, module, rounds) / (size // 2)
        rows.append([f"{size:,}", f"{ours * 1e6:.1f}", f"{hand * 1e6:.1f}", f"{ours / hand:.2f}x"])
    return rows


def section(sizes: tuple[int, ...], rounds: int) -> str:
    """The tables of one run."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    refused_head = ["rules", "us per rule and node"]
    idle_head = ["graph", *(f"{n:,} rules, us per op" for n in RULES), "1,000 rules / 10"]
    idle_rows = [row for make in (chain, branching) for row in visits(make, sizes, rounds)]
    fire_head = ["chain", "rule, us per firing", "xDSL pattern, us", "rule / pattern"]
    return "\n\n".join(
        [
            f"## {now}",
            f"Python {platform.python_version()}, xdsl {version('xdsl')}.",
            "Rules that do not match; in brackets the ratio to the smallest graph:",
            table(idle_head, idle_rows),
            "Rules that match and whose constraint is false:",
            table(refused_head, refusals(rounds)),
            "Every second op is rewritten:",
            table(fire_head, firings(sizes, rounds)),
        ]
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the largest graph")
    parser.add_argument("--save", type=Path, help="put the tables into a page too")
    options = parser.parse_args()
    text = section(tuple(size for size in SIZES if size <= options.largest), options.rounds)
    print(text)
    if options.save:
        older = options.save.read_text(encoding="utf-8") if options.save.exists() else HEADING
        kept = older.removeprefix(HEADING)
        options.save.write_text(f"{HEADING}\n{text}\n{kept}", encoding="utf-8")


if __name__ == "__main__":
    main()
