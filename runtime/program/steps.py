"""The kinds of steps, and the call of each over a session's memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ..functions.support.arrays import Array
from ..kernel.kernel import Call, Kernel
from ..kernel.library import Evaluator, StatefulEvaluator
from ..tensors.tensors import Tensor
from .program import Allocation, Bindings


@dataclass(frozen=True)
class OpStep:
    """A step of an op: its label, the tensors that it reads and writes, its scratch."""

    op: Operation
    label: str
    reads: tuple[SSAValue, ...]
    writes: tuple[SSAValue, ...]
    scratch: tuple[Allocation, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class KernelStep(OpStep):
    """A native op: its kernel on its tensors; `operands` are those it reads and its shapes.

    `copies_to_tcm`: it copies a tensor to TCM unchanged. `overwrites`: the operand on whose bytes
    its result may lie.
    """

    kernel: Kernel
    operands: tuple[SSAValue, ...]
    copies_to_tcm: bool = field(default=False, kw_only=True)
    overwrites: SSAValue | None = field(default=None, kw_only=True)

    def bind(self, bindings: Bindings) -> Call:
        """Bind the kernel."""
        outputs = [bindings.tensor(value) for value in self.writes]
        operands = [bindings.operand(value) for value in self.operands]
        return self.kernel.bind(outputs, operands, [bindings.scratch(h) for h in self.scratch])


@dataclass(frozen=True)
class StartStep(KernelStep):
    """The first half of a copy, which makes all of it; the checker makes it again at the wait."""


@dataclass(frozen=True)
class WaitStep(OpStep):
    """The second half of a copy: its tensor may be read from now on; `start` is the first half."""

    start: StartStep

    def bind(self, bindings: Bindings) -> None:
        """Nothing is left to do."""


@dataclass(frozen=True)
class LoadStep(OpStep):
    """A constant in TCM: loaded once, or on every run if other tensors use its bytes."""

    source: Tensor
    resident: bool = False

    def bind(self, bindings: Bindings) -> Call | None:
        """Copy the constant at once, for kernels that are bound next, and on every run."""
        (value,) = self.writes
        load = partial(np.copyto, bindings.tensor(value).bytes, self.source.bytes)
        load()
        return None if self.resident else load


@dataclass(frozen=True)
class ReadStep(OpStep):
    """A state's value, or `init` where there is none or reset is true."""

    symbol: str

    def bind(self, bindings: Bindings) -> Call:
        """Copy from the state or from init."""
        init, reset = (bindings.tensor(value) for value in self.reads)
        out, cell = bindings.tensor(self.writes[0]), bindings.cell(self.symbol)

        def run() -> None:
            fresh = bool(reset.array.any()) or not cell.readable
            out.pack_from(init.stored() if fresh else cell.value)

        return run


@dataclass(frozen=True)
class WriteStep(OpStep):
    """A state's next value."""

    symbol: str

    def bind(self, bindings: Bindings) -> Call:
        """Copy into the state; the value is pending until the run succeeds."""
        value, cell = bindings.tensor(self.reads[0]), bindings.cell(self.symbol)
        return lambda: cell.put(value.stored())


@dataclass(frozen=True)
class GraphStep(OpStep):
    """A graph op without state."""

    op: GraphOp
    operands: tuple[SSAValue | None, ...]
    evaluate: Evaluator

    def bind(self, bindings: Bindings) -> Call:
        """Evaluate, from stored values to stored values."""
        inputs = _tensors(bindings, self.operands)
        outputs = [bindings.tensor(value) for value in self.writes]

        def run() -> None:
            _store(outputs, self.evaluate(self.op, _arrays(inputs)))

        return run


@dataclass(frozen=True)
class StatefulStep(OpStep):
    """A graph op with states; `switch` tells the steps after it whether its results are ready."""

    op: GraphOp
    operands: tuple[SSAValue | None, ...]
    reset: SSAValue | None
    evaluate: StatefulEvaluator
    symbols: tuple[str, ...]
    switch: int

    def bind(self, bindings: Bindings) -> Call:
        """Make one step of the op; its new states are pending until the run succeeds."""
        tensors = _tensors(bindings, self.operands)
        outputs = [bindings.tensor(value) for value in self.writes]
        cells = [bindings.cell(symbol) for symbol in self.symbols]
        reset = None if self.reset is None else bindings.tensor(self.reset)

        def run() -> None:
            fresh = (reset is not None and bool(reset.array.any())) or not cells[0].written
            inputs, old = _arrays(tensors), [cell.committed for cell in cells]
            before = self.evaluate.initial_state(self.op, inputs) if fresh else old
            results, after = self.evaluate.step(self.op, inputs, before)
            for cell, value in zip(cells, after, strict=True):
                cell.put(value)
            bindings.switches[self.switch] = results is not None
            _store(outputs if results is not None else [], results or ())

        return run


def _tensors(bindings: Bindings, operands: Sequence[SSAValue | None]) -> list[Tensor | None]:
    return [None if value is None else bindings.tensor(value) for value in operands]


def _arrays(tensors: Sequence[Tensor | None]) -> list[Array | None]:
    return [None if tensor is None else tensor.array for tensor in tensors]


def _store(outputs: Sequence[Tensor], results: Sequence[Array]) -> None:
    for out, result in zip(outputs, results, strict=True):
        out.store_raw(np.asarray(result))
