"""Op definitions go out as they came in, whole; what ops here cannot be like is told by op."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.packages.def_package.op_xml import read_definitions
from htp_mlir.lowering.tools import htp_opt

from tests.support.paths import EXAMPLES

MIX = """<?xml version="1.0" encoding="UTF-8"?>
<OpDefCollection PackageName="MixPackage" Domain="my.mix" Version="2.1">
  <OpDefList>
    <!-- two inputs -->
    <OpDef>
      <Name>Mix</Name>
      <Description><Content>Mixes &lt;two&gt; inputs.</Content></Description>
      <Reference Source="a book"/>
      <Input><Name>in[0]</Name><Mandatory>true</Mandatory><Datatype>BACKEND_SPECIFIC</Datatype>
        <Shape><Rank>3D</Rank><Layout>NHWC</Layout><Text>[N, W, C]</Text></Shape>
        <Constraint id="0" Type="Shape">as in[1]</Constraint></Input>
      <Input><Name>in[1]</Name><Mandatory>true</Mandatory>
        <Datatype>QNN_DATATYPE_UFIXED_POINT_16</Datatype><Datatype>QNN_DATATYPE_FLOAT_64</Datatype>
        <Shape><Rank>5D</Rank></Shape><IsStaticTensor>true</IsStaticTensor></Input>
      <Output><Name>out[0]</Name><Mandatory>true</Mandatory>
        <Datatype>BACKEND_SPECIFIC</Datatype></Output>
      <Output><Name>mask</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_BOOL_8</Datatype></Output>
      <Parameter><Name>pad_amount</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_UINT_32</Datatype><Shape><Rank>2D</Rank></Shape>
        <Default>{{0, 0}, {0, 0}}</Default></Parameter>
      <SupportedBackend>CPU</SupportedBackend>
    </OpDef>
    <OpDef>
      <Name>Join</Name>
      <Input><Name>parts</Name><Datatype>BACKEND_SPECIFIC</Datatype><Repeated>true</Repeated></Input>
      <Output><Name>out</Name><Datatype>BACKEND_SPECIFIC</Datatype><Repeated>true</Repeated></Output>
      <Parameter><Name>shares</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_FLOAT_32</Datatype><Shape><Rank>1D</Rank></Shape>
        <Default>[0.5, 1]</Default></Parameter>
    </OpDef>
  </OpDefList>
  <SupplementalOpDefList Backend="HTP">
    <SupportedOps><OpName>Mix</OpName></SupportedOps>
    <SupplementalOpDef><Name>Mix</Name>
      <Input><Name>in[0]</Name><Datatype>QNN_DATATYPE_UFIXED_POINT_8</Datatype>
        <Shape><Layout>NHWC</Layout></Shape></Input>
    </SupplementalOpDef>
  </SupplementalOpDefList>
  <SupplementalOpDefList Backend="CPU">
    <SupportedOps><OpName>Mix</OpName></SupportedOps>
  </SupplementalOpDefList>
</OpDefCollection>
"""
FURTHER = """<OpDefCollection PackageName="MixPackage" Domain="my.mix" Version="2.1"><OpDefList>
  <OpDef><Name>Half</Name><Input><Name>in</Name><Datatype>BACKEND_SPECIFIC</Datatype></Input>
    <Output><Name>out</Name><Datatype>BACKEND_SPECIFIC</Datatype></Output></OpDef></OpDefList>
  <SupplementalOpDefList Backend="HTP"><SupportedOps><OpName>Half</OpName></SupportedOps>
  </SupplementalOpDefList></OpDefCollection>
"""


def canonical(text: str) -> str:
    return ElementTree.canonicalize(text, strip_text=True, with_comments=True)


def written(*sources: Path, part: str = "xml") -> str:
    words = [word for source in sources for word in ("--package", f"MixPackage={source}")]
    outcome = htp_opt.run([*words, "-t", f"cpp-package{{part={part}}}"])
    assert outcome.status == 0, outcome.err
    return outcome.out


def test_definitions_go_out_as_they_came_in(tmp_path: Path) -> None:
    """Alone, beside the C++ that is written from them, and of an op that is passed over."""
    (tmp_path / "ops.xml").write_text(MIX)
    assert canonical(written(tmp_path / "ops.xml")) == canonical(MIX)
    (tmp_path / "ops.cpp").write_text(written(tmp_path / "ops.xml", part="ops"))
    both = (tmp_path / "ops.cpp", tmp_path / "ops.xml")
    assert canonical(written(*both)) == canonical(MIX)
    _, summary = load_cpp(both)
    assert [fault.where.rpartition(": ")[2] for fault in summary.skipped] == ["op 'Join'"] * 3
    assert not any("C++ text" in note.problem for note in summary.notes)


def test_what_ops_cannot_be_like_is_told(tmp_path: Path) -> None:
    (tmp_path / "ops.xml").write_text(MIX)
    package, summary = load_cpp(tmp_path / "ops.xml")
    assert package.ops == ("Mix",)
    assert [fault.problem for fault in summary.skipped] == [
        "input 'parts' is repeated before others",
        "output 'out' is repeated",
        "param 'shares' has a list of floats as default",
    ]
    assert [note.problem for note in summary.notes] == [
        "is for CPU",
        "output 'mask' is optional",
        "input 'in[1]' has rank 5D",
        "input 'in[1]' has data type QNN_DATATYPE_FLOAT_64",
    ]


@pytest.mark.parametrize("rank", ["0", "4", "5", "12", "5D", "9" * 5000])
def test_a_rank_may_be_a_number_alone(tmp_path: Path, rank: str) -> None:
    (tmp_path / "ops.xml").write_text(MIX.replace("5D", rank))
    _, summary = load_cpp(tmp_path / "ops.xml")
    told = [note.problem for note in summary.notes if "rank" in note.problem]
    assert told == [f"input 'in[1]' has rank {rank[:40]}"] * (rank not in "04")


@pytest.mark.parametrize("rank", ["nonsense", "-1", "4 D", "D4", "SCALAR", "ND", "n", ""])
def test_a_rank_that_is_none_is_told(tmp_path: Path, rank: str) -> None:
    (tmp_path / "ops.xml").write_text(MIX.replace("5D", rank))
    _, summary = load_cpp(tmp_path / "ops.xml")
    told = [note.problem for note in summary.notes if "rank" in note.problem]
    known = ("SCALAR", "ND", "n", "")
    assert told == [f"input 'in[1]' has rank {rank}"] * (rank not in known)


def test_two_files_become_one(tmp_path: Path) -> None:
    """And an op of C++ alone joins the lists."""
    (tmp_path / "ops.xml").write_text(MIX)
    (tmp_path / "further.xml").write_text(FURTHER)
    (tmp_path / "ops.cpp").write_text(
        'GraphStatus odd(Tensor &out, const Tensor &in);\nDEF_PACKAGE_OP(odd, "Odd")\n'
    )
    text = written(tmp_path / "ops.xml", tmp_path / "further.xml", tmp_path / "ops.cpp")
    root = ElementTree.fromstring(text)
    assert [part.tag for part in root] == [part.tag for part in ElementTree.fromstring(MIX)]
    assert [op.findtext("Name") for op in root[0].iter("OpDef")] == ["Mix", "Join", "Half", "Odd"]
    assert [name.text for name in root[1][0]] == ["Mix", "Half", "Odd"]


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (FURTHER.replace("my.mix", "other"), "domains and versions my.mix 2.1 and other 2.1"),
        (FURTHER.replace(">Half<", ">Mix<"), "an op that two files define"),
    ],
)
def test_files_that_are_not_of_one_package(further: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "ops.xml").write_text(MIX)
    (tmp_path / "further.xml").write_text(further)
    with pytest.raises(HtpError, match=message):
        load_cpp([tmp_path / "ops.xml", tmp_path / "further.xml"])


def test_free_operands_have_data_types_of_htp(tmp_path: Path) -> None:
    """What is written of a package in Python says them in a supplement, and is read equal."""
    swish = ["--package", str(EXAMPLES / "swish_package" / "package.py")]
    text = htp_opt.run([*swish, "-t", "cpp-package{part=xml}"]).out
    (supplement,) = ElementTree.fromstring(text).iter("SupplementalOpDefList")
    assert supplement.get("Backend") == "HTP"
    assert [name.text for name in supplement[0]] == ["Swish", "Swish.fast"]
    (tmp_path / "swish.xml").write_text(text)
    assert "QNN_DATATYPE_FLOAT_32" in [each.text for each in supplement[1].iter("Datatype")]
    assert read_definitions(tmp_path / "swish.xml").notes == ()
