"""Lstm and Gru against the reference: directions, batches, lengths, every option."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.spec import FLAT_DDR, FLAT_TCM, Place, TensorSpec
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.tensors.tensor_classes import constant_tensor
from htp_mlir.runtime.tensors.tensors import Tensor

from ..harness import (
    computed,
    f32,
    held,
    ints,
    outcomes,
    poisoned,
    scalar,
    selected,
)

RNG = np.random.default_rng(0)
TOLERANCE = 3e-6
GATES = {"Lstm": 4, "Gru": 3}
STATES = {"Lstm": 2, "Gru": 1}
SIZES = [(5, 1, 3, 4), (7, 3, 9, 5), (1, 2, 1, 1), (3, 1, 33, 65)]
FORWARD, REVERSE, BOTH = range(3)


def random(*shape: int) -> np.ndarray:
    return RNG.normal(0, 0.7, shape).astype(np.float32)


class Example:
    """Operands of one layer, by name, and the specs of its results."""

    def __init__(
        self,
        op: str,
        sizes: tuple[int, int, int, int] = SIZES[0],
        direction: int = FORWARD,
        place: Place = FLAT_TCM,
        weights: tuple[Place, Place] = (FLAT_DDR, FLAT_TCM),
    ) -> None:
        seq, batch, inputs, hidden = sizes
        self.op, dirs, gates = op, 2 if direction == BOTH else 1, GATES[op]
        state = (1, dirs, batch, hidden)
        self.operands: dict[str, Tensor] = {
            "X": held(random(1, seq, batch, inputs), place),
            "W": held(random(1, dirs, gates * hidden, inputs), weights[0]),
            "R": held(random(1, dirs, gates * hidden, hidden), weights[1]),
            "B": held(random(1, 1, dirs, 2 * gates * hidden)),
            "lens": ints(*[seq] * batch),
            **{f"initial_{i}": held(random(*state)) for i in range(STATES[op])},
        }
        if op == "Lstm":
            self.operands["P"] = held(np.zeros((1, 1, dirs, 3 * hidden), np.float32))
        self.operands |= {
            "direction": scalar(direction, np.int32),
            "clip": scalar(0.0),
            "option": scalar(0, np.int32),
        }
        self.specs: list[TensorSpec] = [f32((seq, dirs, batch, hidden), place)]
        self.specs += [f32(state)] * STATES[op]

    def constant(self, *names: str) -> None:
        """Make these operands constants; all but the data without names."""
        for name in names or [name for name in self.operands if name != "X"]:
            operand = self.operands[name]
            self.operands[name] = constant_tensor(operand.spec, operand.stored())

    def pin(self, count: int, place: Place) -> None:
        """Take the recurrent weights of the first elements of a state apart, into this memory."""
        weights = self.operands["R"]
        array, spec = weights.stored(), weights.spec
        pinned, rest = (np.ascontiguousarray(part) for part in np.split(array, [count], axis=-1))
        self.operands["R"] = held(rest, spec.place or FLAT_DDR)
        self.operands["R_pinned"] = held(pinned, place)
        self.op = f"{self.op}.pinned"

    def check(self) -> None:
        for outcome in outcomes(self.op, self.specs, list(self.operands.values())):
            outcome.check(TOLERANCE)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("direction", [FORWARD, REVERSE, BOTH])
def test_sizes_and_directions(op: str, sizes: tuple[int, int, int, int], direction: int) -> None:
    example = Example(op, sizes, direction)
    example.check()
    example.constant()
    example.check()


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("place", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("w", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("r", [FLAT_DDR, FLAT_TCM])
def test_memories(op: str, place: Place, w: Place, r: Place) -> None:
    example = Example(op, place=place, weights=(w, r))
    operands = list(example.operands.values())
    assert selected(op, example.specs, operands).cost is Cost.FAST
    example.check()


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("place", [FLAT_DDR, FLAT_TCM])
@pytest.mark.parametrize("count", [1, 3])
def test_weights_in_two_parts_are_those_in_one(op: str, place: Place, count: int) -> None:
    whole, parts = Example(op, direction=BOTH), Example(op, direction=BOTH)
    parts.operands = dict(whole.operands)
    parts.pin(count, place)
    assert selected(parts.op, parts.specs, list(parts.operands.values())).cost is Cost.FAST
    parts.check()
    one, other = (computed(e.op, e.specs, [*e.operands.values()]) for e in (whole, parts))
    for array, wanted in zip(other, one, strict=True):
        np.testing.assert_allclose(array, wanted, atol=TOLERANCE)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("clip", [0.0, 0.4])
@pytest.mark.parametrize("option", [0, 1])
def test_clip_and_option(op: str, batch: int, clip: float, option: int) -> None:
    """The option is input_forget of Lstm, linear_before_reset of Gru."""
    example = Example(op, (5, batch, 3, 4), BOTH)
    example.operands |= {"clip": scalar(clip), "option": scalar(option, np.int32)}
    example.check()
    example.constant()
    example.check()


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("clip", [0.0, 0.4])
def test_peepholes(batch: int, clip: float) -> None:
    example = Example("Lstm", (5, batch, 3, 4), BOTH)
    example.operands |= {"P": held(random(1, 1, 2, 12)), "clip": scalar(clip)}
    example.check()
    example.constant()
    example.check()


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", [FORWARD, REVERSE, BOTH])
@pytest.mark.parametrize("lengths", [(0,), (3,), (5, 0, 2), (1, 5, 5)])
def test_lengths(op: str, direction: int, lengths: tuple[int, ...]) -> None:
    example = Example(op, (5, len(lengths), 3, 4), direction)
    example.operands["lens"] = ints(*lengths)
    example.check()
    example.constant()
    example.check()


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("length", [-1, 6])
def test_a_wrong_length_fails_the_run(op: str, length: int) -> None:
    example = Example(op)
    example.operands["lens"] = ints(length)
    operands = list(example.operands.values())
    kernel = selected(op, example.specs, operands)
    call = kernel.bind([poisoned(spec) for spec in example.specs], operands)
    with pytest.raises(HtpError, match=rf"sequence length {length} is outside \[0, 5\]"):
        call()


@pytest.mark.parametrize("op", GATES)
def test_weights_that_change_are_read_on_every_run(op: str) -> None:
    example = Example(op)
    operands = list(example.operands.values())
    outputs = [poisoned(spec) for spec in example.specs]
    call = selected(op, example.specs, operands).bind(outputs, operands)
    call()
    for name in ("W", "R", "B"):
        example.operands[name].array[...] *= 2
    call()
    expected = [poisoned(spec) for spec in example.specs]
    selected(op, example.specs, operands).bind(expected, operands)()
    for output, wanted in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(output.array, wanted.array)
