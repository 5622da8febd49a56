"""Tags that nothing binds, and tags that nothing reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, repeat

from xdsl.ir import Operation

from ....dialects.htp.base import NativeOp
from ....dialects.qti_aisw.base import GraphOp
from ..definition.rule import Rule
from ..definition.scope import rule_faults
from ..graph.graph import CONST
from ..graph.inputs import params_of
from ..graph.names import resolve
from ..graph.tables import ROOT
from ..graph.types import ExprKind as Type
from ..tree.build import OpClasses
from ..tree.expr import Expr, Let, OpForm, Tag
from ..tree.function import Call
from ..tree.walk import calls_in, tags_in, walk
from ..tree.written_out import asked_tags
from .finding import Finding, FindingKind

_UNUSED = "_"
"""The first letter of a tag without a reader."""


def tag_findings(rule: Rule, classes: OpClasses) -> Iterator[Finding]:
    """Yield the faults that the definition would refuse, and tags without a reader.

    A param or a shape of the match needs a tag in any case. A tensor without a reader was often
    forgotten; `_` as the first letter of its tag says that it was not. Of alternatives one reader
    is enough.
    """
    faults = rule_faults(rule.match, rule.constraint, rule.replacement)
    yield from (Finding(FindingKind.UNKNOWN_TAG, rule, fault) for fault in faults)
    if any(calls_in(rule.replacement, "EXTERNAL_REPLACE")):
        return
    read = asked_tags(rule.constraint, rule.replacement)
    for each in rule.written_out:
        read |= {*tags_in(each.constraint), *tags_in(each.replacement), *_behind(each)}
        read |= {tag for tag, count in Counter(tags_in(each.match)).items() if count > 1}
    suspects = dict(pair for each in rule.written_out for pair in _suspects(each, classes))
    for tag, why in suspects.items():
        if tag not in read and not tag.startswith(_UNUSED):
            yield Finding(FindingKind.UNUSED_TAG, rule, f'"{tag}" {why}')


def _behind(rule: Rule) -> Iterator[str]:
    """Yield the tags of the inputs of ops of the match that the replacement goes on using."""
    kept = {*_placed(rule.replacement)}
    if ROOT in kept:
        yield from tags_in(rule.match)
    for expr in walk(rule.match):
        if isinstance(expr, Let) and expr.tag in kept:
            yield from tags_in(expr.op)


def _placed(expr: Expr) -> Iterator[str]:
    """Yield the tags that stand in a replacement as nodes, and not as references to some."""
    if isinstance(expr, Tag):
        yield expr.name
    elif isinstance(expr, OpForm):
        yield from (tag for each in expr.inputs for tag in _placed(each))
    elif isinstance(expr, Call):
        function = expr.function
        rest = repeat(function.rest) if function.rest else ()
        for parameter, each in zip(chain(function.parameters, rest), expr.args, strict=False):
            if Type.OP in parameter.kinds:
                yield from _placed(each)


def _suspects(rule: Rule, classes: OpClasses) -> Iterator[tuple[str, str]]:
    """Yield the tags that must have a reader, each with the message where it has none."""
    for expr in walk(rule.match):
        if isinstance(expr, Let):
            if not isinstance(expr.op, OpForm) or resolve(expr.op.name, rule.package) != CONST:
                yield expr.tag, "names an op that nobody asks for; leave the LET out"
        elif isinstance(expr, OpForm):
            name = resolve(expr.name, rule.package)
            op_class = classes.get(name)
            for index, operand in enumerate(expr.inputs):
                tag = _tag(operand)
                if tag is not None and not _is_param(op_class, index, len(expr.inputs)):
                    yield tag, f"is an input of {name} that the replacement drops"


def _tag(operand: object) -> str | None:
    if isinstance(operand, Tag):
        return operand.name
    return operand.tag if isinstance(operand, Let) and not operand.op.parts() else None


def _is_param(op_class: type[Operation] | None, index: int, count: int) -> bool:
    if op_class is not None and issubclass(op_class, GraphOp):
        # The params of a graph op are its last inputs.
        return index >= count - len(params_of(op_class))
    if op_class is None or not issubclass(op_class, NativeOp) or not op_class.OPERANDS:
        return False
    names = op_class.names_of(count) or op_class.OPERANDS
    name = names[min(index, len(names) - 1)].removesuffix("...")
    return name in op_class.PARAMS or name in op_class.SHAPES
