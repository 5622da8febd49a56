"""Checked insertion of a replacement into the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.traits import Pure

from ....dialects.checks import text
from ....dialects.spec_of import spec_of
from ....dialects.value.spec import TensorSpec
from ..graph.types import EvaluationError


def check_result(root: Operation, value: SSAValue, spec: TensorSpec) -> None:
    """Check that the value has the root's spec, at any place, and does not read the root."""
    new = spec_of(value)
    if new.shape != spec.shape or not new.same_encoding(spec):
        raise EvaluationError(
            f"it gives {text(new.shape)} {new.dtype.name}{_quant(new)}, "
            f"the root gives {text(spec.shape)} {spec.dtype.name}{_quant(spec)}"
        )
    for result in root.results:
        if any(use.operation.parent is None for use in result.uses):
            raise EvaluationError(f"it reads {root.name}, which it replaces")


def put_in_place(root: Operation, value: SSAValue, new: Sequence[Operation]) -> None:
    """Insert the new ops, let the root's users read the new value, and erase dead ops."""
    block = root.parent
    if block is None:
        raise ValueError(f"{root.name} is in no block")
    block.insert_ops_before(new, root)
    old = root.results[0]
    if value.name_hint is None:
        value.name_hint = old.name_hint
    old.replace_all_uses_with(value)
    erase_dead([root])


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


def _quant(spec: TensorSpec) -> str:
    return f" ({spec.quant.scale:g}:{spec.quant.zero_point})" if spec.quant else ""
