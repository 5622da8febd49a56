"""Constants and float params come back from text bit for bit."""

from collections.abc import Iterator, Sequence

import pytest
from htp_mlir.dialects.text.parser import ModuleParser
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import Attribute

from ...support.roundtrip import context, upstream
from .bits import (
    ELEMENTS,
    FLOATS,
    all_patterns,
    array,
    booleans,
    dense,
    from_text,
    number,
    size_of,
    to_text,
)

EDGES = {
    "f16": (0, 0x8000, 1, 0x03FF, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFFFF),
    "bf16": (0, 0x8000, 1, 0x007F, 0x7F7F, 0x7F80, 0xFF80, 0x7F81, 0x7FC0, 0xFFFF),
    "f32": (
        *(0, 0x80000000, 1, 0x007FFFFF, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001),
        *(0x7FC00000, 0xFFFFFFFF, 0x4996B438, 0x4B7FFFFF, 0x5D5E0B6B),
    ),
    "f64": (
        *(0, 1 << 63, 1, 0x000FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000),
        *(0xFFF0000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF, 0x419D6F3454000000),
        *(0x4340000000000001, 0x44B52D02C7E14AF6),
    ),
}
"""Zeros, denormals, the largest, infinities, NaNs, and whole numbers of many digits."""


def edges(name: str) -> tuple[int, ...]:
    size = 8 * size_of(name)
    return EDGES.get(name, (0, 1, (1 << size) - 1, 1 << (size - 1), (1 << (size - 1)) - 1))


def patterns(name: str) -> st.SearchStrategy[int]:
    return st.sampled_from(edges(name)) | st.integers(0, (1 << (8 * size_of(name))) - 1)


@pytest.mark.parametrize("name", ELEMENTS)
def test_edges_come_back(name: str) -> None:
    for bits in edges(name):
        for attribute in (dense(name, [bits], [2, 3]), dense(name, [bits], [])):
            assert from_text(to_text(attribute)) == attribute
    attribute = dense(name, edges(name))
    assert from_text(to_text(attribute)) == attribute


@pytest.mark.parametrize("count", [1, 60])
def test_zeros_of_both_signs_are_no_splat(count: int) -> None:
    attribute = dense("f32", [0, 1 << 31] * count)
    assert from_text(to_text(attribute)) == attribute


@pytest.mark.slow
@pytest.mark.parametrize("name", ELEMENTS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_bits_come_back(name: str, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(patterns(name), min_size=1, max_size=8))
    copies = data.draw(st.sampled_from((1, 2, 101)))
    for attribute in (dense(name, chosen * copies), dense(name, chosen[:1], [copies, 2])):
        assert from_text(to_text(attribute)) == attribute
    if name in FLOATS:
        for attribute_ in (array(name, chosen), *(number(name, bits) for bits in chosen)):
            assert from_text(to_text(attribute_)) == attribute_


@pytest.mark.slow
@pytest.mark.needs("mlir-opt")
@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_all_patterns_of_16_bits_come_back(name: str) -> None:
    text = to_text(all_patterns(name))
    assert from_text(text) == all_patterns(name)
    assert upstream_reads([text]) == [all_patterns(name)]


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 100, 101, 1000])
def test_booleans_come_back(count: int) -> None:
    mixed = [index % 3 == 0 for index in range(count)]
    for values in (mixed, [True] * count, [False] * count):
        assert from_text(to_text(booleans(values))) == booleans(values)


def test_booleans_are_packed_in_hex() -> None:
    values = [True, False, True, True, False, False, False, False] * 20
    assert to_text(booleans(values)) == f'dense<"0x{"0D" * 20}"> : tensor<160xi1>'


def test_booleans_of_a_byte_each_are_read() -> None:
    values = [True, False, True, True] * 40
    one_byte_each = "".join("FF" if value else "00" for value in values)
    assert from_text(f'dense<"0x{one_byte_each}"> : tensor<160xi1>') == booleans(values)


def samples() -> Iterator[Attribute]:
    """Attributes of every kind."""
    for name in ELEMENTS:
        yield from (dense(name, [bits], [4]) for bits in edges(name))
        yield from (dense(name, edges(name)), dense(name, edges(name) * 50))
    for name in FLOATS:
        yield from (array(name, edges(name)), *(number(name, bits) for bits in edges(name)))
    for count in (1, 8, 9, 100, 101, 1000):
        yield booleans([index % 3 == 0 for index in range(count)])


@pytest.mark.needs("mlir-opt")
def test_upstream_reads_the_same_bits() -> None:
    expected = list(samples())
    assert upstream_reads(list(map(to_text, expected))) == expected


def upstream_reads(texts: Sequence[str]) -> list[Attribute]:
    """The attributes in the text that mlir-opt prints for these."""
    named = ", ".join(f"a{index} = {text}" for index, text in enumerate(texts))
    ctx = context()
    ctx.allow_unregistered = True
    printed = upstream(f'"test.op"() {{{named}}} : () -> ()')
    (op,) = ModuleParser(ctx, printed).parse_module().ops
    return [op.attributes[f"a{index}"] for index in range(len(texts))]
