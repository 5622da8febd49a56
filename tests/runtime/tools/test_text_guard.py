"""Text that the parser would not come to an end with, told by its place before the parser."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.limits import MAX_ALIASED, MAX_DIGITS, MAX_NESTING, MAX_RANK
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.tools.source import check_text


def lines_of(text: str) -> list[str]:
    with pytest.raises(HtpError) as caught:
        parse_module(text)
    return caught.value.lines()


def nested(depth: int) -> str:
    return f'"test.op"() {{a = {"[" * depth}{"]" * depth}}} : () -> ()'


def test_a_string_without_an_end() -> None:
    text = 'module attributes {a = "b",\n  c = "d}'
    assert lines_of(text)[0] == "<text>:2:7: a string is not closed"


@pytest.mark.parametrize("string", ['"a\nb"', '"a\\"', '"a\\q"'])
def test_strings_that_are_none(string: str) -> None:
    with pytest.raises(HtpError, match="a string is not closed"):
        check_text(f"module attributes {{a = {string}}} {{}}", "m")


@pytest.mark.parametrize(
    "string", ['""', '"a\\"b"', '"a\\\\"', '"[[["', '"\\0A"', '"// no comment"']
)
def test_strings_that_are_whole(string: str) -> None:
    check_text(f"module attributes {{a = {string}}} {{}}", "m")


def test_comments_are_not_looked_at() -> None:
    check_text('module { // "[[[\n}', "m")


@pytest.mark.parametrize("number", ["7" * (MAX_DIGITS + 1), "0x" + "F" * (MAX_DIGITS + 1)])
def test_a_number_of_absurd_length(number: str) -> None:
    problem, remedy = lines_of(f"module attributes {{a = {number}}} {{}}")
    assert problem == f"<text>:1:24: a number has {len(number)} digits"
    assert remedy == f"  at most {MAX_DIGITS} are taken"


def test_a_dim_of_absurd_length() -> None:
    text = f"func.func private @f(tensor<2x{'9' * 5000}xf32>)"
    assert lines_of(text)[0] == "<text>:1:31: a number has 5000 digits"


def test_a_shape_of_absurd_length() -> None:
    text = f"func.func private @f(tensor<{'1x?x' * 33}f32>)"
    assert lines_of(text) == ["<text>:1:29: a shape has 66 dims", f"  at most {MAX_RANK} are taken"]


def test_nesting() -> None:
    problem, remedy = lines_of(nested(MAX_NESTING))
    assert problem.endswith(f"is nested too deeply, {MAX_NESTING + 1} brackets inside each other")
    assert remedy == f"  at most {MAX_NESTING} are taken"
    check_text(nested(MAX_NESTING - 1), "m")


@pytest.mark.parametrize(("mark", "join"), [("#", "[{0}, {0}]"), ("!", "tuple<{0}, {0}>")])
def test_aliases_of_aliases(mark: str, join: str) -> None:
    text = f"{mark}a0 = {join.format('i32')}\n"
    text += "".join(f"{mark}a{i + 1} = {join.format(f'{mark}a{i}')}\n" for i in range(60))
    problem, remedy = lines_of(f'{text}"test.op"() {{a = {mark}a60}} : () -> ()')[:2]
    assert problem.endswith(f"aliases repeat more than {MAX_ALIASED} characters")
    assert remedy == "  correct the text"


def test_arrows_and_comparisons_close_nothing() -> None:
    with pytest.raises(HtpError, match="is nested too deeply"):
        check_text("(" * 40 + "-> >= <= " + "(" * 40, "m")


def test_the_line_counts_from_the_begin_of_the_file() -> None:
    with pytest.raises(HtpError, match=r"^m:12:5: "):
        check_text('\na = "b', "m", line_offset=10)
