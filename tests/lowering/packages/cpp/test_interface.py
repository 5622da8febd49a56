"""What an interface file and the names of QNN's header tell of a package."""

from __future__ import annotations

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.packages.cpp.qnn_names import qnn_names
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.tools import htp

RULES = """
#define THIS_PKG_NAME Pkg
GraphStatus join(Tensor &out, const Tensor &a);
DEF_PACKAGE_OP(join, "Join")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Whole", "X"), OK, Op("Join", "X"))
"""
INTERFACES = (
    'static const char *names[] = {"Whole", "Join"};',
    'static std::array<const char *, 2> sg_opNames{{"Whole", "Join"}};',
    '#define WHOLE "Whole"\nstatic const char *const sg_names[2] = {WHOLE, "Join"};',
)


def linted(folder: Path) -> str:
    outcome = htp.run(["rules", "lint", "--package", str(folder)])
    return outcome.out + outcome.err


@pytest.mark.parametrize("array", INTERFACES)
def test_ops_that_the_interface_file_lists_are_declared(tmp_path: Path, array: str) -> None:
    (tmp_path / "rules.cpp").write_text(RULES)
    assert "no package has Pkg.Whole" in linted(tmp_path)
    info = "void f(QnnOpPackage_Info_t *info) { info->operationNames = names; }"
    (tmp_path / "Interface.cpp").write_text(f"#define THIS_PKG_NAME Pkg\n{array}\n{info}")
    text = linted(tmp_path)
    assert "1 rule of Pkg is clean" in text
    assert "Pkg.Whole" not in text


def test_strings_of_another_file_declare_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.cpp").write_text(RULES + INTERFACES[0])
    assert "no package has Pkg.Whole" in linted(tmp_path)


def test_macros_of_qnn_are_names_of_ops_and_params(tmp_path: Path) -> None:
    text = "QNN_OP_ELEMENT_WISE_ADD QNN_OP_CONV_2D QNN_OP_CONV_2D_PARAM_PAD_AMOUNT QNN_OP_NO_SUCH"
    assert qnn_names(text) == {
        "QNN_OP_ELEMENT_WISE_ADD": "ElementWiseAdd",
        "QNN_OP_CONV_2D": "Conv2d",
        "QNN_OP_CONV_2D_PARAM_PAD_AMOUNT": "pad_amount",
    }
    path = tmp_path / "package.cpp"
    path.write_text(
        "#define THIS_PKG_NAME Pkg\nGraphStatus pool(Tensor &out, const Tensor &in);\n"
        "DEF_PACKAGE_OP(pool, QNN_OP_POOL_MAX_2D)\n"
        "#define STRIDE QNN_OP_POOL_MAX_2D_PARAM_STRIDE\n"
        "DEF_PACKAGE_PARAM_ORDER(QNN_OP_POOL_MAX_2D, STRIDE, true, nullptr)"
    )
    package, summary = load_cpp(path)
    assert summary.skipped == ()
    assert [kernel.op for kernel in package.kernels] == ["PoolMax2d"]
    assert [param.name for order in package.param_orders for param in order.params] == ["stride"]


def test_a_kernel_that_disagrees_with_its_op_is_left_out_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(
        """#define THIS_PKG_NAME Pkg
GraphStatus parted(Tensor &out, Tensor &rest, const Tensor &in);
GraphStatus whole(Tensor &out, const Tensor &in);
DEF_PACKAGE_OP(parted, "Part")
DEF_PACKAGE_OP(whole, "Part")
DEF_PACKAGE_OP(whole, "Whole")
DEF_TENSOR_PROPERTIES(Op("Part", "in"), Outputs("*", "rest"), Flat("..."))
"""
    )
    packages = load_packages(path)
    assert [kernel.name for kernel in packages.kernels.kernels("Pkg.Part")] == ["parted"]
    assert [kernel.name for kernel in packages.kernels.kernels("Pkg.Whole")] == ["whole"]
    assert "package.cpp:5: takes 1 outputs and 1 operands" in capsys.readouterr().err


def test_a_package_without_rules_is_not_praised(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text("#define THIS_PKG_NAME Pkg\n" + RULES.partition("DEF_PACKAGE_OPT")[0])
    assert "Pkg has no rule that was read" in linted(path)
    checked = htp.run(["rules", "check", "--package", str(path)])
    assert "Pkg has no rule that was read" in checked.out


def test_show_names_declarations_that_lead_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(
        "#define THIS_PKG_NAME Pkg\n"
        'DEF_PACKAGE_OP(nowhere<Tensor>, "Join")\n'
        'DEF_PACKAGE_PARAM_ORDER("Whole", "axis", true, nullptr)\n'
    )
    out = htp.run(["package", "show", str(path)]).out
    assert "package.cpp:2: nowhere is declared nowhere, so its tensors are not known" in out
    assert "note: the param order of Whole belongs to no kernel" in out
