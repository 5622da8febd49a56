"""The allocation table is checked without the packer's help."""

from htp_mlir.lowering.planner.certificate import Row, verify


def test_a_good_table_has_no_faults() -> None:
    rows = [Row("a", 2048, 0, 2, 0), Row("b", 100, 1, 3, 2048), Row("c", 4096, 4, 5, 0)]
    assert verify(rows, 4096, 2048) == ()


def test_two_tensors_that_share_bytes_at_one_op_are_named() -> None:
    rows = [Row("a", 3000, 0, 2, 0), Row("b", 100, 2, 3, 2048)]
    assert verify(rows, 8192, 2048) == ("a and b share bytes 2048 to 2148 at ops 2 to 2",)


def test_bounds_alignment_and_order_of_each_row() -> None:
    assert verify([Row("a", 10, 0, 0, 8)], 100, 16) == ("a: starts at 8, no multiple of 16",)
    assert verify([Row("a", 10, 0, 0, 96)], 100, 16) == ("a: ends at 106 of 100",)
    assert verify([Row("a", 10, 3, 2, 0)], 100, 1) == ("a: ends at op 2, before its first op 3",)
    assert verify([Row("a", 10, 0, 0, -16)], 100, 16) == ("a: starts at -16, below 0",)


def test_an_empty_tensor_shares_bytes_with_nobody() -> None:
    assert verify([Row("a", 10, 0, 0, 0), Row("b", 0, 0, 0, 0)], 16, 16) == ()
