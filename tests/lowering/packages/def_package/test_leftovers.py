"""What is easily misread: octal numbers, unknown tensor classes, functions told by comments."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages.def_package import Role, write_cpp
from htp_mlir.lowering.rules import EARLY

from .kit import load, reasons


def test_octal_numbers_are_read_as_cpp_reads_them_and_noted(tmp_path: Path) -> None:
    text = 'DEF_OPT(010, Op("A", "X"), LT(DIM_DEPTH("X"), {}), "X")'
    package, summary = load(tmp_path, text.format("0100"))
    assert [rule.priority for rule in package.rules] == [8]
    assert [note.problem for note in summary.notes] == [
        "010 is octal and means 8",
        "0100 is octal and means 64",
    ]
    assert str(summary).endswith("0100 is octal and means 64; write 100 if that was meant")
    _, plain = load(tmp_path, text.replace("010", "0x10").format("07"))
    assert plain.notes == ()


def test_an_unknown_tensor_class_is_listed(tmp_path: Path) -> None:
    text = """
template <typename T> int f(T &out, const T &in);
int g(QUint8CroutonTenser &out, const Tensor &in);
DEF_PACKAGE_OP(f<Tensor>, "Op")
DEF_PACKAGE_OP(f<MyTensor>, "Op")
DEF_PACKAGE_OP(g, "Op")
"""
    package, summary = load(tmp_path, text)
    assert [kernel.instance for kernel in package.kernels] == ["f<Tensor>"]
    assert reasons(summary) == [
        "package.cpp:5: parameter 'out' is of the unknown tensor class MyTensor",
        "package.cpp:6: parameter 'out' is of the unknown tensor class QUint8CroutonTenser",
    ]
    assert summary.skipped[1].remedy.startswith("did you mean 'QUint8CroutonTensor")


def test_other_names_of_tensor_classes(tmp_path: Path) -> None:
    text = """
using Croutons = hnnx::QUint8CroutonTensor_TCM;
typedef Croutons Ours;
template <typename T> int f(T &out, const T &in, const hnnx::Tensor &params, Ours &scratch);
class Hook;
DEF_PACKAGE_OP(f<Croutons>, "Op")
CTOR_OPHOOK(f<Ours>, Hook)
"""
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    (kernel,) = package.kernels
    assert kernel.instance == "f<QUint8CroutonTensor_TCM>"
    assert kernel.classes(Role.INPUT) == ("QUint8CroutonTensor_TCM", "Tensor")
    assert kernel.classes(Role.SCRATCH) == ("QUint8CroutonTensor_TCM",)
    assert kernel.hook == "Hook"


def test_a_template_parameter_with_a_default_before_a_body(tmp_path: Path) -> None:
    package, summary = load(
        tmp_path,
        """
        template <typename T, bool FAST = false> int f(T &out, const T &in) { return FAST; }
        using Croutons = QUint8CroutonTensor_TCM;
        DEF_PACKAGE_OP((f<Croutons, true>), "F")
        """,
    )
    (kernel,) = package.kernels
    assert (kernel.classes(Role.INPUT), summary.skipped) == (("QUint8CroutonTensor_TCM",), ())


NAMESPACES = """
namespace a { namespace b {
GraphStatus f(Tensor &out, const Tensor &in);
float cost(const Op *op);
class Hook;
} }
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(a::b::f, "F", a::b::cost)
CTOR_OPHOOK(a::b::f, a::b::Hook)
"""


def test_functions_are_declared_in_their_namespaces(tmp_path: Path) -> None:
    package, summary = load(tmp_path, NAMESPACES)
    assert summary.skipped == ()
    text = write_cpp(package)
    assert "namespace a::b { GraphStatus f(Tensor &out, const Tensor &in); }" in text
    assert "namespace a::b { float cost(const Op *op); }" in text
    assert "namespace a::b { class Hook; }" in text
    assert load(tmp_path, text)[0] == package


DEFAULTS = """
template <typename T, typename U = Tensor, bool FAST = false>
GraphStatus f(T &out, const U &in, const Tensor &by);
DEF_PACKAGE_OP((f<Tensor>), "F")
DEF_PACKAGE_OP((f<PlainFloatTensor, PlainFloatTensor>), "F")
DEF_PACKAGE_OP((f<QuantUint8Tensor, QuantUint8Tensor, true>), "F")
"""


def test_template_arguments_may_be_left_out(tmp_path: Path) -> None:
    package, summary = load(tmp_path, DEFAULTS)
    assert summary.skipped == ()
    assert [kernel.classes(Role.INPUT)[0] for kernel in package.kernels] == [
        "Tensor",
        "PlainFloatTensor",
        "QuantUint8Tensor",
    ]
    text = write_cpp(package)
    assert "template <typename T0, typename T1 = Tensor, int T2 = 0> GraphStatus f(" in text
    assert load(tmp_path, text)[0] == package


def test_constants_that_are_declared_together(tmp_path: Path) -> None:
    constants = "static const int kTile = 0x20, kMore = (1, 4), kNone;"
    rule = 'DEF_OPT(LATE, Op("A", "X"), LT(DIM_DEPTH("X"), {}), "X")'
    package, summary = load(tmp_path, f"{constants}\n{rule.format('kTile')}")
    assert (len(package.rules), summary.skipped) == (1, ())
    _, summary = load(tmp_path, f"{constants}\n{rule.format('kNone')}")
    assert reasons(summary) == ["package.cpp:2: 'kNone' is not known"]


def test_functions_that_comments_declare(tmp_path: Path) -> None:
    text = """
// :::EXTERNAL_SHAPEFN::: { half_of }
DEF_OPT(LATE, Op("A", "X"), OK, WITH_SIZE(SHAPEFN_APPLY(half_of, "X"), Op("B", "X")))
DEF_OPT(LATE, Op("A", "X"), OK, WITH_SIZE(SHAPEFN_APPLY(gone, "X"), Op("B", "X")))
"""
    _, summary = load(tmp_path, text)
    (declared, gone) = summary.skipped
    assert "the function 'half_of', " in declared.problem
    assert declared.problem.endswith("package.cpp:2 declares it, has no Python side")
    assert gone.problem == "the function 'gone' has no Python side"


@pytest.mark.parametrize("text", ["EARLY - 1", "EARLY + -1", "-1 + EARLY"])
def test_a_sign_before_a_number_counts(text: str, tmp_path: Path) -> None:
    package, summary = load(tmp_path, f'DEF_PACKAGE_OPTIMIZATION({text}, Op("X", "A"), OK, "A")')
    assert [rule.priority for rule in package.rules] == [EARLY - 1]
    assert summary.skipped == ()
