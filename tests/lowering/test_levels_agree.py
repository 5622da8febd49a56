"""The keyword spotter at all four levels: the same numbers, text that comes back, clean memory."""

from functools import cache

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import load_module
from htp_mlir.runtime import Session, parse_module
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same
from tests.support.lowered_spotter import lowered_spotter
from tests.support.paths import SPOTTER, SPOTTER_MODEL
from tests.support.roundtrip import assert_round_trips, assert_upstream_accepts, to_text

TCM_BYTES = 64 * 1024
"""Little enough for tiles."""

STEPS = 60
RESETS = (0, 25, 26, 40)
LEVELS = ("graph", "native", "placed", "allocated")

Outputs = dict[str, Array | None]


@cache
def at(level: str) -> ModuleOp:
    """The model at a level."""
    if level == "graph":
        return load_module(SPOTTER_MODEL)
    return lowered_spotter(TCM_BYTES, level)


@cache
def feeds() -> list[dict[str, Array]]:
    """The first frames of the trace, with resets of our own."""
    with np.load(SPOTTER / "trace.npz") as trace:
        frames = trace["frames"][:STEPS].reshape(STEPS, 1, 1, 1, -1)
    return [
        {"frame": frame, "reset": np.asarray(step in RESETS)} for step, frame in enumerate(frames)
    ]


@cache
def expected() -> list[Outputs]:
    session = Session(at("graph"))
    return [session.run(inputs) for inputs in feeds()]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS[1:])
def test_every_level_gives_the_numbers_of_the_graph(level: str) -> None:
    session = Session(at(level), check=True)
    for inputs, wanted in zip(feeds(), expected(), strict=True):
        assert_same(session.run(inputs), wanted)


@pytest.mark.slow
def test_the_resets_matter() -> None:
    session = Session(at("graph"))
    never = [session.run({**inputs, "reset": False}) for inputs in feeds()]
    for step in RESETS[1:]:
        assert not np.array_equal(never[step]["window"], expected()[step]["window"])


def test_the_allocated_level_tiles_and_moves() -> None:
    names = {op.name for op in at("allocated").walk()}
    assert {"htp.Concat", "htp.Slice_shape"} <= names
    assert any(name.endswith("_to_vtcm") for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_text_comes_back(level: str) -> None:
    assert_round_trips(to_text(at(level)))


@pytest.mark.needs("mlir-opt")
@pytest.mark.slow
def test_upstream_takes_every_level() -> None:
    assert_upstream_accepts([to_text(at(level), generic=True) for level in LEVELS])


def test_text_of_the_allocated_level_runs() -> None:
    session = Session(parse_module(to_text(at("allocated"))), check=True)
    for inputs, wanted in zip(feeds()[:3], expected(), strict=False):
        assert_same(session.run(inputs), wanted)
