"""Diagnostics that a file expects: what is not as expected is told, with the line."""

import pytest
from htp_mlir.lowering.tools import htp_opt

BAD = "%7 = qti_aisw.Rel(%x) : (tensor<2xf32>) -> tensor<2xf32>"
GOOD = BAD.replace("Rel(", "Relu(")
WRITE = "  write // expected-error@+1 {{text}}"
IS_UNKNOWN = "Operation qti_aisw.Rel is not registered"


def module(line: str, before: str = "", behind: str = "") -> str:
    head = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
    return "\n".join([head, before, line, behind, "func.return %7 : tensor<2xf32>", "}", ""])


def run(*pieces: str) -> tuple[int, str, list[str]]:
    flags = ["--verify-diagnostics", *["--split-input-file"] * (len(pieces) > 1)]
    status, out, err = htp_opt.run(flags, "// -----\n".join(pieces))
    return status, out, err.splitlines()


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("// expected-error@+1 {{is not registered}}", ""),
        ("// expected-error@below {{is not registered}}", "// a comment"),
        ("", "// expected-error@above {{qti_aisw.Rel is}}"),
        ("", "// expected-error@-1 {{Rel}}"),
        ("// expected-error-re@+1 {{qti_aisw.{{R.l}} is}}", ""),
        ("// expected-error @+1 {{is not registered}}", ""),
    ],
)
def test_what_is_expected_passes(before: str, behind: str) -> None:
    assert run(module(BAD, before, behind)) == (0, "", [])


def test_on_the_line_itself() -> None:
    assert run(module(f"{BAD} // expected-error {{{{not registered}}}}")) == (0, "", [])


def test_an_error_without_a_place() -> None:
    text = "// expected-error@unknown {{pass 'htp-schedule' fails}}\n" + module(GOOD)
    status, _, err = htp_opt.run(["--verify-diagnostics", "-p", "htp-lower{soc=SM1}"], text)
    assert status == 1
    assert "unexpected error: soc 'SM1': is not known" in err
    text = "// expected-error@unknown {{soc 'SM1': is not known}}\n" + module(GOOD)
    assert htp_opt.run(["--verify-diagnostics", "-p", "htp-lower{soc=SM1}"], text) == (0, "", "")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            module(GOOD, "// expected-error@+1 {{is not registered}}"),
            [
                '<stdin>:2: expected error "is not registered" was not produced',
                "  none is reported there",
            ],
        ),
        (
            module(BAD, "// expected-error@+1 {{nothing}}"),
            [
                "2 errors:",
                '  <stdin>:2: expected error "nothing" was not produced; there it says: '
                f"{IS_UNKNOWN}",
                f"  <stdin>:3: unexpected error: {IS_UNKNOWN}; expect it with // expected-error "
                "{{...}}, or fix what causes it",
            ],
        ),
        (
            module(BAD, "// expected-note@+1 {{Rel is not}}"),
            [
                "2 errors:",
                '  <stdin>:2: expected note "Rel is not" was not produced; there it says: '
                f"{IS_UNKNOWN}",
                f"  <stdin>:3: unexpected error: {IS_UNKNOWN}; expect it with // expected-error "
                "{{...}}, or fix what causes it",
            ],
        ),
        (
            module(GOOD, "// expected-eror@+1 {{is not registered}}"),
            ["<stdin>:2: 'expected-eror' is no directive of this form", "  did you mean 'error'?"],
        ),
        (
            module(GOOD, "// expected-error@next {{is not registered}}"),
            ["<stdin>:2: 'expected-error' is no directive of this form", WRITE],
        ),
        (
            module(GOOD, "// expected-note@+1 {{never closed"),
            ["<stdin>:2: 'expected-note' is no directive of this form", WRITE],
        ),
    ],
)
def test_what_is_not_as_expected_is_told(text: str, lines: list[str]) -> None:
    assert run(text) == (1, "", lines)


def test_each_error_is_expected_once() -> None:
    twice = "// expected-error@below {{not registered}}\n// expected-error@below {{not registered}}"
    status, _, err = run(module(BAD, twice))
    assert status == 1
    assert err[0] == '<stdin>:3: expected error "not registered" was not produced'


def test_each_piece_has_its_own() -> None:
    expected = module(BAD, "// expected-error@+1 {{not registered}}")
    status, out, err = run(expected, module(GOOD), expected)
    assert (status, err) == (0, [])
    assert out.count("qti_aisw.Relu") == 1
    status, out, err = run(expected, module(BAD), module(GOOD))
    assert status == 1
    assert err[0].startswith(f"<stdin>:10: unexpected error: {IS_UNKNOWN} (piece 2 of 3")
    assert out.count("qti_aisw.Relu") == 1


def test_a_file_that_expects_nothing_is_as_for_xdsl_opt() -> None:
    text = module(GOOD).replace("qti_aisw.Relu", "qti_aisw.Reshape")
    status, out, err = run(text)
    assert (status, err) == (0, [])
    assert "qti_aisw.Reshape" in out
