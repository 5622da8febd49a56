"""Ops that run from main memory as they do not fit the TCM, by the node that they come from."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.attributes import DEFAULT_PLACEMENT
from ....dialects.faults.op_faults import fail_at, title
from ....dialects.value import CHUNK_BYTES
from ....runtime.program.placing import declared_tcm
from ...levels import bodies
from ...patterns.tcm_need import tcm_need
from ...planner.tiling import least_need
from ...rules.graph.graph import Node
from ...rules.graph.tables import OpTables
from ..tiling.tile_program import TileReader

_SHOWN = 8
"""Nodes that are named one by one."""


@dataclass(frozen=True)
class TooLarge:
    """An op, or the tiles of it, without room in TCM: how many there are, and the largest need."""

    op: str
    count: int
    need: int

    def text(self, capacity: int | None) -> str:
        """Say what runs from main memory, and the bytes of TCM that it needs."""
        runs = f"{self.count} tiles of it run" if self.count > 1 else "runs"
        limit = "" if capacity is None else f", there are {capacity}"
        each = "one needs" if self.count > 1 else "it needs"
        return f"{runs} from main memory: {each} {self.need} bytes of TCM{limit}"


def too_large(module: ModuleOp, tables: OpTables) -> tuple[TooLarge, ...]:
    """List the ops with the mark `htp.home`, the largest need first; tiles of one op count once."""
    needs: dict[str, list[int]] = {}
    for op, need in _needs(module, tables):
        needs.setdefault(title(op), []).append(need)
    rows = (TooLarge(name, len(each), max(each)) for name, each in needs.items())
    return tuple(sorted(rows, key=lambda row: -row.need))


def _needs(module: ModuleOp, tables: OpTables) -> Iterator[tuple[Operation, int]]:
    for op in (op for block in bodies(module) for op in block.ops):
        if DEFAULT_PLACEMENT in op.attributes and op.results:
            need = tcm_need(tables, Node(op.results[0]), CHUNK_BYTES)
            yield op, min(need, _least(op, tables) or need)


def _least(op: Operation, tables: OpTables) -> int:
    """Count the bytes of TCM of the smallest tile that the planner would try of an op."""
    reader, twin = TileReader(tables), op.clone()
    del twin.attributes[DEFAULT_PLACEMENT]
    reader.read(twin)
    need = least_need(reader.program())
    twin.erase()
    return need


def warnings(module: ModuleOp, tables: OpTables) -> list[str]:
    """Write a line for each op that is too large for the TCM, then what to do; [] without any."""
    rows, capacity = too_large(module, tables), declared_tcm(module)
    if not rows:
        return []
    lines = [f"warning: {row.op}: {row.text(capacity)}" for row in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        lines.append(f"warning: {len(rows) - _SHOWN} further ops run from main memory")
    return [*lines, f"  give tcm-bytes={rows[0].need} at least, and all of them fit"]


def check_chunk_fits(module: ModuleOp, tables: OpTables, tcm_bytes: int) -> None:
    """Raise HtpError where an op needs a TCM that does not hold even a chunk."""
    needs = list(_needs(module, tables)) if tcm_bytes < CHUNK_BYTES else []
    if needs:
        op, need = max(needs, key=lambda pair: pair[1])
        problem = f"needs {need} bytes of TCM, there are {tcm_bytes}"
        problem += f", less than the {CHUNK_BYTES} of one chunk"
        remedy = f"give tcm-bytes={need} at least, or allow-reference=true for main memory"
        raise fail_at(op, problem, remedy)
