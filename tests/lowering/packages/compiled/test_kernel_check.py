"""`htp package check` and `htp rules check` over a package's own kernels."""

import re
from pathlib import Path

import pytest
from htp_mlir.lowering.kernel_trials.kernel_check import check_kernels
from htp_mlir.lowering.packages import load_packages

from .kit import COPY, SAMPLES, loaded, sample, told

pytestmark = [pytest.mark.needs("g++"), pytest.mark.slow]

FAULTS = {
    "no_tail": "unwritten, the first at",
    "past_end": "it writes behind 'out'",
    "rows": "unwritten, the first at [0, 0, 0, 32]",
    "empty": "it leaves its result 'out' untouched",
    "into_operand": "it writes into its operand 'in'",
    "absent": "the intrinsic Q6_Vhf_vgelu_Vhf is not in the table",
    "assembled": "it has inline assembly",
    "elsewhere<FloatCroutonTensor_TCM>": "not checked: it is declared and has no body; add",
}


def test_each_fault_of_a_kernel_is_named() -> None:
    packages = load_packages(sample("faulty"), build=True)
    reports = check_kernels(packages, "FaultyPackage", seed=0, cases=4)
    texts = {each.kernel.name: "\n".join(each.lines()) for each in reports}
    assert texts.keys() == FAULTS.keys()
    for name, fault in FAULTS.items():
        assert fault in texts[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_packages_without_a_fault_pass(name: str) -> None:
    text = told("package", "check", sample(name), "--cases", "3")
    assert "none is wrong" in text


@pytest.mark.needs("addr2line")
def test_an_element_beyond_its_tensor_is_named(tmp_path: Path) -> None:
    text = Path(sample("recurrence")).read_text().replace("x[b, h, w, d], state[b, h, w, d]", "x")
    path = tmp_path / "package.cpp"
    # The op says no more of the dims of its state, which the kernel takes for those of its input.
    path.write_text(text.replace('DEF_PACKAGE_OP(decay<Tensor>, "Decay")', ""))
    said = told("package", "check", str(path), "--cases", "2")
    assert re.search(r"throws: element \(.*\) is outside a tensor of \d+x\d+x\d+x\d+", said)


@pytest.mark.needs("addr2line")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("if (filter.dim(3) != 2) return GraphStatus::ErrorDimensions;", "returns -3"),
        ('if (filter.dim(3) != 2) throw std::runtime_error("no");', "throws: no"),
    ],
    ids=["returns", "throws"],
)
def test_a_kernel_that_takes_no_guess_of_its_op_says_how_to_declare_it(
    tmp_path: Path, line: str, said: str
) -> None:
    """Params are drawn with one element where nothing says how many they have."""
    pool = """
template <typename T> GraphStatus NAME(T &out, const T &in, const Tensor &filter)
{
    LINE
    out.set_dims(in);
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(NAME<TYPE>, "Pool")
"""
    kernels = {"fast": "PlainFloatTensor", "plain": "Tensor"}
    pool = pool.replace("LINE", line)
    text = "".join(pool.replace("NAME", n).replace("TYPE", t) for n, t in kernels.items())
    order = 'DEF_PACKAGE_PARAM_ORDER("Pool", "filter_size", true, nullptr)\n'
    packages = loaded(tmp_path, text + order)
    fast, *_ = check_kernels(packages, "Pkg", seed=0, cases=4)
    assert fast.obstacle.endswith(f" {said}; // @op Pool(in, filter: param=1) -> in")
    assert fast.obstacle.startswith("its reference runs") is (said == "throws: no")


@pytest.mark.needs("addr2line")
def test_a_kernel_without_end_is_tried_once(tmp_path: Path) -> None:
    packages = loaded(tmp_path, COPY.format("for (volatile int i = 0;; i = 0) i;"), kernel_limit=1)
    (report,) = check_kernels(packages, "Pkg", seed=0, cases=4)
    assert report.cases == 1
    assert "runs for more than 1 seconds, and is at " in report.lines()[1]


@pytest.mark.parametrize(("at", "side"), [("-1", "before"), ("n", "behind")])
def test_one_element_copied_too_far_is_seen(tmp_path: Path, at: str, side: str) -> None:
    line = f"out.data_ptr()[{at}] = in.data_ptr()[{at}];"
    line = f"const size_t n = in.total_storage_elements(); {line}"
    (report,) = check_kernels(loaded(tmp_path, COPY.format(line)), "Pkg", seed=0, cases=1)
    assert report.failures.total() == report.cases > 0
    assert f"it writes {side} 'out', up to 4 bytes away, of " in report.lines()[1]


REFERENCES = """#define THIS_PKG_NAME Pkg
template <typename T>
GraphStatus negated(T &out, const T &in)
{
    out.set_dims(in);
#ifdef REFERENCE_OP
    auto [B, H, W, D] = in.dims();
    for (Idx b = 0; b < B; b++)
        for (Idx h = 0; h < H; h++)
            for (Idx w = 0; w < W; w++)
                for (Idx d = 0; d < D; d++) out(b, h, w, d) = -in(b, h, w, d);
#else
    if (in.get_dtype() != DType::Float32) return GraphStatus::ErrorUnsupported;
    const HVX_UVector *from = (const HVX_UVector *)in.raw_data_const();
    HVX_UVector *to = (HVX_UVector *)out.raw_data();
    for (size_t i = 0; i < in.total_storage_elements() / 32; i++)
        *to++ = Q6_Vsf_vsub_VsfVsf(Q6_V_vzero(), *from++);
#endif
    return GraphStatus::Success;
}
DEF_PACKAGE_OP(negated<Tensor>, "Negated")
"""


def test_a_reference_body_behind_a_macro_is_what_a_kernel_is_compared_with(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(REFERENCES)
    text = told("package", "check", str(path), "--cases", "8")
    assert "negated<Tensor> beside its body with REFERENCE_OP: " in text
    assert "elements of 'out' unwritten, the first at" in text
    # A status of its own is a refusal, and no fault.
    assert "returns -2" not in text


def test_an_op_of_which_nothing_is_known_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(REFERENCES.replace("REFERENCE_OP", "OTHER_OP"))
    text = told("package", "check", str(path), "--cases", "2")
    assert "not checked: nothing says what the op computes; // @op Negated(in) -> in" in text
    assert text.endswith("no kernel could be checked\n")


HALVED = """#define THIS_PKG_NAME Pkg
template <typename T, int STEP>
GraphStatus halved(T &out, const T &in)
{
    const size_t dims[] = {in.dim(0), in.dim(1), (in.dim(2) + 1) / 2, in.dim(3)};
    out.set_dims(dims);
    for (Idx b = 0; b < dims[0]; b++)
        for (Idx h = 0; h < dims[1]; h++)
            for (Idx w = 0; w < dims[2]; w++)
                for (Idx d = 0; d < dims[3]; d++) out(b, h, w, d) = in(b, h, STEP * w, d);
    return GraphStatus::Success;
}
DEF_PACKAGE_OP((halved<Tensor, 2>), "Halved")
DEF_PACKAGE_OP((halved<PlainFloatTensor, 1>), "Halved")
"""


def test_a_result_that_nobody_declares_has_the_dims_that_the_reference_sets(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(HALVED)
    packages = load_packages(str(path), build=True)
    (report,) = check_kernels(packages, "Pkg", seed=0, cases=4)
    assert report.cases > 20
    assert any("elements differ" in example for example in report.examples.values())
    path.write_text(HALVED.replace("PlainFloatTensor, 1", "PlainFloatTensor, 2"))
    (report,) = check_kernels(load_packages(str(path), build=True), "Pkg", seed=0, cases=4)
    assert (report.cases > 20, report.failures.total()) == (True, 0)


TURNED = """// @op Turned(in: quantized) -> in
template <typename T> GraphStatus turned(T &out, const T &in)
{
    out.set_dims(in);
    const size_t width = in.dim(2);
    for (Idx b = 0; b < in.dim(0); b++)
        for (Idx h = 0; h < in.dim(1); h++)
            for (Idx w = 0; w < width; w++)
                for (Idx d = 0; d < in.dim(3); d++) MOVE;
    return GraphStatus::Success;
}
"""
MOVES = (
    ("Tensor", "out(b, h, w, d) = in(b, h, width - 1 - w, d)"),
    ("QuantUint8Tensor", "out.get_raw(b, h, w, d) = in.get_raw(b, h, width - 1 - w, d)"),
)


def test_a_kernel_that_moves_codes_is_right_where_there_is_one_encoding(tmp_path: Path) -> None:
    parts = []
    for number, (takes, move) in enumerate(MOVES):
        body = TURNED.replace("turned", f"turned{number}").replace("MOVE", move)
        parts.append(f'{body}DEF_PACKAGE_OP(turned{number}<{takes}>, "Turned")\n')
    path = tmp_path / "package.cpp"
    path.write_text("#define THIS_PKG_NAME Pkg\n" + "".join(parts))
    (report,) = check_kernels(load_packages(str(path), build=True), "Pkg", seed=0, cases=4)
    line = "  where results have the encoding of operands: 4 of 4 cases good"
    assert (report.failures.total() > 0, report.lines()[-1]) == (True, line)


WIDENED = """#define THIS_PKG_NAME Pkg
template <typename T, int BY>
GraphStatus widened(T &out, T &other, const T &in)
{
    const size_t dims[] = {in.dim(0), in.dim(1), 2 * in.dim(2), in.dim(3)};
    out.set_dims(dims);
    other.set_dims(dims);
    for (Idx b = 0; b < dims[0]; b++)
        for (Idx h = 0; h < dims[1]; h++)
            for (Idx w = 0; w < dims[2]; w++)
                for (Idx d = 0; d < dims[3]; d++)
                    out(b, h, w, d) = other(b, h, w, d) = BY * in(b, h, w / 2, d);
    return GraphStatus::Success;
}
DEF_PACKAGE_OP((widened<Tensor, 1>), "Widened")
DEF_PACKAGE_OP((widened<PlainFloatTensor, 2>), "Widened")
"""


def test_results_that_nobody_declares_may_be_larger_than_the_operand(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    for by in (1, 2):
        path.write_text(WIDENED.replace("PlainFloatTensor, 2", f"PlainFloatTensor, {by}"))
        (report,) = check_kernels(load_packages(str(path), build=True), "Pkg", seed=0, cases=2)
        assert report.cases > 9
        assert (report.failures.total() > 6) is (by == 2)


def test_graphs_that_a_kernel_does_not_take_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    refuses = "if (in.dim(3) != 33) return GraphStatus::ErrorUnsupported;"
    own = HALVED.replace("    out.set_dims(dims);", f"    out.set_dims(dims);\n    {refuses}")
    path.write_text(own.replace("PlainFloatTensor, 1", "PlainFloatTensor, 2"))
    (report,) = check_kernels(load_packages(str(path), build=True), "Pkg", seed=0, cases=4)
    assert 0 < report.cases < report.refused
    assert report.lines()[0].endswith(f" cases good; {report.refused} more were not taken")


def test_several_sources_are_one_package(tmp_path: Path) -> None:
    for op in ("Halved", "Thinned"):
        (tmp_path / f"{op}.cpp").write_text(HALVED.replace('"Halved"', f'"{op}"'))
    sources = map(str, sorted(tmp_path.glob("*.cpp")))
    text = told("package", "check", *sources, "--cases", "1")
    assert "Pkg.Halved: " in text
    assert "Pkg.Thinned: " in text
    assert "2 of 2 kernels are wrong" in text


def test_the_same_seed_draws_the_same_graphs() -> None:
    once, again = (told("package", "check", sample("faulty"), "--cases", "2") for _ in range(2))
    assert once == again
    assert once != told("package", "check", sample("faulty"), "--cases", "2", "--seed", "5")


@pytest.mark.parametrize(("name", "rules"), [("activations", 2), ("attention", 3)])
def test_rules_are_checked_on_the_package_s_own_kernels(name: str, rules: int) -> None:
    text = told("rules", "check", "--package", sample(name), "--build", "--cases", "5", "--strict")
    assert f"{rules} rules of " in text
    assert "are sound" in text
    assert "no Python body" in told("rules", "check", "--package", sample(name), "--cases", "2")
