"""The data of a page as JSON: lines are numbered anew, texts that recur stand once."""

import base64
import gzip
import json
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Generic, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....runtime.program.boundary import main_function
from ....runtime.tools.choices import KernelChoice, cost_text
from ...rules.graph.priorities import priority_name
from ..plan import Block, ModulePlan, height, timeline_of
from .recorder import PassRecord, Recorder, RuleRecord

_LINES = 40
"""The most lines of a rule that are shown."""


def _source(where: str) -> str:
    """Return the text of a rule, from its line to the bracket that ends it."""
    name, _, number = where.rpartition(":")
    if not number.isdecimal():
        return ""
    return dedent("\n".join(_until_closed(_lines(name)[int(number) - 1 :])))


def _until_closed(lines: tuple[str, ...]) -> Iterator[str]:
    depth = 0
    for line in lines[:_LINES]:
        yield line
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            return


@cache
def _lines(name: str) -> tuple[str, ...]:
    path = Path(name)
    return tuple(path.read_text(errors="replace").splitlines()) if path.is_file() else ()


Json = dict[str, object]
T = TypeVar("T", bound=Hashable)


class TextTable(Generic[T]):
    """Distinct texts or lines that were asked for, by their number in this table."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def __call__(self, member: T) -> int:
        """Return the number of a member."""
        return self.numbers.setdefault(member, len(self.numbers))


class Payload:
    """Data for the script of the page, of one recorder and the module behind its passes."""

    def __init__(self, recorder: Recorder, module: ModuleOp) -> None:
        self._recorder = recorder
        self._module = module
        self._lines, self._texts = TextTable[int](), TextTable[str]()
        self._keys = {key: index for index, key in enumerate(recorder.rules)}

    def data(
        self, choices: Sequence[tuple[Operation, KernelChoice]], plan: ModulePlan | None
    ) -> Json:
        """Return all data; that of lines comes last, when all have been asked for."""
        recorder = self._recorder
        parts: Json = {
            "passes": [self._pass(record) for record in recorder.passes],
            "rules": [self._rule(record) for record in recorder.rules.values()],
            "final": [self._lines(line) for line in recorder.now],
            "kernels": [self._kernel(op, choice) for op, choice in choices],
            "memory": self._memory(plan) if plan else None,
        }
        lines = [recorder.lines.all[number] for number in self._lines.numbers]
        origins = recorder.origins
        by_rule = {line.op: self._keys[origins[line.op]] for line in lines if line.op in origins}
        return parts | {
            "lines": [
                [line.op, line.text, *map(self._texts, (line.origins, line.title))]
                for line in lines
            ],
            "made": list(by_rule.items()),
            "texts": list(self._texts.numbers),
        }

    def _pass(self, record: PassRecord) -> Json:
        changes = record.difference
        parts = [
            [sign, number if sign == "@" else self._lines(number)] for sign, number in changes.parts
        ]
        return {
            "name": record.name,
            "fired": [[self._keys[key], count] for key, count in record.firings.most_common()],
            "ops": [record.first, record.end],
            "added": changes.added,
            "removed": changes.removed,
            "parts": parts,
            "cut": changes.is_cut,
        }

    def _rule(self, record: RuleRecord) -> Json:
        rule, counts = record.rule, record.counts
        why_not = self._recorder.why_not(record) if record.has_run else []
        path = Path(rule.source.rpartition(":")[0])
        return {
            "name": rule.name,
            "text": str(rule),
            "place": rule.place,
            "href": path.resolve().as_uri() if path.is_file() else "",
            "source": _source(rule.source) if counts.firings or why_not else "",
            "group": priority_name(rule.priority),
            "root": rule.root,
            "counts": [counts.attempts, counts.matches, counts.refusals, counts.firings],
            "firings": [
                [firing.step, self._lines(firing.root), [*map(self._lines, firing.new)]]
                for firing in record.firings
            ],
            "why": [
                [self._lines(line), self._texts(name), self._texts(outcome), self._texts(reason)]
                for line, name, outcome, reason in why_not
            ],
            "ran": record.has_run,
        }

    def _kernel(self, op: Operation, choice: KernelChoice) -> list[int]:
        """Return line, kernel, cost and the verdicts on the other kernels of an op."""
        texts = (*taken(choice), "\n".join(choice.lines()[1:]))
        return [self._op(op), *map(self._texts, texts)]

    def _op(self, op: Operation) -> int:
        return self._lines(self._recorder.lines.line(op))

    def _memory(self, plan: ModulePlan) -> Json:
        line = timeline_of(plan)
        body = list(main_function(self._module).body.block.ops)
        return {
            "bytes": plan.tcm_bytes,
            "top": height(plan),
            "steps": [self._op(body[op.position]) for op in line.steps],
            "blocks": [self._block(block) for block in line.blocks],
        }

    def _block(self, block: Block) -> list[object]:
        tensor = block.residency
        why = f"in place in {tensor.inside}" if tensor.inside else tensor.why
        facts = (tensor.source.origins, f"{tensor.label}, {tensor.layout}", why, block.look.value)
        place = [block.first, block.last, block.offset, tensor.bytes]
        return [*place, tensor.name, *map(self._texts, facts)]


def packed(data: Json) -> str:
    """Return data as gzip in base64, which a script of the page unpacks."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def taken(choice: KernelChoice) -> tuple[str, str]:
    """Return the name of the kernel that an op has, and its cost; empty where there is none."""
    costs = (verdict.cost for verdict in choice.verdicts if verdict.kernel == choice.taken)
    cost = next(costs, None)
    return choice.taken or "none", "" if cost is None else cost_text(cost)
