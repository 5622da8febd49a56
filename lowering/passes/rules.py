"""The pass that runs pass groups of rewrite rules on their own."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.diagnostics import fail
from ..patterns import HTP_RULES
from ..rules import GraphOptions, run_rules
from ..rules.options import OptionValue
from ..rules.priorities import priority_of


@dataclass(frozen=True)
class RunRules(ModulePass):
    """Run the rules whose priority lies from `first` to `last`, both included, group by group;
    without `last`, to the end.

    Priorities are names (`QNN`, `TILING+2`) or numbers; sizes in bytes. `options` are graph
    options, `name=value` joined by `;`.
    """

    name = "htp-rules"

    first: str = "BEGIN"
    last: str | None = None
    tcm_bytes: int = 8 << 20
    options: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = graph_options(self.tcm_bytes, self.options)
        last = None if self.last is None else priority_of(self.last)
        run_rules(op, HTP_RULES, options, first=priority_of(self.first), last=last)


def graph_options(tcm_bytes: int, text: str) -> GraphOptions:
    """Graph options from `name=value;name=value`; HtpError for a name or value that is none."""
    given: dict[str, OptionValue] = {}
    for part in filter(None, text.split(";")):
        name, mark, value = part.partition("=")
        if not mark:
            raise fail("options", f"'{part}' is not name=value", "join several with ;")
        given[name.strip()] = _number(value.strip())
    return GraphOptions(tcm_size=tcm_bytes, extra=given)


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
