"""Locations of ops survive text, in both forms, for every op; upstream reads them too."""

from io import StringIO

import pytest
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp
from htp_mlir.dialects.htp.ops.state import StateOp, StateReadOp, StateWriteOp
from htp_mlir.dialects.locations import (
    fused,
    known_as,
    location_of,
    named,
    node_of,
    origins_text,
    position_of,
    source_name,
)
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.qti_aisw import ConstOp as GraphConstOp
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
)
from xdsl.ir import Operation
from xdsl.printer import Printer

from ..support.examples import example_of, module_of
from ..support.roundtrip import assert_upstream_accepts, parse

AT = FileLineColLoc(StringAttr("net.py"), IntAttr(3), IntAttr(5))
NODE = NameLoc(StringAttr('layer "1"/\\relu'), AT)
STATES = f"""
{example_of(StateOp)}
func.func @main(%init: tensor<1x1x2x4xf32>, %reset: tensor<1x1x1x1xi1>) {{
  {example_of(StateReadOp)}
  {example_of(StateWriteOp)}
  func.return
}}
"""
OPS = [*NATIVE_OPS.values(), *GRAPH_OPS.values(), ConstOp, ShapeOp, GraphConstOp]
TEXTS = {op.name: module_of(example_of(op)) for op in OPS} | {"states": STATES}


def located(text: str) -> ModuleOp:
    """The module, with another location on each op."""
    module = parse(text)
    for line, op in enumerate(module.walk(), start=1):
        at = FileLineColLoc(StringAttr("net.py"), IntAttr(line), IntAttr(1))
        op.location = NameLoc(StringAttr(f"node {line}"), at)
    return module


def with_locations(module: ModuleOp, generic: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic, print_debuginfo=True).print_op(module)
    return stream.getvalue() + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("op", TEXTS)
def test_locations_of_every_op_survive_text(op: str) -> None:
    module = located(TEXTS[op])
    for generic in (False, True):
        text = with_locations(module, generic)
        again = parse(text)
        assert [op.location for op in again.walk()] == [op.location for op in module.walk()]
        assert with_locations(again, generic) == text


@pytest.mark.needs("mlir-opt")
def test_upstream_reads_them() -> None:
    assert_upstream_accepts([with_locations(located(text), True) for text in TEXTS.values()])


def relu(location: LocationAttr, name: str = "") -> Operation:
    text = module_of(example_of(NATIVE_OPS["Relu"]))
    (op,) = (op for op in parse(text).walk() if op.name == "htp.Relu")
    op.detach()
    op.location = location
    if name:
        op.attributes["htp.name"] = StringAttr(name)
    return op


@pytest.mark.parametrize(
    ("location", "node", "position"),
    [
        (UNKNOWN_LOC, "", ""),
        (AT, "", "net.py:3:5"),
        (NODE, NODE.desc.data, "net.py:3:5"),
        (CallSiteLoc(AT, NODE), NODE.desc.data, "net.py:3:5"),
        (FusedLoc((UNKNOWN_LOC, NODE), UNKNOWN_LOC), NODE.desc.data, "net.py:3:5"),
    ],
)
def test_node_and_position_are_read_off_the_location(
    location: LocationAttr, node: str, position: str
) -> None:
    op = relu(location)
    assert (node_of(op), position_of(op)) == (node, position)
    assert source_name(op) == (f"htp.Relu '{node}'" if node else "htp.Relu")


@pytest.mark.parametrize(
    ("location", "name", "origins"),
    [
        (named("act", named("e.0", AT)), "htp.Relu 'act' in e.0", "'act' in e.0 at net.py:3:5"),
        (named("act", named("e.0")), "htp.Relu 'act' in e.0", "'act' in e.0"),
        (
            fused((named("act", AT), named("conv", named("e.1")))),
            "htp.Relu 'act'",
            "'act' at net.py:3:5, 'conv' in e.1",
        ),
    ],
)
def test_a_name_inside_that_of_a_node_is_its_modules(
    location: LocationAttr, name: str, origins: str
) -> None:
    op = relu(location)
    assert (source_name(op), origins_text(op)) == (name, origins)
    module = located(TEXTS["htp.Relu"])
    for each in module.walk():
        each.location = location
    again = parse(with_locations(module, generic=False))
    assert {origins_text(each) for each in again.walk()} == {origins}


@pytest.mark.parametrize(
    ("location", "hint", "name"),
    [
        (NODE, "y", f"'{NODE.desc.data}'"),
        (AT, "y", "%y"),
        (AT, None, "net.py:3:5"),
        (UNKNOWN_LOC, None, ""),
    ],
)
def test_a_reader_knows_a_value_by_node_then_name_then_place(
    location: LocationAttr, hint: str | None, name: str
) -> None:
    value = relu(location).results[0]
    value.name_hint = hint
    assert known_as(value) == name


def test_the_name_attribute_comes_first_and_is_passed_on_with_the_position() -> None:
    op = relu(AT, "conv1")
    assert source_name(op) == "htp.Relu 'conv1'"
    assert location_of(op) == NameLoc(StringAttr("conv1"), AT)
    assert location_of(relu(NODE, "conv1")) == NODE
    assert location_of(relu(AT)) == AT
