"""The sections of docs/reference/core.md: each graph op's role, and the ops of the core."""

from collections.abc import Iterable, Mapping

from core_ops import CoreEntry, Role, core_entry
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw.base import GraphOp
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.patterns.properties import PROPERTIES
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernels import NATIVE

INTRO = """\
The native ops that graph ops become, found by lowering the example of each graph op and by reading
the rules. A graph op in the core becomes one native op of its own; any other is decomposed, by its
conversion or by rules, into ops of the core. Each op of the core is there because it has a kernel,
or keeps state; one with a reference kernel alone is there because no other ops say it.

What is refused, `qti-check-backend` and `htp support` say with the node, the reason and the
remedy: a graph op above rank 4 where the last column says no, a quantisation along a dim that
merges with others, a Buffer whose mode is BLOCKING, and an op of a package that is not loaded."""


def entries(examples: Mapping[type[GraphOp], str]) -> list[CoreEntry]:
    """Lower the example of every graph op."""
    ctx = installed().context()
    return [core_entry(op, examples[op], ctx) for op in GRAPH_OPS.values()]


def graph_rows(entries: Iterable[CoreEntry]) -> list[tuple[str, ...]]:
    """List each graph op, its role, what it becomes, with other params too, and its ranks."""
    return [
        (
            f"[{entry.op}](qti_aisw.md#{entry.op.lower()})",
            entry.role.value,
            entry.refusal or _becomes(entry),
            "yes" if entry.any_rank or entry.op == "Reshape" else "no",
        )
        for entry in entries
    ]


def _becomes(entry: CoreEntry) -> str:
    others = f"; with other params also {links(entry.others)}" if entry.others else ""
    return (links(entry.becomes) or "a view") + others


def core_rows(entries: Iterable[CoreEntry]) -> list[tuple[str, ...]]:
    """List each native op of the core, why it is one, where it runs and which graph ops need it."""
    users: dict[str, list[str]] = {}
    for entry in entries:
        if entry.role is not Role.REFUSED:
            for name in (*entry.becomes, *entry.others):
                users.setdefault(name, []).append(entry.op)
    return [(links([name]), _why(name), ", ".join(users[name])) for name in sorted(users)]


def _why(name: str) -> str:
    if name not in NATIVE_OPS:
        return "keeps state"
    if all(kernel.cost is Cost.GLACIAL for kernel in NATIVE.kernels(f"htp.{name}")):
        return "no other ops say it; reference kernel, ddr"
    demanded = PROPERTIES.get(name)
    if demanded is None:
        return "has kernels, ddr"
    kinds = (demanded.layout("*"), demanded.memory("*"))
    return f"has kernels, {', '.join(kind.value for kind in kinds if kind) or 'in any place'}"


def links(names: Iterable[str]) -> str:
    """Name native ops, each as a link to its part of their page."""
    return ", ".join(f"[{name}](htp.md#{name.lower().replace('.', '')})" for name in names)
