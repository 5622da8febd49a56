"""Bytes between main memory and the chip by node of the model, and what is in TCM at the peak."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.htp.ops.copies import SpillOp
from ...dialects.spec_of import spec_of
from ...dialects.value import Memory
from ...runtime.program.boundary import main_function
from ..levels import is_tensor, mnemonic, operand_label
from ..packages.packages import Packages
from ..passes.traffic import Transfer, TransferKind, traffic
from .residencies import TensorResidency, Why
from .sources import OpSource


@dataclass(frozen=True)
class NodeBytes:
    """The bytes that the ops of one node move, by kind; those that are padding, and a reason.

    The reason is that of most of the bytes.
    """

    node: str
    parts: Mapping[TransferKind, int]
    padding: int
    reason: str

    @property
    def bytes(self) -> int:
        """All bytes that the node moves."""
        return sum(self.parts.values())


def bytes_by_node(
    module: ModuleOp, packages: Packages, of: Mapping[Operation, OpSource]
) -> tuple[NodeBytes, ...]:
    """List the nodes that move bytes, the most first.

    An op of no node counts under its place in a text, or its name.
    """
    why = Why(packages.properties, main_function(module))
    moves: dict[str, list[Transfer]] = {}
    for move in traffic(module).transfers:
        source = of[move.op]
        moves.setdefault(source.node or source.origins or mnemonic(move.op), []).append(move)
    rows = (_row(node, own, why) for node, own in moves.items())
    return tuple(sorted(rows, key=lambda row: -row.bytes))


def _row(node: str, moves: Sequence[Transfer], why: Why) -> NodeBytes:
    parts, reasons = Counter[TransferKind](), Counter[tuple[TransferKind, str]]()
    for move in moves:
        parts[move.kind] += move.bytes
        reasons[move.kind, _cause(move, why)] += move.bytes
    ((kind, reason), _), *_ = reasons.most_common(1)
    padding = sum(move.padding for move in moves)
    return NodeBytes(node, dict(parts), padding, f"{kind.value}: {reason}")


def _cause(move: Transfer, why: Why) -> str:
    """Say why an op moves bytes; ops are named without their positions, so that they add up.

    One that computes from main memory names its largest tensor there.
    """
    op = move.op
    if DEFAULT_PLACEMENT in op.attributes:
        return f"{mnemonic(op)} does not fit the TCM"
    if move.kind not in (TransferKind.PARTS, TransferKind.DIRECT) or move.written > move.read:
        return why.cause(op.results[0]) if op.results else "the next state"
    sizes = {at: _bytes_in_ddr(value) for at, value in enumerate(op.operands)}
    largest = max(sizes, key=lambda at: sizes[at])
    spilled = ", which was spilled" * isinstance(op.operands[largest].owner, SpillOp)
    return f"{mnemonic(op)} reads '{operand_label(op, largest)}'{spilled}"


def _bytes_in_ddr(value: SSAValue) -> int:
    spec = spec_of(value) if is_tensor(value) else None
    return spec.nbytes if spec and spec.memory is Memory.DDR else 0


def at_peak(tensors: Sequence[TensorResidency]) -> tuple[TensorResidency, ...]:
    """List what is in TCM while the most bytes are, the largest first; parts of others left out."""
    own = [each for each in tensors if each.memory is Memory.TCM and not each.inside]
    change = Counter[int]()
    for each in own:
        change[each.first] += each.bytes
        change[each.last + 1] -= each.bytes
    steps = sorted(change)
    live = accumulate(change[step] for step in steps)
    peak = max(zip(live, steps, strict=True), key=lambda pair: pair[0], default=(0, 0))[1]
    there = (each for each in own if each.first <= peak <= each.last)
    return tuple(sorted(there, key=lambda each: -each.bytes))
