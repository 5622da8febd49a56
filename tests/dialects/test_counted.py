"""Tests of how messages spell numbers of things."""

from htp_mlir.dialects.diagnostics import counted


def test_one_thing_is_singular_and_others_are_plural() -> None:
    assert [counted(count, "pass", "es") for count in (0, 1, 2)] == [
        "0 passes",
        "1 pass",
        "2 passes",
    ]
    assert counted(2, "op") == "2 ops"
