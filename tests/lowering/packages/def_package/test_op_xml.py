"""Op definitions in XML: read alone and beside C++, written of any package, the newer interface."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.constraints import ParamConstraint, TensorConstraint
from htp_mlir.dialects.value.dtypes import Kind
from htp_mlir.lowering.packages import load_package
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.packages.def_package.op_xml import read_definitions, write_definitions
from htp_mlir.lowering.rules.graph.param_order import Param
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.lowering.tools.htp import main as htp

from tests.support.paths import EXAMPLES

PACKAGES = sorted(EXAMPLES.glob("*/package.py"))
GAIN = """<?xml version="1.0" encoding="UTF-8"?>
<OpDefCollection PackageName="GainPackage" Domain="aisw" Version="1.0">
  <OpDefList>
    <OpDef>
      <Name>Gain</Name>
      <Description><Content>Scales its input.</Content></Description>
      <Input><Name>in[0]</Name><Mandatory>true</Mandatory>
        <Datatype>BACKEND_SPECIFIC</Datatype><Shape><Rank>4D</Rank></Shape></Input>
      <Input><Name>bias</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_FLOAT_32</Datatype></Input>
      <Output><Name>out</Name><Datatype>BACKEND_SPECIFIC</Datatype></Output>
      <Parameter><Name>factor</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_FLOAT_32</Datatype><Default>2</Default></Parameter>
      <Parameter><Name>axes</Name><Mandatory>false</Mandatory>
        <Datatype>QNN_DATATYPE_UINT_32</Datatype><Default>{0, 1}</Default></Parameter>
      <Parameter><Name>fast</Name><Mandatory>true</Mandatory>
        <Datatype>QNN_DATATYPE_BOOL_8</Datatype></Parameter>
      <SupportedBackend>HTP</SupportedBackend>
    </OpDef>
  </OpDefList>
  <SupplementalOpDefList Backend="HTP">
    <SupportedOps><OpName>Gain</OpName></SupportedOps>
    <SupplementalOpDef><Name>Gain</Name>
      <Input><Name>in[0]</Name><Datatype>QNN_DATATYPE_UFIXED_POINT_8</Datatype>
        <Datatype>QNN_DATATYPE_UFIXED_POINT_16</Datatype></Input>
    </SupplementalOpDef>
  </SupplementalOpDefList>
</OpDefCollection>
"""


def saved(folder: Path, text: str = GAIN) -> Path:
    path = folder / "ops.xml"
    path.write_text(text)
    return path


def test_ops_operands_and_params(tmp_path: Path) -> None:
    definitions = read_definitions(saved(tmp_path))
    (op,), (order,) = definitions.ops, definitions.orders
    assert (definitions.package, op.op, op.count) == ("GainPackage", "Gain", 1)
    assert list(op.operands) == ["in_0", "bias", "factor", "axes", "fast"]
    assert op.operands["in_0"].constraint == TensorConstraint(Kind.BLOCK_DATA)
    assert op.operands["bias"].constraint == TensorConstraint(Kind.F32)
    assert op.operands["factor"].constraint == ParamConstraint(usual=2.0)
    assert op.optional == ("bias",)
    assert order.params == (
        Param("factor", False, 2.0),
        Param("axes", False, (0, 1)),
        Param("fast", True),
    )


@pytest.mark.parametrize(
    ("dtype", "rank"),
    [
        *((dtype, "SCALAR") for dtype in ("FLOAT_32", "BOOL_8", "STRING", "INT_32")),
        ("INT_32", "1D"),
    ],
)
def test_a_param_without_a_default_keeps_its_type(dtype: str, rank: str, tmp_path: Path) -> None:
    datatype = f"<Datatype>QNN_DATATYPE_{dtype}</Datatype>"
    param = f"{datatype}<Shape><Rank>{rank}</Rank></Shape>"
    text = GAIN.replace("<Datatype>QNN_DATATYPE_BOOL_8</Datatype>", param)
    package = load_package(saved(tmp_path, text))
    orders = read_definitions(tmp_path / "ops.xml").orders
    written = write_definitions("GainPackage", package.ops, orders)
    (fast,) = [e for e in ElementTree.fromstring(written).iter("Parameter") if e[0].text == "fast"]
    assert fast.findtext("Datatype") == f"QNN_DATATYPE_{dtype}"
    assert fast.findtext("Shape/Rank") == rank


def test_alone_its_ops_are_lowered_and_have_no_bodies(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(
        "func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {\n"
        '  %y = qti_aisw.Custom(%x) {op_type = "Gain", package = "GainPackage",\n'
        "      params = {fast = true}} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>\n"
        "  func.return %y : tensor<1x8x8x32xf32>\n}\n"
    )
    model, package = str(tmp_path / "m.mlir"), f"--package={saved(tmp_path)}"
    lowered = htp.run(["lower", model, package, "--options", "allow-reference=true"])
    assert (lowered.status, lowered.err) == (0, "")
    assert 'GainPackage.Gain(%0, %1, %2, %3) {kernel = "Gain"}' in lowered.out
    outcome = htp.run(["run", model, package, "-p", "htp-lower{allow-reference=true}"])
    assert "kernel Gain has a C++ signature and no Python body" in outcome.err


def test_beside_cpp_the_text_counts_first(tmp_path: Path) -> None:
    source = tmp_path / "gain.cpp"
    source.write_text(
        "#define THIS_PKG_NAME GainPackage\n"
        "GraphStatus gain(Tensor &out, const Tensor &in, const Tensor &bias,\n"
        "                 const Tensor &factor, const Tensor &axes, const Tensor &fast);\n"
        'DEF_PACKAGE_OP(gain, "Gain")\n'
        'DEF_PACKAGE_PARAM_ORDER("Gain", "fast", true, nullptr)\n'
    )
    package, summary = load_cpp([source, saved(tmp_path)], name="GainPackage")
    assert summary.skipped == ()
    assert [note.where for note in summary.notes] == ["op 'Gain'"]
    assert [kernel.function for kernel in package.kernels] == ["gain"]
    assert [param.name for param in package.param_orders[0].params] == ["fast"]
    assert list(package.declarations[0].operands) == ["in_0", "bias", "factor", "axes", "fast"]
    shown = htp.run(["package", "show", str(source), str(tmp_path / "ops.xml")])
    assert "GainPackage.Gain(in_0, bias, factor, axes, fast)" in shown.out
    alone = htp.run(["package", "show", str(tmp_path / "ops.xml")])
    assert "GainPackage.Gain(in_0, bias, factor, axes, fast)" in alone.out
    assert "declared nowhere" not in alone.out


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_what_is_written_is_read(path: Path, tmp_path: Path) -> None:
    package = load_package(path)
    text = write_definitions(package.name, package.ops, package.param_orders)
    definitions = read_definitions(saved(tmp_path, text))
    assert [op.op for op in definitions.ops] == [op.name.partition(".")[2] for op in package.ops]
    for ours, read in zip(package.ops, definitions.ops, strict=True):
        data = [name for name in ours.OPERANDS if name not in ours.PARAMS]
        assert list(read.operands) == [*data, *ours.PARAMS]
    wanted = {order.op: order for order in package.param_orders}
    orders = {order.op: order for order in definitions.orders}
    assert {op: orders[op] for op in wanted} == wanted


def test_the_part_of_the_target() -> None:
    package = EXAMPLES / "swish_package" / "package.py"
    outcome = htp_opt.run(["--package", str(package), "-t", "cpp-package{part=xml}"])
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<OpDefCollection Pack')
    outcome = htp_opt.run(["--package", str(package), "-t", "cpp-package{part=jason}"])
    assert outcome.err.startswith("cpp-package: part 'jason' is not known\n")


def test_the_files_that_a_package_is_built_with(tmp_path: Path) -> None:
    """The interface file lists the ops, and reading it beside them changes nothing."""
    package = EXAMPLES / "swish_package" / "package.py"
    for part, file in (("ops", "ops.cpp"), ("interface", "interface.cpp")):
        path = ["-o", str(tmp_path / file)]
        words = ["--package", str(package), "-t", f"cpp-package{{part={part}}}", *path]
        assert htp_opt.run(words).status == 0
    text = (tmp_path / "interface.cpp").read_text()
    assert 'sg_opNames[] = {"Swish", "Swish.fast"}' in text
    assert "SwishPackageInterfaceProvider(" in text
    alone, _ = load_cpp(tmp_path / "ops.cpp", name="SwishPackage")
    both, summary = load_cpp(tmp_path, name="SwishPackage")
    assert (both.ops, summary.skipped) == (alone.ops, ())
    makefile = htp_opt.run(["--package", str(package), "-t", "cpp-package{part=makefile}"]).out
    assert "htp_x86: build/x86_64-linux-clang/libQnnSwishPackage.so\n" in makefile
    assert "\n\t$(HEXAGON_CXX) $(FLAGS) -mv$*" in makefile


NEWER = {
    "registration": 'const char *qhpi_init() { qhpi_register_ops_v1(1, infos, "Newer"); }\n',
    "kernel": "uint32_t relu(QHPI_RuntimeHandle *handle) { return 0; }\n",
}


@pytest.mark.parametrize("part", NEWER)
def test_a_source_for_the_newer_interface_is_refused_by_name(part: str, tmp_path: Path) -> None:
    source = tmp_path / "newer.cpp"
    source.write_text(f'#include "HTP/core/qhpi.h"\n{NEWER[part]}')
    outcome = htp.run(["package", "show", str(source)])
    problem, remedy = outcome.err.splitlines()
    assert problem.endswith("newer.cpp: is written for QHPI, which is not read")
    assert "op definitions in XML" in remedy


def test_a_header_of_the_newer_interface_is_no_source_for_it(tmp_path: Path) -> None:
    (tmp_path / "qhpi.h").write_text("typedef struct { int count; } QHPI_OpInfo;\n")
    source = tmp_path / "older.cpp"
    source.write_text('#include "qhpi.h"\nint kept;\n')
    assert htp.run(["package", "show", str(source)]).status == 0


FAULTS = {
    "no XML": ("<OpDef", "is not XML"),
    "another root": ("<a/>", "has the root a"),
    "entities": ('<!DOCTYPE a [<!ENTITY b "c">]><OpDefCollection/>', "declares entities"),
    "no ops": ("<OpDefCollection/>", "defines no op"),
    "a name": (GAIN.replace("<Name>bias<", "<Name>[]<"), "has a Input named ''"),
    "a default": (GAIN.replace("<Default>2<", "<Default>two<"), "has the default 'two'"),
    "no output": (GAIN.replace("Output>", "Outcome>"), "has no output"),
    "a name twice": (GAIN.replace("<Name>bias<", "<Name>in_0<"), "has two operands of one name"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_not_a_definition(what: str, tmp_path: Path) -> None:
    text, message = FAULTS[what]
    with pytest.raises(HtpError) as caught:
        read_definitions(saved(tmp_path, text))
    problem, remedy = caught.value.lines()
    assert message in problem
    assert remedy
