"""The allocation table is checked without the packer's help."""

from htp_mlir.runtime.memory_plan import PlanRow, verify


def test_a_good_table_has_no_faults() -> None:
    rows = [PlanRow("a", 2048, 0, 2, 0), PlanRow("b", 100, 1, 3, 2048), PlanRow("c", 4096, 4, 5, 0)]
    assert verify(rows, 4096, 2048) == ()


def test_two_tensors_that_share_bytes_at_one_op_are_named() -> None:
    rows = [PlanRow("a", 3000, 0, 2, 0), PlanRow("b", 100, 2, 3, 2048)]
    assert verify(rows, 8192, 2048) == ("a and b share bytes 2048 to 2148 at ops 2 to 2",)


def test_bounds_alignment_and_order_of_each_row() -> None:
    assert verify([PlanRow("a", 10, 0, 0, 8)], 100, 16) == ("a: starts at 8, no multiple of 16",)
    assert verify([PlanRow("a", 10, 0, 0, 96)], 100, 16) == ("a: ends at 106 of 100",)
    assert verify([PlanRow("a", 10, 3, 2, 0)], 100, 1) == (
        "a: ends at op 2, before its first op 3",
    )
    assert verify([PlanRow("a", 10, 0, 0, -16)], 100, 16) == ("a: starts at -16, below 0",)


def test_an_empty_tensor_shares_bytes_with_nobody() -> None:
    assert verify([PlanRow("a", 10, 0, 0, 0), PlanRow("b", 0, 0, 0, 0)], 16, 16) == ()


def test_what_lies_inside_another_tensor_shares_its_bytes_and_needs_no_alignment() -> None:
    whole = PlanRow("join", 300, 1, 6, 4096)
    parts = [
        PlanRow("p", 100, 1, 4, 4096, "", "join", 0),
        PlanRow("q", 100, 2, 6, 4196, "", "join", 100),
    ]
    assert verify([whole, *parts], 8192, 2048) == ()


def test_what_lies_inside_another_tensor_keeps_to_its_bytes_and_its_time() -> None:
    whole = PlanRow("join", 300, 1, 6, 0)

    def faults(part: PlanRow) -> tuple[str, ...]:
        return verify([whole, part], 4096, 2048)

    assert faults(PlanRow("p", 100, 0, 4, 0, "", "join", 0)) == (
        "p: is alive at ops 0 to 4, but join, which it lies inside, only at 1 to 6",
    )
    assert faults(PlanRow("p", 100, 2, 4, 250, "", "join", 250)) == (
        "p: takes bytes 250 to 350 of the 300 of join",
    )
    assert faults(PlanRow("p", 100, 2, 4, 0, "", "join", 100)) == (
        "p: starts at 0, inside join it is 100",
    )
    assert faults(PlanRow("p", 100, 2, 4, 0, "", "other", 0)) == (
        "p: lies inside other, which has no row",
    )


def test_a_ring_of_tensors_inside_each_other_is_refused() -> None:
    ring = [PlanRow("a", 8, 0, 1, 0, "", "b", 0), PlanRow("b", 8, 0, 1, 0, "", "a", 0)]
    assert verify(ring, 64, 1) == ("a: lies inside itself", "b: lies inside itself")


def test_a_tensor_with_two_rows_is_named() -> None:
    assert verify([PlanRow("a", 8, 0, 1, 0), PlanRow("a", 8, 2, 3, 0)], 64, 1) == ("a: has 2 rows",)


def test_a_plan_of_clashes_names_every_row_once() -> None:
    rows = [PlanRow(f"t{i}", 8, 0, 9, 0) for i in range(500)]
    lines = verify(rows, 64, 1)
    assert len(lines) == 499
    assert all(f" and t{i + 1} share bytes 0 to 8" in line for i, line in enumerate(lines))
