"""The pass that runs pass groups of rewrite rules on their own."""

from dataclasses import dataclass, fields
from math import isfinite

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import fail
from ....dialects.suggestions import listed
from ...packages.loading import packages_of
from ...rules import GraphOptions, RuleSet, priority_of, run_rules
from ...rules.graph.env import OptionValue


@dataclass(frozen=True)
class RunRules(ModulePass):
    """Run the rules with priorities from `first` to `last`, both included, group by group.

    Without `last` they run to the end. Priorities are names (`QNN`, `"TILING+2"`) or numbers, sizes
    are in bytes. `options` are graph options, `name=value` joined by `;`. With `cut=false` the
    rules that cut ops into tiles are left out.
    """

    name = "htp-rules"

    first: str = "BEGIN"
    last: str | None = None
    tcm_bytes: int = 8 << 20
    options: str = ""
    cut: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rule_set = packages_of(ctx).rules
        options = graph_options(self.tcm_bytes, self.options, rule_set)
        first = priority_of(self.first)
        last = None if self.last is None else priority_of(self.last)
        if last is not None and last < first:
            problem = f"last={self.last} is before first={self.first}"
            raise fail(self.name, problem, "name the earlier one first")
        chosen = rule_set if self.cut else rule_set.without_cuts()
        run_rules(op, chosen, options, first=first, last=last)


def graph_options(tcm_bytes: int, text: str, rule_set: RuleSet) -> GraphOptions:
    """Read graph options from `name=value;name=value`; HtpError for a value of another form.

    A name must be an option that every run has or that some rule of the set asks for.
    """
    if tcm_bytes < 1:
        raise fail("graph options", f"tcm-bytes is {tcm_bytes}", "give a number of bytes above 0")
    options = dict(map(_option, filter(None, text.split(";"))))
    # A walk through all rules tells their options: it is made where a name may be one of them.
    known = _COMMON | (rule_set.options if options.keys() - _COMMON else frozenset())
    for name in options.keys() - known:
        raise fail(f"graph option '{name}'", "no rule knows it", listed(name, sorted(known)))
    for name in _WHOLE & options.keys():
        value = options[name]
        if not isinstance(value, int) or value < 0:
            raise fail(f"graph option '{name}'", f"is {value}", "give a whole number from 0 on")
    return GraphOptions(tcm_size=tcm_bytes, extra=options)


_COMMON = {field.name for field in fields(GraphOptions)} - {"extra"}
_WHOLE = {field.name for field in fields(GraphOptions) if type(field.default) is int}
"""The options that every rule knows and that are whole numbers."""


def _option(part: str) -> tuple[str, OptionValue]:
    name, mark, value = part.partition("=")
    if not (mark and name.strip() and value.strip()):
        raise fail("graph options", f"'{part}' is not name=value", "join several with ;")
    number = _number(value.strip())
    if isinstance(number, float) and not isfinite(number):
        raise fail("graph options", f"'{part}' is not finite", "give a number or a word")
    return name.strip(), number


def _number(text: str) -> OptionValue:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
