"""The pass that lists the ops of a graph that a backend cannot run, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....dialects.diagnostics import Fault, HtpError, fail, listed
from ....dialects.faults.notes import note
from ....dialects.faults.op_faults import fault_at, grouped
from ....runtime.passes import run_passes, trial
from ...conversion.convert import conversion_faults
from ...packages.loading import packages_of
from .convert import BEFORE_CONVERSION
from .raise_ops import Raise

BLOCK_OPS: dict[str, frozenset[str]] = {
    "qti_aisw.Buffer": frozenset({"cpu", "lpai", "htp"}),
    "qti_aisw.MaskedSoftmax": frozenset({"cpu", "aic"}),
    "qti_aisw.StatefulGru": frozenset({"cpu", "lpai", "htp"}),
    "qti_aisw.StatefulLstm": frozenset({"cpu", "lpai", "htp"}),
}
"""The backends that run a block op as such. Source: QAIRT block op definitions."""

DECOMPOSED: dict[str, frozenset[str]] = {"qti_aisw.MaskedSoftmax": frozenset({"htp"})}
"""The backends for which lowering takes a block op apart."""

CONVERTED = frozenset({"htp"})
"""The backends for which every op is checked, by converting it."""

BACKENDS = ("aic", "cpu", "htp", "lpai")


@dataclass(frozen=True)
class CheckBackend(ModulePass):
    """Check a graph against a backend (`htp`, `cpu`, `lpai`, `aic`); the module is not changed.

    HtpError lists every op that the backend cannot take; an op that is taken apart is a note on
    standard error. For `htp` every op is checked, by converting it once parts are raised,
    ranks above 4 reduced and ops on empty tensors folded. Nodes of one op with one reason are one
    fault.
    Of the other backends only the block ops' support is documented, so only block ops are checked
    there.
    """

    name = "qti-check-backend"

    backend: str = "htp"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.backend not in BACKENDS:
            known = listed(self.backend, BACKENDS)
            raise fail(f"backend '{self.backend}'", "is not known", known)
        for fault in notes(op, self.backend):
            note(fault)
        faults = [*unsupported(op, self.backend)]
        if self.backend in CONVERTED:
            prepared = op.clone()
            with trial():
                run_passes(ctx, prepared, (Raise(), *BEFORE_CONVERSION))
            faults += conversion_faults(prepared, packages_of(ctx))
        if faults:
            raise HtpError(*grouped(faults))


def notes(module: ModuleOp, backend: str) -> Iterator[Fault]:
    """List the block ops that lowering takes apart for this backend."""
    for op in _block_ops(module):
        if backend in DECOMPOSED.get(op.name, ()):
            yield fault_at(op, f"is no op of backend {backend}", "it is decomposed")


def unsupported(module: ModuleOp, backend: str) -> Iterator[Fault]:
    """List the block ops that this backend neither has nor gets taken apart."""
    for op in _block_ops(module):
        able = BLOCK_OPS[op.name] | DECOMPOSED.get(op.name, frozenset())
        if backend not in able:
            where = ", ".join(sorted(BLOCK_OPS[op.name]))
            yield fault_at(op, f"is no op of backend {backend}", f"it runs on {where}")


def _block_ops(module: ModuleOp) -> Iterator[Operation]:
    return (op for op in module.walk() if op.name in BLOCK_OPS)
