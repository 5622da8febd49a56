"""Directives written for an output."""

from pathlib import Path

from htp_mlir.lowering.testing.checks import filecheck
from htp_mlir.lowering.testing.runner import directives, with_checks

PATH = Path("/folder/case.mlir")
OUTPUT = """
builtin.module {
  func.func @first(%x: f32, %y: f32) -> f32 {
    %0, %1 = "a.two"(%x, %y) : (f32, f32) -> (f32, f32)
    %x_1 = "a.one"(%0, %1) {v = dense<[[1, 2], [3, 4]]>} : (f32, f32) -> f32
    func.return %x_1 : f32
  }
  func.func @second(%x: f32) {
    func.return
  }
}
"""


def test_names_are_captured_once_in_each_function() -> None:
    assert list(directives(OUTPUT, "CHECK", PATH)) == [
        "// CHECK-LABEL: func.func @first(",
        "// CHECK-SAME: [[X:%.+]]: f32, [[Y:%.+]]: f32) -> f32 {",
        '// CHECK-NEXT: [[V0:%.+]], [[V1:%.+]] = "a.two"([[X]], [[Y]]) : (f32, f32) -> (f32, f32)',
        '// CHECK-NEXT: [[X_1:%.+]] = "a.one"([[V0]], [[V1]])'
        " {v = dense<{{\\[\\[}}1, 2], [3, 4]]>} : (f32, f32) -> f32",
        "// CHECK-NEXT: func.return [[X_1]] : f32",
        "// CHECK-LABEL: func.func @second(",
        "// CHECK-SAME: [[X:%.+]]: f32) {",
        "// CHECK-NEXT: func.return",
    ]


def test_they_hold_for_the_output_and_for_no_other(tmp_path: Path) -> None:
    path = tmp_path / "case.mlir"
    path.write_text(with_checks("// RUN: x\n", OUTPUT, "CHECK", path))
    assert filecheck([str(path)], OUTPUT).status == 0
    renamed = OUTPUT.replace("%x", "%in").replace("%1", "%b")
    assert filecheck([str(path)], renamed).status == 0
    for old, new in (("(%0, %1)", "(%1, %0)"), ("[3, 4]", "[3, 5]"), ("a.two", "a.three")):
        assert filecheck([str(path)], OUTPUT.replace(old, new)).status == 1


def test_names_that_look_alike_stay_apart() -> None:
    assert list(directives("%a_1 = x %a.1, %A_1", "CHECK", PATH)) == [
        "// CHECK: [[A_1:%.+]] = x [[A_1_2:%.+]], [[A_1_3:%.+]]"
    ]


def test_the_folder_of_the_file_may_be_any() -> None:
    assert list(directives("/folder/case.mlir:3:1: wrong", "CHECK", PATH)) == [
        "// CHECK: {{.*}}case.mlir:3:1: wrong"
    ]


def test_each_piece_gets_its_directives_in_place_of_old_ones() -> None:
    text = "// RUN: x\n\n// A title\n\none\n// -----\n// CHECK: old\n// OTHER: kept\ntwo\n"
    assert with_checks(text, "first\n// -----\nsecond\n", "CHECK", PATH) == (
        "// RUN: x\n\n// A title\n\n// CHECK: first\n\none\n"
        "// -----\n// CHECK: second\n// OTHER: kept\ntwo\n"
    )


def test_where_the_pieces_are_not_as_many_all_go_to_the_last() -> None:
    text = "one\n// -----\n// CHECK: old\ntwo\n"
    assert with_checks(text, "first", "CHECK", PATH) == "one\n// -----\n// CHECK: first\ntwo\n"
