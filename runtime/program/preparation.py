"""From a module of any level to a program: allocations for its values, a step for each op.

The level is not stated: types give layout and memory, ops give the work.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import WEIGHTS
from ...dialects.diagnostics import HtpError, fail, listed
from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.faults.op_faults import relocated
from ...dialects.htp import ConstOp, NativeOp, ReshapeOp, ShapeOp, ShapeType
from ...dialects.htp.in_place import LINE_BY_LINE, Share, is_in_place, shares
from ...dialects.htp.ops.copies import STARTS, CopyWaitOp, StartOp
from ...dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.custom import TORCH, CustomOp
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ...dialects.text.constant import Constant
from ...dialects.value import RANK, Memory, TensorSpec
from ..installed.environment import installed, way_down
from ..kernel.kernel import Kernel, Operand, described
from ..kernel.library import LIBRARY, Library, StatefulEvaluator, graph_operands
from ..tensors.tensor_classes import constant_tensor
from ..tensors.tensors import ShapeParam
from .boundary import inputs_of, main_function, op_label, outputs_of
from .placing import Allocator, require_disjoint, scratch_specs, tensor_spec
from .program import (
    Allocation,
    GraphStep,
    KernelStep,
    LoadStep,
    Program,
    ReadStep,
    Region,
    StartStep,
    StatefulStep,
    Step,
    WaitStep,
    WriteStep,
)
from .state import StateSpec


def _load_resident_constants(program: Program) -> None:
    """Load at binding: constants in TCM, and copies of constants, that keep their bytes."""
    occupied = _Occupied(program)
    loaded = {id(step): _loaded(program, step, occupied) for step in program.steps}
    program.steps[:] = [
        loaded[id(step)]
        for step in program.steps
        if not (isinstance(step, WaitStep) and isinstance(loaded[id(step.start)], LoadStep))
    ]


class _Occupied:
    """The bytes of TCM that each tensor of a program, or scratch, ever uses."""

    def __init__(self, program: Program) -> None:
        self._program = program
        owners: list[tuple[SSAValue | None, Allocation]]
        owners = [(program.origin(value), at) for value, at in program.allocations.items()]
        owners += [(None, at) for step in program.steps for at in step.scratch]
        in_tcm = [(owner, at) for owner, at in owners if at.region is Region.TCM]
        self._owners = np.array([id(owner) for owner, _ in in_tcm], np.uint64)
        self._starts = np.array([at.offset for _, at in in_tcm], np.int64)
        self._ends = np.array([at.end for _, at in in_tcm], np.int64)

    def alone(self, value: SSAValue) -> bool:
        """Tell whether no other tensor ever has a byte of a TCM value."""
        at: Allocation = self._program.allocations[value]
        met = (self._starts < at.end) & (at.offset < self._ends)
        return not bool((met & (self._owners != id(self._program.origin(value)))).any())


def _loaded(program: Program, step: Step, occupied: _Occupied) -> Step:
    """The step, or a load step in its place, whose constant kernels may use when they are bound."""
    if isinstance(step, LoadStep):
        return replace(step, resident=occupied.alone(step.writes[0]))
    if not isinstance(step, KernelStep) or not step.copies_to_tcm:
        return step
    source = program.constants.get(step.reads[0])
    if source is None or not occupied.alone(step.writes[0]):
        return step
    program.constants[step.writes[0]] = source
    return LoadStep(step.op, step.label, (), (step.writes[0],), source, resident=True)


random_weights: ContextVar[bool] = ContextVar("random_weights", default=False)
"""True where a module may run that has random numbers in place of its weights."""


def require_weights(module: ModuleOp, otherwise: str) -> None:
    """HtpError for a module whose weights were not at hand, unless `random_weights` is set."""
    if (absent := module.attributes.get(WEIGHTS)) and not random_weights.get():
        problem = f"the weights of {absent} are not at hand, and {otherwise}"
        remedy = "lay their archive beside it and read it again, or give --random-weights"
        raise fail("model", problem, remedy)


RESET = "reset"
"""The operand of a stateful graph op that starts its state anew."""


@arguments(module=MODULE, library=LIBRARY)
def prepare(module: ModuleOp, library: Library | None = None) -> Program:
    """Give values memory and ops kernels; HtpError where an op cannot run or tensors overlap.

    Sessions may share the program. The module must not change while it is in use. HtpError, too,
    for a module whose weights were not at hand, unless `random_weights` is set.
    """
    function = main_function(module)
    require_weights(module, "it would run on random ones")
    program = Program()
    placer = Allocator(module, function, program)
    work = _ProgramWork(program, placer, library or installed().library)
    for op in module.body.block.ops:
        if isinstance(op, StateOp):
            program.states.append(StateSpec(op.symbol, op.spec.shape, op.spec.dtype.storage))
    program.inputs = inputs_of(function)
    for name, value in program.inputs.items():
        placer.place(value, f"input '{name}'")
    for index, op in enumerate(function.body.block.ops):
        label = op_label(op, index)
        try:
            _add(work, op, label)
        except HtpError as error:
            raise relocated(error, op, label) from error
    program.outputs = outputs_of(function)
    placer.finish()
    _load_resident_constants(program)
    placer.share_over_time()
    require_disjoint(program)
    return program


@dataclass(frozen=True)
class _ProgramWork:
    """The program under construction, with all that the handlers of ops read."""

    program: Program
    placer: Allocator
    library: Library
    starts: dict[SSAValue, StartStep] = field(default_factory=dict)


def _add(work: _ProgramWork, op: Operation, label: str) -> None:
    for value in op.operands:
        if value not in work.program.allocations and value not in work.program.shapes:
            raise fail(label, "uses a value that is made after it", "define values before uses")
    steps = work.program.steps
    match op:
        case Constant() | ConstOp():
            source = constant_tensor(tensor_spec(op.out, label), op.array)
            work.placer.place_constant(op.out, source, label)
            if source.spec.memory is Memory.TCM:
                steps.append(LoadStep(op, label, (), (op.out,), source))
        case ShapeOp():
            if isinstance(op.out.type, ShapeType):
                work.program.shapes[op.out] = ShapeParam(op.out.type.get_shape())
        case ReshapeOp() | GraphReshapeOp():
            _reshape(work, op, label)
        case CopyWaitOp():
            _wait(work, op, label)
        case NativeOp() if is_in_place(op):
            _in_place(work, op, label)
        case NativeOp():
            _kernel(work, op, label)
        case GraphOp():
            _graph(work, op, label)
        case StateReadOp():
            symbol = _known_state(work, op.symbol, label)
            work.placer.place(op.out, label)
            steps.append(ReadStep(op, label, (op.init, op.reset), (op.out,), symbol))
        case StateWriteOp():
            symbol = _known_state(work, op.symbol, label)
            steps.append(WriteStep(op, label, (op.value,), (), symbol))
        case ReturnOp():
            pass
        case _ if work.library.kernels.kernels(op.name):
            _kernel(work, op, label)
        case _:
            remedy = "only qti_aisw and htp ops, and ops of packages, can"
            raise fail(label, "cannot run", way_down(op.dialect_name(), remedy))


def _reshape(work: _ProgramWork, op: ReshapeOp | GraphReshapeOp, label: str) -> None:
    source, result = op.operands[0], op.results[0]
    if work.placer.alias(result, source, label):
        _gate(work.program, [result], work.program.gate([source]))
    elif isinstance(op, NativeOp):
        _kernel(work, op, label)
    else:
        _graph(work, op, label)


def _in_place(work: _ProgramWork, op: NativeOp, label: str) -> None:
    """Share bytes without a step: a slice with its input, the parts of a Concat with its result."""
    for share in shares(op):
        if share.part in op.results:
            work.placer.share(share, label)
        elif work.program.aliases.get(share.part) is not share.whole:
            remedy = "take the attribute in_place off"
            raise fail(label, "is in place, but a part has bytes of its own", remedy)


def _wait(work: _ProgramWork, op: CopyWaitOp, label: str) -> None:
    started, result = op.operands[0], op.results[0]
    work.placer.share(Share(result, started, (0,) * RANK), label)
    if started not in work.starts:
        raise fail(label, "waits for a copy that was not started", "start it first")
    start = work.starts[started]
    work.program.steps.append(WaitStep(op, label, (*start.reads, started), (), start))


def _known_state(work: _ProgramWork, symbol: str, label: str) -> str:
    names = [state.name for state in work.program.states]
    if symbol not in names:
        raise fail(label, f"state @{symbol} is not declared", listed(symbol, names))
    return symbol


def _kernel(work: _ProgramWork, op: Operation, label: str) -> None:
    shapes = work.program.shapes
    outputs = [work.placer.place(value, label) for value in op.results]
    operands = [shapes.get(value) or work.program.allocations[value].spec for value in op.operands]
    kernel = _choose(work.library, op, label, outputs, operands)
    if kernel.attributes:
        kernel = kernel.given(op)
    if op.name not in LINE_BY_LINE:
        _check_runs(work.program, op, label)
    work.program.shared |= kernel.shares
    reads = tuple(value for value in op.operands if value not in shapes)
    kind = StartStep if isinstance(op, StartOp) else KernelStep
    scratch = _scratch(work.placer, op, label, kernel.scratch_specs(outputs, operands, label))
    step = kind(
        op,
        label,
        reads,
        tuple(op.results),
        kernel,
        tuple(op.operands),
        scratch=scratch,
        copies_to_tcm=isinstance(op, NativeOp) and op.mnemonic().removesuffix(".start") in STARTS,
        overwrites=op.overwritten if isinstance(op, NativeOp) else None,
    )
    work.program.steps.append(step)
    if isinstance(step, StartStep):
        work.starts[op.results[0]] = step


def _check_runs(program: Program, op: Operation, label: str) -> None:
    for value in (*op.results, *op.operands):
        if value not in program.shapes and program.allocations[value].within:
            problem = "takes runs of bytes, but a tensor of it is a block within that of a join"
            raise fail(label, problem, "take the attribute in_place off the join")


def _scratch(
    placer: Allocator, op: Operation, label: str, wanted: tuple[TensorSpec, ...]
) -> tuple[Allocation, ...]:
    """Bytes for a kernel's scratch: where allocated IR says, and as the kernel wants them."""
    is_stated = isinstance(op, NativeOp) and op.scratch is not None
    stated = scratch_specs(op, label) if is_stated else wanted
    if tuple(s.with_place(s.place.unplaced()) if s.place else s for s in stated) != wanted:
        shown, actual = (", ".join(map(described, specs)) or "none" for specs in (wanted, stated))
        raise fail(label, f"its kernel has the scratch {shown}, the IR {actual}", "allocate again")
    return tuple(
        placer.allocate(spec, f"scratch {number} of {label}") for number, spec in enumerate(stated)
    )


def _choose(
    library: Library,
    op: Operation,
    label: str,
    outputs: Sequence[TensorSpec],
    operands: Sequence[Operand],
) -> Kernel:
    if not isinstance(op, NativeOp) or op.kernel is None:
        return library.kernels.select(op.name, outputs, operands)
    kernel = library.kernels.by_name(op.name, op.kernel.data)
    misfit = kernel.misfit(outputs, operands)
    if misfit is not None:
        raise fail(label, f"kernel {kernel.name} does not fit: {misfit}", "select kernels again")
    return kernel


def _graph(work: _ProgramWork, op: GraphOp, label: str) -> None:
    mnemonic = _mnemonic(op)
    for value in op.results:
        work.placer.place(value, label)
    if mnemonic in work.library.stateful:
        _stateful(work, op, label, work.library.stateful[mnemonic])
    elif isinstance(op, CustomOp) and mnemonic not in work.library.graph:
        problem = f"is {op.target} of an op package that the session does not know"
        own = "packages.library), or --package FILE"
        library = "torch_library()), or --fallback" if op.package.data == TORCH else own
        remedy = f"give it Session(module, library={library}"
        raise fail(label, problem, remedy)
    elif mnemonic in work.library.graph:
        operands = tuple(value for _, value in graph_operands(op))
        reads, writes = tuple(op.operands), tuple(op.results)
        evaluate = work.library.graph[mnemonic]
        work.program.steps.append(GraphStep(op, label, reads, writes, operands, evaluate))
        _gate(work.program, writes, work.program.gate(reads))
    else:
        raise fail(label, "has no evaluator", "lower it first")


def _stateful(work: _ProgramWork, op: GraphOp, label: str, evaluate: StatefulEvaluator) -> None:
    program = work.program
    named = graph_operands(op)
    operands, reset = tuple(value for _, value in named), dict(named).get(RESET)
    reads, writes = tuple(op.operands), tuple(op.results)
    symbols = _states(program, op, operands, evaluate)
    switch, program.switches = program.switches, program.switches + 1
    _gate(program, writes, program.gate(reads) | {switch})
    step = StatefulStep(
        op,
        label,
        reads,
        writes,
        operands,
        reset,
        evaluate,
        symbols,
        switch,
    )
    program.steps.append(step)


def _states(
    program: Program,
    op: GraphOp,
    operands: Sequence[SSAValue | None],
    evaluate: StatefulEvaluator,
) -> tuple[str, ...]:
    """Declare a graph op's states, named as the conversion to native ops names them.

    The name is the op's, its number among the ops with state, and the state's role.
    """
    specs = [None if value is None else program.allocations[value].spec for value in operands]
    zeros = [None if s is None else np.zeros(s.shape, s.dtype.storage) for s in specs]
    initial = evaluate.initial_state(op, zeros)
    symbols = []
    for role, value in zip(evaluate.names, initial, strict=True):
        symbols.append(f"{_mnemonic(op)}{program.switches}_{role}")
        program.states.append(StateSpec(symbols[-1], value.shape, value.dtype))
    return tuple(symbols)


def _gate(program: Program, values: Sequence[SSAValue], gate: frozenset[int]) -> None:
    if gate:
        program.gates.update(dict.fromkeys(values, gate))


def _mnemonic(op: Operation) -> str:
    return op.name.rpartition(".")[2]
