"""Checked insertion of a replacement into the graph.

New ops are verified once per form: class, types, constant operands, properties.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import Pure

from ....dialects.locations import pass_names
from ....dialects.spec_of import quant_text, spec_of, text
from ....dialects.text.constant import Constant
from ....dialects.value import TensorSpec
from ..definition.rule import Rule
from ..graph.graph import EvaluationError
from ..tree.build import Builder, NoChange, Reference


class FormVerifier:
    """A cache of valid forms. Keys are identities, so the identified objects are kept alive."""

    def __init__(self) -> None:
        self._valid: dict[Hashable, tuple[object, ...]] = {}

    def check(self, ops: Iterable[Operation]) -> None:
        """Verify each op of a new form; VerifyException names its fault."""
        for op in ops:
            # A verifier of ours reads types, properties, and constants among the operands.
            operands = [part for value in op.operands for part in (value.type, _constant(value))]
            results = [result.type for result in op.results]
            form = (None, *operands, None, *results, None, *op.properties.values())
            key = (type(op), *map(id, form))
            if key not in self._valid:
                op.verify_()
                self._valid[key] = form


def _constant(value: SSAValue) -> Attribute | None:
    owner = value.owner
    if not isinstance(owner, Constant):
        return None
    data: DenseIntOrFPElementsAttr = owner.value
    return data


def check_result(root: Operation, value: SSAValue, spec: TensorSpec) -> None:
    """Check that the value has the root's spec, at any place, and does not read the root."""
    new = spec_of(value)
    if new.shape != spec.shape or not new.same_encoding(spec):
        raise EvaluationError(
            f"it gives {text(new.shape)} {new.dtype.name}{quant_text(new)}, "
            f"the root gives {text(spec.shape)} {spec.dtype.name}{quant_text(spec)}"
        )
    for result in root.results:
        if any(use.operation.parent is None for use in result.uses):
            raise EvaluationError(f"it reads {root.name}, which it replaces")


Exchange = tuple[SSAValue, SSAValue]
"""A value of the graph, and the new one that its users read instead."""


class Rewriting(NamedTuple):
    """A replacement that is built and checked: what takes whose place, and where the ops go."""

    exchanges: Sequence[Exchange]
    new: Sequence[Operation]
    before: Operation

    def put_in_place(self) -> None:
        """Insert the new ops, let the users read the new values, and erase dead ops."""
        block = self.before.parent
        if block is None:
            raise ValueError(f"{self.before.name} is in no block")
        block.insert_ops_before(self.new, self.before)
        for old, value in self.exchanges:
            if value.name_hint is None:
                value.name_hint = old.name_hint
            old.replace_all_uses_with(value)
            pass_names(old, value)
        erase_dead(old.owner for old, _ in self.exchanges if isinstance(old.owner, Operation))


def rewriting(rule: Rule, builder: Builder, verifier: FormVerifier) -> Rewriting:
    """Build and check the replacement of a rule.

    EvaluationError or VerifyException where it is not valid, NoChange where it has no place.
    """
    root = builder.root
    first, spec = root.results[0], spec_of(root.results[0])
    value = rule.replacement.build(builder, Reference(spec))
    check_result(root, value, spec)
    for old, other in builder.further:
        check_result(root, other, spec_of(old))
        if any(use.operation.parent is None for use in old.uses):
            raise EvaluationError("it reads an inner op that it replaces, too")
    verifier.check(builder.new_ops)
    exchanges = [(first, value), *builder.further]
    new = {old for old, _ in exchanges}
    if any(result.uses for result in root.results if result not in new):
        raise NoChange
    before = _place(root, exchanges, builder.new_ops) if builder.further else root
    return Rewriting(exchanges, builder.new_ops, before)


def _place(root: Operation, exchanges: Sequence[Exchange], new: Sequence[Operation]) -> Operation:
    """Return the op behind all inputs of the new ops and in front of all users of what they give.

    NoChange where there is none.
    """
    block = root.parent
    if block is None:
        raise ValueError(f"{root.name} is in no block")
    places = {op: place for place, op in enumerate(block.ops)}
    sources = (value.owner for op in new for value in op.operands)
    ready = max((places.get(op, -1) for op in sources if isinstance(op, Operation)), default=-1)
    # Users that go away with what is replaced do not count.
    old_values = {old for old, _ in exchanges}
    owners = {old.owner for old in old_values if isinstance(old.owner, Operation)}
    gone = {op for op in owners if all(r in old_values or not r.uses for r in op.results)}
    work = list(gone)
    while work:
        for value in work.pop().operands:
            owner = value.owner
            if not isinstance(owner, Operation) or owner in gone or not owner.has_trait(Pure):
                continue
            if all(use.operation in gone for result in owner.results for use in result.uses):
                gone.add(owner)
                work.append(owner)
    readers = {use.operation for old, _ in exchanges for use in old.uses} - gone
    if any(places.get(reader, ready) <= ready for reader in readers):
        raise NoChange
    return next(op for op, place in places.items() if place > ready)


def erase_dead(ops: Iterable[Operation]) -> None:
    """Erase unused ops without effect, then the ops that only they used."""
    work = list(ops)
    while work:
        op = work.pop()
        if op.parent is None or any(result.uses for result in op.results):
            continue
        if not op.has_trait(Pure):
            continue
        work += [operand.owner for operand in op.operands if isinstance(operand.owner, Operation)]
        op.detach()
        op.erase()


def on_one_line(error: Exception) -> str:
    """Return the text of an error on one line; that of a verifier may have several."""
    return " ".join(str(error).split())
