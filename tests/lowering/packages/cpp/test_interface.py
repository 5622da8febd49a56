"""What an interface file and the names of QNN's header tell of a package."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.packages.cpp.kit import qnn_names
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
    text = "QNN_OP_ELEMENT_WISE_ADD QNN_OP_CONV_2D QNN_OP_CONV_2D_PARAM_PAD_AMOUNT "
    text += "QNN_OP_RELU6 QNN_OP_NO_SUCH QNN_OP_PACKAGE_NAME_QTI_AISW"
    assert qnn_names(text) == {
        "QNN_OP_ELEMENT_WISE_ADD": "ElementWiseAdd",
        "QNN_OP_CONV_2D": "Conv2d",
        "QNN_OP_RELU6": "Relu6",
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


IDLE = """#define THIS_PKG_NAME Pkg
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)
GraphStatus join(Tensor &out, const Tensor &a, const Tensor &amount);
DEF_PACKAGE_OP(join, "Join")
"""


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('Op("Join", "X", "A"), OK, Op("Join", "X", "A")', "builds what it matches"),
        (
            'Op("Join", LET("B", Op(Q("Abs"), "X")), "A"), OK, Op("Join", "B", "A")',
            "builds what it matches",
        ),
        (
            'Op(Q("flat_from_vtcm"), Op("Join", "X", "A")), OK, Op("Join", "X", "A")',
            "no rule places htp.flat_from_vtcm",
        ),
        (
            'Op(Q("Relu6"), "X"), OK, Op("Join", "X", gen_ConstScalar_f32(6.0))',
            "htp.Relu6 is known by name only: it runs once a package brings a kernel for it; "
            "here it is ReluMinMax between 0 and 6",
        ),
    ],
)
def test_rules_that_do_nothing_get_a_word(tmp_path: Path, rule: str, said: str) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(f"{IDLE}DEF_PACKAGE_OPTIMIZATION(EARLY, {rule})")
    assert said in linted(path)


def test_rules_that_change_something_and_copies_that_a_rule_places_get_none(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(
        IDLE
        + """
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Join", "X", "A"), IS_FLOAT32("X"),
    Op("Join", WITH_SAME_OUTPUT("X", Op(Q("flat_to_vtcm"), "X")), "A"))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Join", Op(Q("flat_to_vtcm"), "X"), "A"), IS_FLOAT32("X"),
    Op("Join", Op(Q("Abs"), "X"), "A"))
"""
    )
    assert "2 rules of Pkg are clean" in linted(path)


def test_a_rule_that_fills_in_a_param_which_no_kernel_goes_without_is_not_drawn(
    tmp_path: Path,
) -> None:
    path = tmp_path / "package.cpp"
    rule = 'Op("Join", "X"), OK, Op("Join", "X", gen_ConstScalar_f32(1.0))'
    body = 'from htp_mlir.lowering.packages import *\nb = Bodies()\n@b.body("Join")\n'
    body += (
        f"def f(out, *operands): out.store(operands[0].load())\nread, _ = load_cpp({str(path)!r})\n"
    )
    own = tmp_path / "package.py"
    own.write_text(f"{body}PACKAGE = from_cpp(read, b)\n")
    for kernel, said in (
        ("", "the match gives Pkg.Join 1 operand: no kernel takes it so"),
        ('GraphStatus one(Tensor &out, const Tensor &a);\nDEF_PACKAGE_OP(one, "Join")\n', "sound"),
    ):
        path.write_text(f"{IDLE}{kernel}DEF_PACKAGE_OPTIMIZATION(EARLY, {rule})")
        checked = htp.run(["rules", "check", "--package", str(own), "--cases", "5"])
        assert said in checked.out


def test_a_package_of_which_no_rule_is_checked_is_not_praised(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(f'{IDLE}DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Join", "X", "A"), OK, "X")')
    checked = htp.run(["rules", "check", "--package", str(path)])
    assert "Pkg has no rule that was checked" in checked.out


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
