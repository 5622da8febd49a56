"""The notation of pipelines: what xDSL's becomes of it, and that written passes are read again."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.installed.environment import universe
from htp_mlir.runtime.passes.notation import pipeline_text, plain
from htp_mlir.runtime.tools.pipeline import make_pipeline, passes_of, text_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("dce", "dce"),
        ("  dce ,\n  cse  // last\n", "dce,cse"),
        ("a{x=1   y=2}", "a{x=1 y=2}"),
        ("a{\n  x=1\n  y = 2\n}", "a{x=1 y=2}"),
        ("a{x=1.5 y=-2 z=true flag}", "a{x=1.5 y=-2 z=true flag}"),
        ('a{x="b c, d"}', 'a{x="b c, d"}'),
        ("a{after=b:c,d#2:e}", 'a{after="b:c","d#2:e"}'),
        ("a{x=[b, c{y=1}] z=2}", 'a{x="b,c{y=1}" z=2}'),
        ('a{x=[b{y="p q"}]}', 'a{x="b{y=\\"p q\\"}"}'),
        ("a{after=p:[b,c{y=1}]}", 'a{after="p:b,c{y=1}"}'),
        ("a{x=[b{y=[c]}]}", 'a{x="b{y=\\"c\\"}"}'),
        ("mlir-opt[cse,dce]", "mlir-opt[cse,dce]"),
    ],
)
def test_our_notation_in_that_of_xdsl(text: str, expected: str) -> None:
    assert plain(text) == expected
    assert plain(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "htp-rules",
        'htp-rules{first=EARLY last="TILING+2"}',
        'htp-rules{tcm-bytes=5 options="a=1;b=2"}',
        'htp-rules{first="12"}',
        'htp-rules{first="true"}',
        r'htp-rules{options="a=\"\\\""}',
        "htp-lower{tiling=false before=dce:cse,cse:dce}",
        'htp-lower{after=native:[htp-rules{first="QNN+1"},cse]}',
    ],
)
def test_written_passes_are_read_as_they_were(text: str) -> None:
    written = pipeline_text(passes_of(text))
    assert pipeline_text(passes_of(written)) == written
    assert pipeline_text(passes_of(text_of(passes_of(text)))) == written
    assert plain(written) == plain(text)


def test_a_pipeline_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipeline.txt"
    path.write_text("dce, // first\ncse\n", encoding="utf-8")
    pipeline = make_pipeline(universe().all_passes, f"@{path}")
    assert [step.name for step in pipeline.passes] == ["dce", "cse"]
    path.write_text("dce{", encoding="utf-8")
    with pytest.raises(HtpError, match=f"^{path}: "):
        make_pipeline(universe().all_passes, f"@{path}")
    with pytest.raises(HtpError, match=r"missing\.txt: No such file"):
        make_pipeline(universe().all_passes, f"@{tmp_path / 'missing.txt'}")


def test_a_number_without_end_is_refused() -> None:
    with pytest.raises(HtpError, match=r"^pass pipeline: a number has too many digits"):
        make_pipeline(universe().all_passes, f"htp-lower{{tcm-bytes={'9' * 5000}}}")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("htp-lower{after=htp-fold:boom{n=4}}", "write after=htp-fold:[boom{n=4}]"),
        ('htp-lower{after="cse#2:boom"{n=4} level=native}', "write after=cse#2:[boom{n=4}]"),
        ("outer{inner=a{x=1 y=2}}", "write inner=[a{x=1 y=2}]"),
        ("cse{x={y}}", "write name{option=value},name"),
    ],
)
def test_a_pass_with_options_inside_an_option_wants_brackets(text: str, remedy: str) -> None:
    with pytest.raises(HtpError) as error:
        make_pipeline(universe().all_passes, text)
    assert error.value.lines()[1].strip() == remedy
