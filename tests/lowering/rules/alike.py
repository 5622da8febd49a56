"""Rules that are alike: a table makes many which differ in the names of ops and operands alone."""

import re
from collections.abc import Iterable

from htp_mlir.lowering.patterns.tiling import TILING_RULES
from htp_mlir.lowering.rules import Rule

_TILING = {rule.label for rule in TILING_RULES.rules}
_NAME = re.compile(r'"[^"]*"')


def kind(rule: Rule) -> str:
    """Text that is the same for tiling rules of one formula, sign and dim; of others, the label.

    An operand that is read in another way, by a stride or in a window, makes another formula.
    """
    if rule.label not in _TILING:
        return rule.label
    text = f"{rule.match} {rule.constraint} {rule.replacement}"
    numbers: dict[str, str] = {}
    return _NAME.sub(lambda name: numbers.setdefault(name[0], f"#{len(numbers)}"), text)


def one_of_each(rules: Iterable[Rule]) -> list[Rule]:
    """The first rule of each kind, and of each name that a line gives: loops write spellings."""
    firsts: dict[str, Rule] = {}
    for rule in rules:
        spelt = kind(rule) if rule.label in _TILING else f"{rule.name} {rule.where}"
        firsts.setdefault(spelt, rule)
    return [*firsts.values()]
