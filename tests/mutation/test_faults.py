"""The faults of a module, and that each of them can be written."""

import ast

from .__main__ import TESTS, chosen
from .faults import faults

TEXT = """
def area(width, height, of="text" + "more"):
    if not width or height < 0:
        return 0
    return (width *
            height)
"""


def test_each_kind_of_node_has_its_fault() -> None:
    changes = {(each.line, each.old, each.new) for each in faults("area.py", TEXT)}
    assert changes == {
        (3, "not width or height < 0", "not width and height < 0"),
        (3, "not width", "width"),
        (3, "height < 0", "height <= 0"),
        (3, "0", "1"),
        (4, "0", "1"),
        (5, "return width * height", "return None"),
        (5, "width * height", "width // height"),
    }


def test_a_fault_is_one_change_that_leaves_the_lines() -> None:
    for each in faults("area.py", TEXT):
        assert each.text.count("\n") == TEXT.count("\n")
        assert ast.dump(ast.parse(each.text)) != ast.dump(ast.parse(TEXT))


def test_a_seed_has_its_faults() -> None:
    drawn = chosen(seed=0, count=100)
    assert len(drawn) == 100
    assert {each.path for each in drawn} == {*TESTS}
    assert drawn == chosen(seed=0, count=100)


def test_faults_are_chosen_by_their_place() -> None:
    drawn = chosen(seed=0, count=100)
    one, others = drawn[0], [each for each in drawn if each.path == drawn[-1].path]
    assert one in chosen(0, 100, [f"{one.path}:{one.line}"])
    assert chosen(0, 100, [others[0].path]) == others
    assert chosen(0, 100, [f"{one.path}:{one.line}0"]) == []
