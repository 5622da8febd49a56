"""Locations of ops in the place of several: fused once each, as upstream does, and told in full."""

import pytest
from htp_mlir.dialects.locations import (
    Origin,
    canonical,
    fused,
    location_of_copy,
    named,
    origins_of,
    origins_text,
)
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Operation

from ..support.roundtrip import parse, upstream

AT = FileLineColLoc(StringAttr("net.py"), IntAttr(3), IntAttr(5))
A, B, C = named("a"), named("b", AT), named("c")
NOTHING = NoneAttr()


def chain(*locations: LocationAttr) -> list[Operation]:
    """A Relu for each location, each over the one before it."""
    lines = [
        f"  %{i + 1} = htp.Relu(%{i}) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>"
        for i in range(len(locations))
    ]
    head = "func.func @main(%0: tensor<1x1x1x4xf32>) {"
    module = parse("\n".join([head, *lines, "  func.return", "}"]))
    ops = [op for op in module.walk() if op.name == "htp.Relu"]
    for op, location in zip(ops, locations, strict=True):
        op.location = location
    return ops


@pytest.mark.parametrize(
    ("locations", "wanted"),
    [
        ((), UNKNOWN_LOC),
        ((UNKNOWN_LOC, A), A),
        ((A, A), A),
        ((A, B, A), FusedLoc((A, B), NOTHING)),
        ((FusedLoc((A, B), NOTHING), FusedLoc((B, C), NOTHING)), FusedLoc((A, B, C), NOTHING)),
    ],
)
def test_a_fused_location_is_flat_and_has_each_once(
    locations: tuple[LocationAttr, ...], wanted: LocationAttr
) -> None:
    assert fused(locations) == wanted


def test_equal_fused_locations_are_one_object() -> None:
    assert fused([A, B]) is fused([named("a"), named("b", AT)])


SPELLINGS = (
    'fused["a", "a"]',
    'fused["a", unknown]',
    'fused["a"]',
    'fused[fused["a", "b"], "c"]',
    '"a"(unknown)',
    '"a"("b"("net.py":3:5))',
    '"a"(fused["b", "b"])',
    'callsite("a" at fused["b", "b"])',
    "unknown",
)


@pytest.mark.needs("mlir-opt")
def test_the_parser_makes_of_each_spelling_what_upstream_makes() -> None:
    text = "\n".join(f"func.func private @f{i}() loc({s})" for i, s in enumerate(SPELLINGS))
    flags = ("--mlir-print-debuginfo", "--mlir-print-local-scope", "--mlir-print-op-generic")
    ours, theirs = (
        [op.location for op in parse(each).body.ops] for each in (text, upstream(text, *flags))
    )
    assert ours == theirs
    assert len(ours) == len(SPELLINGS)


def test_a_location_with_metadata_stays() -> None:
    tagged = FusedLoc((A, A), StringAttr("why"))
    assert canonical(tagged) == tagged
    assert canonical(CallSiteLoc(A, NameLoc(StringAttr("b"), UNKNOWN_LOC))) == CallSiteLoc(
        A, named("b")
    )


@pytest.mark.parametrize(
    ("location", "name", "text"),
    [
        (UNKNOWN_LOC, "", ""),
        (AT, "", "net.py:3:5"),
        (B, "", "'b' at net.py:3:5"),
        (AT, "b", "'b' at net.py:3:5"),
        (A, "b", "'b', 'a'"),
        (fused([A, B]), "b", "'a', 'b' at net.py:3:5"),
        (fused([A, B, C, named("d"), AT]), "", "'a', 'b' at net.py:3:5, 'c' and 2 more"),
    ],
)
def test_all_origins_are_told(location: LocationAttr, name: str, text: str) -> None:
    (op,) = chain(location)
    if name:
        op.attributes["htp.name"] = StringAttr(name)
    assert origins_text(op) == text
    assert all(origin != Origin() for origin in origins_of(op))


def test_a_copy_is_at_its_maker_or_where_that_has_no_place_at_its_reader() -> None:
    maker, reader = chain(A, B)
    assert location_of_copy(reader.operands[0], reader) == A
    assert location_of_copy(maker.operands[0], maker) == A
    maker.location = UNKNOWN_LOC
    assert location_of_copy(reader.operands[0], reader) == B
