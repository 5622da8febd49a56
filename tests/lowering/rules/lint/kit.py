"""Rules to lint, and what lint says of them."""

from htp_mlir.lowering.rules import Node, Rule, external_constraint, external_replacement, rules
from htp_mlir.lowering.rules.lint import Finding, FindingKind, lint


@external_constraint("large")
def large(node: Node) -> bool:
    """Some test that only Python can make."""
    return node.shape[1] > 8


@external_replacement("nothing")
def nothing(builder: object, root: Node) -> Node:
    """A replacement that changes nothing."""
    return root


def found(*members: Rule) -> list[Finding]:
    return lint(rules(*members))


def kinds(*members: Rule) -> list[FindingKind]:
    return [finding.kind for finding in found(*members)]
