"""Tensors by name, of a run or of a file, and the difference of two: its largest error, and where.

The tolerance of a tensor, the error that is not a fault, is the coarsest of its dtype and of those
that it is computed from.

The name is that of the model's node whose result a tensor is, so that levels can be joined. Marks
join tensors of no node in two modules: the place of the op, and the structure. The structure
of a tensor is its op with those of its operands, in order: two tensors have one structure where ops
of the same names and types compute both from the same inputs. Attributes, with the data of
constants, do not count. Equal marks are numbered in order.

A structure is a digest of digests, of which each value has one. Cost: linear in the uses.
Example: of `a = Relu(x); b = Relu(x); c = Neg(b)` a and b are #1 and #2 of one structure; c is
joined with the Neg of `d = Relu(x); e = Neg(d)`, since a and b are computed alike.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf, isfinite, log10
from pathlib import Path

import numpy as np
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.diagnostics import fail
from ...dialects.htp.ops.copies import CopyOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.locations import node_of, position_of
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ...dialects.value import DType, TensorSpec
from ..files.arrays import read_npz, write_npz
from ..functions.support.arrays import Array
from ..program.program import Bindings, Program
from ..session.observer import Observer, StepView

FLOATS = {DType.Float64: 1e-9, DType.Float32: 1e-5, DType.Float16: 4e-3, DType.BFloat16: 3e-2}
"""Largest error of a float that is not a fault, relative to the largest value of its tensor.

That is some 100 roundings of f32 and 4 of f16 and bf16 in one direction. Passes that compute sums
in another order, over the depth of a whole model, stay at a sixth of that and less.
"""
_STEPS = 2
"""Largest error of a quantised tensor that is not a fault, in steps of its encoding."""
_COARSE = 0.25
"""The tolerance of floats of 8 bits and less, relative to the largest value."""


def tolerance_of(spec: TensorSpec) -> float:
    """Return the tolerance of a tensor by its dtype, relative to its largest value."""
    if spec.dtype.is_quantized:
        levels = 1 << 8 * min(spec.dtype.itemsize, 2)
        return _STEPS / (levels - 1)
    return FLOATS.get(spec.dtype, _COARSE) if spec.dtype.is_float else 0.0


def tolerances(program: Program) -> dict[SSAValue, float]:
    """Return the tolerance of every value of a program that is not a constant."""
    known: dict[SSAValue, float] = {}
    for value, at in program.allocations.items():
        if value not in program.constants:
            owner = value.owner
            read = owner.operands if isinstance(owner, Operation) else ()
            known[value] = max(
                tolerance_of(at.spec), *(known.get(operand, 0.0) for operand in read), 0.0
            )
    return known


@dataclass(frozen=True)
class Difference:
    """The element that differs most: its place, both values, its error and the error allowed.

    `count` of the `size` elements differ by more than that. An error is infinite where one value
    alone is not a number. `decibels` is the signal to noise ratio.
    """

    place: tuple[int, ...]
    shape: tuple[int, ...]
    value: float
    wanted: float
    error: float
    allowed: float
    count: int
    decibels: float

    @property
    def is_fault(self) -> bool:
        """Tell whether the error is larger than allowed."""
        return self.count > 0

    @property
    def ratio(self) -> float:
        """The error in units of what is allowed; infinite where nothing is."""
        if self.allowed:
            return self.error / self.allowed
        return float("inf") if self.error else 0.0

    def __str__(self) -> str:
        where = f"[{', '.join(map(str, self.place))}] of {dims(self.shape)}"
        return (
            f"by {self.error:.3g} at {where}: {self.value:.6g} is not {self.wanted:.6g}; "
            f"allowed is {self.allowed:.3g}"
        )


def dims(shape: tuple[int, ...]) -> str:
    """Write a shape as messages do."""
    return "x".join(map(str, shape)) or "a scalar"


def alike(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether two shapes are the same but for dims of 1."""
    return [n for n in shape if n != 1] == [n for n in other if n != 1]


def signal_to_noise(signal: Array, other: Array) -> float:
    """Return the signal to noise ratio of another array in dB; infinite without noise."""
    exact, actual = signal.astype(np.float64), other.astype(np.float64)
    with np.errstate(all="ignore"):
        noise = np.where(exact == actual, 0.0, exact - actual)
        power, total = float((noise**2).sum()), float((exact**2).sum())
    if power == 0:
        return inf
    return 10 * log10(total / power) if total and isfinite(total / power) else -inf


def difference(array: Array, wanted: Array, tolerance: float) -> Difference:
    """Compare two arrays of one shape, but for dims of 1; the place is that in the first.

    `tolerance` is relative to the largest finite value of `wanted`.
    """
    first = array.astype(np.float64)
    second = wanted.astype(np.float64).reshape(first.shape)
    finite = np.abs(second[np.isfinite(second)])
    allowed = tolerance * float(np.max(finite, initial=0.0))
    with np.errstate(all="ignore"):
        same = (first == second) | (np.isnan(first) & np.isnan(second))
        errors = np.where(same, 0.0, np.abs(first - second))
    errors[np.isnan(errors)] = np.inf
    count = int((errors > allowed).sum())
    if not errors.size:
        return Difference((), array.shape, 0.0, 0.0, 0.0, allowed, 0, inf)
    place = tuple(int(i) for i in np.unravel_index(int(errors.argmax()), errors.shape))
    return Difference(
        place,
        array.shape,
        float(first[place]),
        float(second[place]),
        float(errors[place]),
        allowed,
        count,
        signal_to_noise(second, first),
    )


INNER = "|"
"""Stands between node and op in the name of a tensor that is not a node's result."""


_HANDING_ON = (CopyOp, ReshapeOp, GraphReshapeOp)


def is_joined(name: str) -> bool:
    """Tell whether a name is that of a node's result, an input or an output."""
    return INNER not in name


def node_results(program: Program) -> dict[str, SSAValue]:
    """Return the result of each node of the model: the first one of its last op.

    Copies and Reshapes, which hand a value on, count only in a node without other ops.
    """
    firsts = [value for value in _computed(program) if value.index == 0]
    results: dict[str, SSAValue] = {n: value for value in firsts if (n := node_of(value.op))}
    computed = (value for value in firsts if not isinstance(value.op, _HANDING_ON))
    return results | {n: value for value in computed if (n := node_of(value.op))}


def node_tensors(program: Program) -> dict[str, list[SSAValue]]:
    """Return the result of each node, and behind it what may be the result on another level.

    That are the first results of the node's other ops, without those that hand a value on, unless
    the node has no others.
    """
    tensors = {node: [value] for node, value in node_results(program).items()}
    for value in (value for value in _computed(program) if value.index == 0):
        result, *others = tensors.get(node_of(value.op), [value])
        plain = isinstance(result.owner, _HANDING_ON) or not isinstance(value.op, _HANDING_ON)
        if plain and value is not result:
            tensors[node_of(value.op)] = [result, *others, value]
    return tensors


def named_tensors(program: Program) -> dict[str, SSAValue]:
    """Name every tensor of a program that is not a constant: inputs, outputs, then all in order.

    The result of a node has the node's name (`conv1`), any other tensor also its op's,
    `conv1|htp.Pad`, and `conv1|htp.Pad#2` where that is the second one. Inputs and outputs have
    their own names; an output that is a node's result has both.
    """
    outputs = {n: value for n, value in program.outputs.items() if value not in program.constants}
    names, counts = {**outputs, **program.inputs}, Counter[str]()
    named = set(names.values())
    nodes = {value: node for node, value in node_results(program).items()}
    for value in _computed(program):
        name = nodes.get(value, f"{node_of(value.op)}{INNER}{value.op.name}")
        if value in named and value not in nodes:
            continue
        counts[name] += 1
        names.setdefault(name if counts[name] == 1 else f"{name}#{counts[name]}", value)
    return names


def _computed(program: Program) -> list[OpResult]:
    """List the tensors of ops that are not constants, in order."""
    block = program.steps[0].op.parent if program.steps else None
    ops = [op for op in block.ops if not op.has_trait(ConstantLike)] if block else []
    values = [value for op in ops for value in op.results if value in program.allocations]
    # Copies of constants that stay in TCM are constants of the program, too.
    return [value for value in values if value not in program.constants]


class Probe(Observer):
    """Keeps the tensors of the last run by their values in the module, as real numbers.

    Constants are left out. Floats of 16 bits stay so; quantised tensors are dequantised. A view of
    another tensor, and a tensor that others are written into, is kept once its bytes are complete.

    Example: `probe = Probe(); Session(module, observers=[probe]).run(feeds); probe.values`
    """

    def __init__(self) -> None:
        self.values: dict[SSAValue, Array] = {}
        """The tensors by value, in the order in which they were complete."""

    def attached(self, program: Program, bindings: Bindings) -> None:
        """Find out after which step each tensor is complete."""
        self.program = program
        self._bindings = bindings
        self._given = list(program.inputs.values())
        self._complete: dict[int, list[SSAValue]] = defaultdict(list)
        last = dict.fromkeys(self._given, -1)
        written = {*program.constants, *self._given}
        for index, step in enumerate(program.steps):
            for value in step.writes:
                last[program.origin(value)] = index
            written.update(step.writes)
            self._complete[index] += [v for v in step.writes if v not in program.constants]
        for value in program.allocations:
            step_of = last.get(program.origin(value))
            if value in written or step_of is None or program.origin(value) in program.constants:
                continue
            if step_of < 0:
                self._given.append(value)
            else:
                self._complete[step_of].append(value)

    def begins(self) -> None:
        """Forget the run before, and keep the inputs."""
        self.values.clear()
        self._keep(self._given)

    def after(self, view: StepView) -> None:
        """Keep what is complete after a step."""
        if view.ready():
            self._keep(self._complete[view.index])

    def _keep(self, values: list[SSAValue]) -> None:
        for value in values:
            tensor = self._bindings.tensor(value)
            real = tensor.spec.quant is not None or tensor.spec.dtype.extends_numpy
            self.values[value] = (tensor.load() if real else tensor.stored()).copy()


Marks = Mapping[str, tuple[str, ...]]
"""The marks of each tensor, `place ...` and `structure ...`, the best first."""


def marks(program: Program, names: Mapping[str, SSAValue]) -> dict[str, tuple[str, ...]]:
    """Mark the tensors of a program."""
    known = {value: f"input {name}" for name, value in program.inputs.items()}
    counts, marked = Counter[str](), {}
    for name, value in names.items():
        texts = [f"structure {structure(value, known)}"]
        if isinstance(value.owner, Operation) and (place := position_of(value.owner)):
            texts.insert(0, f"place {place} {value.owner.name}")
        counts.update(texts)
        marked[name] = tuple(f"{text}#{counts[text]}" for text in texts)
    return marked


def structure(value: SSAValue, known: dict[SSAValue, str]) -> str:
    """Return the digest of how a value is computed; `known` has inputs, and gets what is asked."""
    waiting = [value]
    while waiting:
        owner = waiting[-1].owner
        operands = owner.operands if isinstance(owner, Operation) else ()
        unknown = [operand for operand in operands if operand not in known]
        if unknown and waiting[-1] not in known:
            waiting += unknown
            continue
        last = waiting.pop()
        if last not in known and isinstance(last, OpResult):
            kinds = [last.op.name, str(last.index), str(last.type)]
            parts = [*kinds, *(known[each] for each in operands)]
            known[last] = sha256("\0".join(parts).encode()).hexdigest()
        known.setdefault(last, "argument")
    return known[value]


_TOLERANCES = "|tolerances"
"""The entry of a file with the tolerance of each of the others, in their order."""
_PARTS = "|parts"
"""The entry of a file with the names of tensors that may be the results of their nodes."""


@dataclass(frozen=True)
class Recording:
    """Tensors by name, and the tolerance of each, relative to its largest value.

    `parts` are names inside of nodes that on another level may be the node's result; `marks` join
    tensors of no node. A file has none.
    """

    arrays: Mapping[str, Array]
    tolerances: Mapping[str, float]
    parts: frozenset[str] = frozenset()
    marks: Marks = field(default_factory=dict)

    @property
    def lacks_nodes(self) -> bool:
        """Most tensors are of no node of the model."""
        return 2 * sum(name.startswith(INNER) for name in self.arrays) > len(self.arrays)


class TensorRecorder(Probe):
    """Keeps every tensor of every run by its name.

    Example: `recorder = TensorRecorder(); Session(module, observers=[recorder]).run(feeds)`
    """

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[dict[str, Array]] = []

    def ends(self) -> None:
        """Name what the run gave."""
        names = named_tensors(self.program).items()
        self._runs.append({n: self.values[v] for n, v in names if v in self.values})

    def recording(self, stacked: bool = False) -> Recording:
        """Return the tensors of the last run; `stacked`: of all runs, along a new leading axis.

        A tensor that did not run in one of them is then left out.
        """
        allowed, names = tolerances(self.program), named_tensors(self.program)
        by_name = {name: allowed[value] for name, value in names.items()}
        arrays = stack(self._runs) if stacked else self._runs[-1]
        inner = {value for values in node_tensors(self.program).values() for value in values[1:]}
        parts = frozenset(name for name, value in names.items() if value in inner)
        kept = {name: by_name[name] for name in arrays}
        return Recording(arrays, kept, parts & arrays.keys(), marks(self.program, names))


def stack(runs: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Stack the tensors that every run has."""
    names = [name for name in runs[0] if all(name in run for run in runs)] if runs else []
    return {name: np.stack([run[name] for run in runs]) for name in names}


def write_recording(path: str | Path, recording: Recording) -> None:
    """Write the tensors to an .npz file by their names, and what tells their tolerances."""
    allowed = np.array([recording.tolerances[name] for name in recording.arrays], np.float64)
    parts = np.array(sorted(recording.parts), np.str_)
    write_npz(path, {**recording.arrays, _TOLERANCES: allowed, _PARTS: parts})


def read_recording(path: str | Path) -> Recording:
    """Read tensors from a file of `write_recording`, or any .npz file, by the dtypes in it."""
    arrays = read_npz(path)
    stated, parts = arrays.pop(_TOLERANCES, None), arrays.pop(_PARTS, np.array([], np.str_))
    if odd := [name for name, array in arrays.items() if array.dtype.kind not in "biuf"]:
        problem = f"'{odd[0]}' has no real numbers, but {arrays[odd[0]].dtype}"
        raise fail(str(path), problem, "write the file anew by htp probe")
    if stated is None:
        sizes = {d.storage: FLOATS[d] for d in FLOATS if not d.extends_numpy}
        return Recording(arrays, {n: sizes.get(a.dtype, 0.0) for n, a in arrays.items()})
    if stated.shape != (len(arrays),) or stated.dtype != np.float64:
        problem = f"'{_TOLERANCES}' is no number for each tensor"
        raise fail(str(path), problem, "write the file anew by htp probe")
    by_name = dict(zip(arrays, stated.tolist(), strict=True))
    return Recording(arrays, by_name, frozenset(map(str, parts.flat)) & arrays.keys())
