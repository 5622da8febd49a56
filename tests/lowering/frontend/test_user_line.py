"""The user's line in a trace of Python, whatever stands around it, and the place of a node."""

import pytest
from htp_mlir.dialects.locations import Origin, named, origins
from htp_mlir.lowering.frontend.onnx.preparation.nodes import (
    SCOPES,
    TRACE,
    UserPlace,
    scopes_of,
    user_line,
    user_place,
    write_place,
)
from onnx.helper import make_node
from xdsl.dialects.builtin import UNKNOWN_LOC


def frame(file: str, line: int) -> str:
    return f'  File "{file}", line {line}, in forward\n    return x\n'


MAIN, NET = frame("main.py", 3), frame("/home/torch/net.py", 7)
INSTALLED = frame("/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134)
OURS = frame("/env/site-packages/htp_mlir/lowering/frontend/torch/layers.py", 67)
SOURCES = frame("/src/pytorch/torch/_ops.py", 9)


@pytest.mark.parametrize(
    ("trace", "line"),
    [
        ("", ""),
        (MAIN, "main.py:3"),
        (MAIN + NET, "/home/torch/net.py:7"),
        (MAIN + NET + INSTALLED + SOURCES, "/home/torch/net.py:7"),
        (OURS + MAIN + NET + OURS, "/home/torch/net.py:7"),
        (SOURCES, "/src/pytorch/torch/_ops.py:9"),
    ],
)
def test_it_is_the_innermost_one_of_the_user(trace: str, line: str) -> None:
    assert user_line(trace) == line


@pytest.mark.parametrize(
    ("place", "text", "origin"),
    [
        (UserPlace("C:/net.py:7"), " at C:/net.py:7", Origin("relu", "C:/net.py:7:1")),
        (UserPlace(module="encoder"), " in encoder", Origin("relu", module="encoder")),
        (UserPlace("a.py:7", "e.0"), " in e.0 at a.py:7", Origin("relu", "a.py:7:1", "e.0")),
    ],
)
def test_a_place_is_told_and_is_a_location(place: UserPlace, text: str, origin: Origin) -> None:
    assert str(place) == text
    assert origins(named("relu", place.location)) == (origin,)


def test_no_place_is_an_unknown_location() -> None:
    assert str(UserPlace()) == ""
    assert UserPlace().location is UNKNOWN_LOC


SCOPED = "['', 'encoder', 'encoder.0.act', 'relu']"


@pytest.mark.parametrize(
    ("metadata", "place"),
    [
        ({TRACE: MAIN, SCOPES: SCOPED}, UserPlace("main.py:3", "encoder.0.act")),
        ({SCOPES: SCOPED}, UserPlace(module="encoder.0.act")),
        ({SCOPES: "['', 'relu']"}, UserPlace()),
        ({SCOPES: "relu"}, UserPlace()),
        ({SCOPES: "['', 'no end"}, UserPlace()),
        ({TRACE: f'File "a.py", line {"9" * 5000}'}, UserPlace(f"a.py:{'9' * 9}")),
    ],
)
def test_the_metadata_of_a_node_has_its_place(metadata: dict[str, str], place: UserPlace) -> None:
    node = make_node("Relu", ["x"], ["y"])
    for key, value in metadata.items():
        node.metadata_props.add(key=key, value=value)
    assert user_place(node) == place


def test_what_is_written_is_read_again() -> None:
    node = make_node("Relu", ["x"], ["y"], name="relu")
    write_place(Origin("relu", "/net.py:7:1", "encoder.0"), node)
    assert user_place(node) == UserPlace("/net.py:7", "encoder.0")
    assert scopes_of(node) == ["", "encoder.0", "relu"]
