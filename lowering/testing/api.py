"""Checks of rewrites by running them; what they need is imported when they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dialects.faults.arguments import MANY, MODULE, WHOLE, arguments

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...dialects.spec_of import Array

TOLERANCE = 1e-5


@arguments(before=MODULE, after=MODULE, runs=WHOLE)
def assert_same(
    before: ModuleOp,
    after: ModuleOp,
    *,
    runs: int = 3,
    seed: int = 0,
    tolerance: float = TOLERANCE,
) -> None:
    """Check that two modules, each of any level, give the same outputs for random inputs.

    Each module has one session, which runs `runs` times, so that state counts. Floats may differ by
    `tolerance` relative to the largest value of their output, everything else must be equal.
    Raises AssertionError with the first output that differs, its run and its seed, or where the
    inputs or outputs of the modules differ; ValueError unless `runs` is positive; HtpError for a
    module that cannot run.
    """
    from .same import compare_modules

    compare_modules(before, after, runs, seed, tolerance)


@arguments(module=MODULE, seed=WHOLE)
def random_feeds(module: ModuleOp, seed: int = 0) -> dict[str, Array]:
    """Return random inputs for a module: floats are normal, quantised ones take all values.

    Other integers are 0 or 1, truth values false. HtpError for a module that cannot run.
    """
    from ...runtime import Session
    from ...runtime.tools.summary import random_inputs

    return random_inputs(Session(module).inputs, seed)


@arguments(seed=WHOLE, count=WHOLE, shape=MANY, ops=MANY)
def random_module(
    seed: int = 0,
    *,
    count: int = 8,
    shape: Sequence[int] = (1, 4, 6, 8),
    ops: Sequence[str] | None = None,
) -> ModuleOp:
    """Return a module of the graph level with `count` random ops on f32 tensors.

    `shape` is that of the input; every value that no op reads is an output. `ops` are the mnemonics
    to choose from (`ElementWiseAdd`), without them all that random modules know. `lower` takes it
    to the other levels. Raises HtpError for an unknown op.
    """
    from random import Random

    from .random_modules import grow

    return grow(Random(seed).choice, count, tuple(shape), ops)
