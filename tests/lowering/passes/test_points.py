"""Passes of the user's at points of htp-lower: behind every pass of a name, one, or a level."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.tools.pipeline import text_of


def pipeline(**options: object) -> str:
    return text_of(Lower(**options).steps(Level.GRAPH))


@pytest.mark.parametrize(
    ("options", "there", "times"),
    [
        ({"after": ("htp-fold:canonicalize",)}, "htp-fold,canonicalize,cse", 4),
        ({"after": ("htp-fold#2:canonicalize",)}, "htp-fold,canonicalize,cse", 1),
        ({"before": ("htp-fold:canonicalize",)}, ",canonicalize,htp-fold", 4),
        ({"before": ("htp-schedule:dce,cse",)}, "{level=placed},dce,cse,htp-schedule", 1),
        ({"after": ("placed:dce,cse",)}, "{level=placed},dce,cse,htp-schedule", 1),
        ({"after": ("htp-fold#1:canonicalize", "htp-fold#1:cse")}, "fold,canonicalize,cse,cse", 1),
    ],
)
def test_passes_go_in_at_a_point(options: dict[str, object], there: str, times: int) -> None:
    assert pipeline(**options).count(there) == times
    assert pipeline().count(there) == 0


@pytest.mark.parametrize(
    "points",
    [
        {"after": "htp-fold#1:canonicalize"},
        {"after": ["htp-fold#1:canonicalize"]},
        {"before": ("cse#1:[canonicalize]",)},
        {"after": "htp-fold#1:[canonicalize]"},
    ],
)
def test_points_from_python(points: dict[str, str | list[str]]) -> None:
    names: list[str] = []
    module = parse_module("func.func @main() { func.return }")
    lower(module, level="native", watch=lambda step, _: names.append(step.name), **points)
    at = names.index("canonicalize")
    assert names[at - 1 : at + 2] == ["htp-fold", "canonicalize", "cse"]


def test_a_point_from_python_that_is_not_there() -> None:
    with pytest.raises(HtpError, match="after=htp-fol: is no point of this lowering"):
        lower(parse_module("func.func @main() { func.return }"), after="htp-fol:cse")


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (
            {"after": ("htp-fol:cse",)},
            [
                "htp-lower, after=htp-fol: is no point of this lowering",
                "  did you mean 'htp-fold'?",
            ],
        ),
        (
            {"before": ("htp-fold#9:cse",)},
            ["htp-lower, before=htp-fold: runs 4 times, not 9", "  give a lower number"],
        ),
        (
            {"after": ("htp-fold",)},
            [
                "htp-lower, after=htp-fold: names no point and pass",
                "  write after=htp-fold:my-pass, or after=htp-fold#2:my-pass",
            ],
        ),
        (
            {"after": ("htp-fold:cse", "dce")},
            [
                "htp-lower, after=htp-fold:cse,dce: 'dce' names no point",
                "  write after=htp-fold:[cse,dce]",
            ],
        ),
        (
            {"after": ("htp-fold:css",)},
            ["pass pipeline: unknown pass 'css'", "  did you mean 'cse'?"],
        ),
    ],
)
def test_a_point_that_is_not_there(options: dict[str, object], lines: list[str]) -> None:
    with pytest.raises(HtpError) as error:
        pipeline(**options)
    assert error.value.lines()[0] == lines[0]
    assert error.value.lines()[1].startswith(lines[1])
