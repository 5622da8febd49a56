"""Building by clang++ as by g++."""

import re
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.packages.compiled.build import BuildOptions, build
from htp_mlir.lowering.packages.compiled.kernels import built
from htp_mlir.runtime import Session, parse_module

from .kit import COPY, MODEL, loaded, sample, told

pytestmark = [pytest.mark.needs("g++", "clang"), pytest.mark.slow]
COMPILERS = ("g++", "clang++-22")
X = np.arange(48, dtype=np.float32).reshape(1, 2, 3, 8)


@pytest.fixture(params=COMPILERS)
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's compiler."""
    monkeypatch.setenv("CXX", request.param)


@pytest.mark.parametrize("in_process", [False, True], ids=["worker", "in process"])
def test_a_kernel_of_clang_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process: bool
) -> None:
    monkeypatch.setenv("CXX", COMPILERS[1])
    packages = loaded(tmp_path, COPY.format(""), in_process=in_process)
    module = parse_module(MODEL, ctx=packages.context())
    result = Session(module, library=packages.library).run({"x": X})
    np.testing.assert_array_equal(result["y"], X)


def test_what_is_built_is_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "package.cpp"
    source.write_text("#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    paths = set[Path]()
    for name in COMPILERS:
        monkeypatch.setenv("CXX", name)
        paths.add(build([source], BuildOptions()).path)
    assert len(paths) == 2


@pytest.mark.usefixtures("compiler")
def test_a_missing_intrinsic_is_absent_alone_where_the_compiler_offers_another() -> None:
    package = built([Path(sample("faulty"))], BuildOptions())
    assert len(package.kernels) == 9
    assert package.library.absent == {"Q6_Vhf_vgelu_Vhf", "inline assembly"}


@pytest.mark.usefixtures("compiler")
def test_the_sanitizers_of_either_say_the_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "package.cpp"
    overflow = "int most = 2147483647; most += int(in.dim(3)); *(int *)out.raw_data() = most;"
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format(overflow)
    source.write_text(text)
    assert "60 of 60 cases" in told("package", "check", "--sanitize", str(source))
    assert "package.cpp:7:" in capfd.readouterr().err


@pytest.mark.usefixtures("compiler")
def test_an_error_in_a_header_is_at_the_line_that_it_comes_from(tmp_path: Path) -> None:
    source = tmp_path / "package.cpp"
    text = COPY.format("").replace('DEF_PACKAGE_OP(copy, "Copy")', "")
    odd = (
        "struct Odd {};\nGraphStatus odd(Odd &, const Tensor &) { return GraphStatus::Success; }\n"
    )
    cost = 'DEF_PACKAGE_OP_AND_COST_AND_FLAGS(copy, "Copy", "FAST", Flags::RESOURCE_HVX)\n'
    source.write_text(f'{text}{odd}{cost}DEF_PACKAGE_OP(odd, "Odd")\n')
    lacking = build([source], BuildOptions()).lacking
    lines = [fault.where.rpartition(":")[2] for fault in lacking]
    first = len((text + odd).splitlines()) + 1
    assert lines == [str(first), str(first + 1)]


@pytest.mark.usefixtures("compiler")
def test_a_function_without_a_body_is_named(tmp_path: Path) -> None:
    source = tmp_path / "package.cpp"
    head = "#define THIS_PKG_NAME Pkg\nnamespace n { int unheard(int); }\n"
    source.write_text(head + COPY.format("n::unheard(3);"))
    text = told("package", "check", str(source))
    assert "copy: not checked: it runs on no graph: the kernel of " in text
    assert "cannot go on: n::unheard(int) is declared and has no body\n" in text


CLASSES = """
enum class Kind { ONE };
template <typename T> class Odd : public Unheard<T> {
    int head(Unheard &x) { return n; }
    int n{3};
#if 1
};
#endif
struct Even { int wrong() { return unheard; } int right() { return 1; } };
GraphStatus odd(Tensor &out, const Tensor &in) { return GraphStatus(Odd<float>().n); }
DEF_PACKAGE_OP(odd, "Odd")
GraphStatus even(Tensor &out, const Tensor &in) { return GraphStatus(Even().right()); }
DEF_PACKAGE_OP(even, "Even")
"""


@pytest.mark.usefixtures("compiler")
def test_a_class_that_does_not_compile_leaves_the_kernels_without_it(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format("") + CLASSES
    path.write_text(text)
    said = told("package", "build", str(path))
    assert re.search(r"Copy: copy is built\nOdd: odd is not built: .*\nEven: even is built\n", said)
    faults = {name: line for line, name in re.findall(r"cpp:(\d+): .*; (\w+) ends there; ", said)}
    assert faults.keys() == {"Odd", "wrong", "odd"}
    assert (faults["wrong"], faults["odd"]) == ("19", "20")
    path.write_text(f"{text}static Odd<float> used;\n")
    said = told("package", "build", str(path))
    assert "package.cpp:13: " in said
    assert "library" not in said
