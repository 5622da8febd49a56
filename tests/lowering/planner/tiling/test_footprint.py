"""Footprints: the elements of an operand that a tile needs, and those that two tiles need."""

from fractions import Fraction

from htp_mlir.lowering.planner.tiling import AccessMap

H = 1


def test_a_window_has_a_halo_on_both_sides_of_its_own_rows() -> None:
    rows = AccessMap(H, taps=Fraction(3), shift=1).footprint
    assert (rows.own(8), rows.window(8), rows.touched(8, rows.own(8))) == (8, 10, 3)
    assert rows.halo(8, 100) == 7 * 2 * 100


def test_a_stride_without_overlap_has_no_halo() -> None:
    rows = AccessMap(H, Fraction(2), Fraction(2)).footprint
    assert (rows.own(8), rows.window(8), rows.touched(8, rows.own(8))) == (16, 16, 1)
    assert rows.halo(8, 100) == 0


def test_one_element_that_makes_several_is_read_whole() -> None:
    each = AccessMap(H, Fraction(1, 4), Fraction(1, 4)).footprint
    assert [each.window(size) for size in (1, 4, 5)] == [1, 1, 2]


def test_tiles_that_begin_elsewhere_are_read_in_one_more() -> None:
    """33 rows made 65: eight of the result belong to five, which may lie in two tiles of eight."""
    rows = AccessMap(H, Fraction(33, 65), Fraction(2)).footprint
    assert (rows.own(8), rows.span(8), rows.window(8)) == (5, 16, 6)
    assert [rows.touched(8, tile) for tile in (8, 4)] == [2, 3]


def test_maps_compose_through_the_ops_of_a_chain() -> None:
    conv = AccessMap(H, taps=Fraction(3), shift=1)
    pooled = conv.through(AccessMap(H, Fraction(2), Fraction(2)).footprint)
    assert (pooled.own(4), pooled.window(4)) == (8, 10)
