"""Building: what is compiled, what is kept, and what is said of that which cannot be."""

import re
import tempfile
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages.compiled import build as building
from htp_mlir.lowering.packages.compiled.build import BuildOptions, build
from htp_mlir.lowering.packages.compiled.kernels import built

from .kit import COPY, sample, told

pytestmark = [pytest.mark.needs("g++"), pytest.mark.slow]
CLANG = pytest.mark.needs("clang")
HEAD = '#include "HTP/core/simple_reg.h"\n#include "shapes.h"\n#define THIS_PKG_NAME Pkg\n'


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_what_is_built_once_is_taken_again_until_a_header_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path, "package.cpp", HEAD + COPY.format(""))
    header = write(tmp_path, "shapes.h", "#define ROWS 8\n")
    first = build([source], BuildOptions())
    commands: list[str] = []
    run = building.run_tool

    def counted(command: list[str]) -> str:
        commands.append(command[-1])
        return run(command)

    monkeypatch.setattr(building, "run_tool", counted)
    assert build([source], BuildOptions()).path == first.path
    compiled = [each for each in commands if each.endswith("/out")]
    assert compiled == []
    header.write_text("#define ROWS 16\n")
    build([source], BuildOptions())
    assert len([each for each in commands if each.endswith("/out")]) >= 1


def built_in_own_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A package's source, and its library in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    source = write(folder, "package.cpp", "#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    return source, build([source], BuildOptions()).path


def test_a_file_of_the_cache_that_has_changed_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, library = built_in_own_cache(tmp_path, monkeypatch)
    kept = [path for path in library.parent.iterdir() if path.is_file()]
    assert {path.suffix for path in kept} == {".o", ".link"}
    for path in kept:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content[: len(content) // 2 + 1])
    assert len(built([source], BuildOptions()).kernels) == 1


def test_a_file_that_cannot_be_kept_is_a_fault_in_two_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, library = built_in_own_cache(tmp_path, monkeypatch)
    library.unlink()
    library.mkdir()
    with pytest.raises(
        HtpError, match=r"\.link: Is a directory\n  make room for it, or set TMPDIR"
    ):
        build([source], BuildOptions())


@pytest.mark.parametrize("place", ["cache", "system"])
def test_a_folder_that_takes_no_file_is_a_fault_in_two_lines(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if place == "cache":
        (tmp_path / "htp-mlir").symlink_to("/proc/sys")
    else:
        monkeypatch.setattr(tempfile, "tempdir", "/proc/sys")
    source = write(tmp_path, "package.cpp", "#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    with pytest.raises(
        HtpError, match=r": No such file or directory\n  make room for it, or set TMPDIR"
    ):
        build([source], BuildOptions())


def test_headers_of_the_device_are_made_nowhere_but_in_a_folder_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("htp-mlir/headers", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "htp-mlir/headers/HTP").symlink_to(tmp_path / "elsewhere")
    text = '#include "HTP/core/unheard.h"\n#define THIS_PKG_NAME Pkg\n' + COPY.format("")
    build([write(tmp_path, "package.cpp", text)], BuildOptions())
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_follows_from_a_function_that_nobody_declares_is_not_said(tmp_path: Path) -> None:
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format("")
    good = write(tmp_path, "good.cpp", text)
    text = (
        '#define THIS_PKG_NAME Pkg\nDEF_PACKAGE_OP(no<Tensor>, "No")\nDEF_PACKAGE_OP(nor, "Nor")\n'
    )
    bad = write(tmp_path, "bad.cpp", text)
    said = told("package", "build", str(good), str(bad)).replace(str(tmp_path), "")
    assert "expected primary-expression" not in said
    assert "Nor: nor is not built: /bad.cpp:3: 'nor' was not declared in this scope; " in said


def test_an_error_names_the_user_s_own_line_and_the_rest_is_built(tmp_path: Path) -> None:
    good = write(tmp_path, "good.cpp", "#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    bad = write(tmp_path, "bad.cpp", "int f = unheard_of;\n")
    library = build([good, bad], BuildOptions())
    (fault,) = library.faults
    assert fault.where.endswith("bad.cpp:1")
    assert fault.problem == "'unheard_of' was not declared in this scope"


def test_a_function_that_nobody_declares_leaves_the_other_kernels(tmp_path: Path) -> None:
    good = COPY.format("").replace("copy", "good")
    head = "#define THIS_PKG_NAME Pkg\n"
    source = write(tmp_path, "package.cpp", head + COPY.format("unheard_of(out, in);") + good)
    said = told("package", "build", str(source), "--diagnostics=json")
    assert "Copy: copy is built, and ends at unheard_of\nCopy: good is built\n" in said
    assert '"line": 7, "column": 5, "end_column": 6, "problem": "\'unheard_of\' was not' in said
    # What is declared too late is a mistake of the source.
    later = "int later(int x) { return x; }\n"
    source.write_text(head + COPY.format("later(1);") + good + later)
    assert "package.cpp:7: 'later' was not declared" in told("package", "build", str(source))


@pytest.mark.parametrize(
    "line", ["float y = 2.0f * unheard_of(1);", "int y = in.unheard_of();", "unheard_of y;"]
)
def test_a_body_that_does_not_compile_leaves_the_other_kernels(line: str, tmp_path: Path) -> None:
    # The brace of a comment ends no body, and directives stay.
    body = f"// }}\n#if 1\n{line}\n#endif\n"
    good = COPY.format("").replace("copy", "good")
    head = "#define THIS_PKG_NAME Pkg\nnamespace {\n"
    source = write(tmp_path, "package.cpp", head + COPY.format(body) + "}\n" + good)
    said = told("package", "build", str(source)).replace(str(tmp_path), "")
    assert "Copy: copy is not built: /package.cpp:10: " in said
    assert "unheard_of" in said.splitlines()[0]
    assert "; copy ends there; " in said
    assert "Copy: good is built\nlibrary " in said


HEADS = """
GraphStatus strange(Unheard &out, const Unheard &in);
DEF_PACKAGE_OP(strange, "Strange")
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(copy, "Dear", (price))
// What is registered between two functions stays.
GraphStatus strange(Unheard &out, const Unheard &in)
{
    return GraphStatus::Success;
}
static float price(const Unheard *op) { return 1.0f; }
DEF_PACKAGE_OP(odd<PlainFloatTensor>, "Odd")
extern "C" {
int c_function(Unheard_ *x) { return 1; }
}
"""


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++-22", marks=CLANG)])
def test_a_head_that_does_not_compile_leaves_the_other_kernels(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", compiler)
    head = "#define THIS_PKG_NAME Pkg\ntemplate <typename T> int odd(T &x, Unheard &y);\n"
    head += "static float price(const Unheard *op);\n"
    source = write(tmp_path, "package.cpp", head + COPY.format("") + HEADS)
    said = told("package", "build", str(source)).replace(str(tmp_path), "")
    assert "Copy: copy is built\n" in said
    assert "Dear: copy is not built: /package.cpp:3: " in said
    assert "library " in said
    faults = dict(re.findall(r"cpp:(\d+): .*'Unheard_?'.*; (\w+) ends there; ", said))
    assert faults == {"2": "odd", "3": "price", "14": "strange", "25": "c_function"}
    assert "4 errors:\n" in said


REGISTERED = """
template <typename T> GraphStatus two(T &out, const T &in) { return GraphStatus::Success; }
DEF_PACKAGE_OP((two<Unheard>), "Two")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((two<PlainFloatTensor>), "Two", UNHEARD, Flags::RESOURCE_HVX)
static float price(int number) { return 1.0f; }
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(copy, "Two", price)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(two, "Two", FAST)
"""


def test_a_registration_that_does_not_compile_leaves_the_other_kernels(tmp_path: Path) -> None:
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format("") + REGISTERED
    said = told("package", "build", str(write(tmp_path, "package.cpp", text)))
    assert "Copy: copy is built\n" in said
    assert "library " in said
    assert re.search(r"\nTwo: copy is not built: .*package.cpp:16: no matching function for", said)
    assert "4 errors:\n" in said
    assert re.findall(r"cpp:(\d+): 'U\w+' was not declared", said) == ["13", "14"]
    assert re.findall(r"cpp:(\d+): no matching", said) == ["16", "16", "17"]


def test_the_column_of_an_error_counts_a_tab_as_one_character(tmp_path: Path) -> None:
    text = '#define THIS_PKG_NAME Pkg\n\t\tDEF_PACKAGE_OP(f, "No")\n' + COPY.format("")
    said = told("package", "build", str(write(tmp_path, "package.cpp", text)))
    assert "Copy: copy is built\n" in said
    assert "package.cpp:2: 'f' was not declared in this scope; " in said


def test_a_kernel_that_nobody_declares_leaves_the_others_of_its_source(tmp_path: Path) -> None:
    registered = (
        'DEF_PACKAGE_OP(f, "No")\nDEF_PACKAGE_OP((nor<Tensor, Tensor>), "Nor")\n'
        'DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(copy, "Dear", price)\n'
        "CTOR_OPHOOK(neither<Tensor>, hnnx::OpHookBase)\n"
    )
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format("unheard_of(out, in);") + registered
    source = write(tmp_path, "package.cpp", text)
    said = told("package", "build", str(source)).replace(str(tmp_path), "")
    assert "Copy: copy is built, and ends at unheard_of\n" in said
    assert "No: f is not built: /package.cpp:11: 'f' was not declared in this scope; " in said
    assert "Nor: nor<Tensor, Tensor> is not built: /package.cpp:12: 'nor' was not " in said
    assert "Dear: copy is not built: /package.cpp:13: 'price' was not declared" in said
    assert "library " in said


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_comment_that_is_passed_over_is_a_note(command: str, tmp_path: Path) -> None:
    text = "#define THIS_PKG_NAME Pkg\n" + COPY.format("").replace("x: real", "x: quint8")
    source = write(tmp_path, "package.cpp", text)
    said = told("package", command, str(source))
    assert f"note: passed over: {source}:2: op Copy: 'quint8' is no kind of operand" in said


@pytest.mark.parametrize("command", ["build", "profile"])
@pytest.mark.parametrize("name", ["package.py", "ops.xml"])
def test_what_no_compiler_takes_is_refused(command: str, name: str, tmp_path: Path) -> None:
    op = "<OpDef><Name>A</Name><Output><Name>y</Name></Output></OpDef>"
    source = write(tmp_path, name, f"<OpDefCollection>{op}</OpDefCollection>")
    said = told("package", command, str(source))
    assert said == f"{source}: has no C++ to compile\n  name .cpp or .cc or .cxx files\n"


def test_definitions_of_ops_are_not_compiled(tmp_path: Path) -> None:
    op = "<OpDef><Name>Copy</Name><Input><Name>x</Name></Input>"
    op += "<Output><Name>y</Name></Output></OpDef>"
    ops = write(tmp_path, "ops.xml", f"<OpDefCollection PackageName='Pkg'>{op}</OpDefCollection>")
    source = write(tmp_path, "package.cpp", "#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    said = told("package", "build", f"Pkg={source}", f"Pkg={ops}")
    assert said.startswith("Copy: copy is built\nlibrary ")


def test_a_character_that_no_path_has_hides_no_other_source(tmp_path: Path) -> None:
    write(tmp_path, "good.cpp", "#define THIS_PKG_NAME Pkg\n" + COPY.format(""))
    write(tmp_path, "bad.cpp", '#include "HTP/a\0b.h"\n#include "x\0.h"\n')
    assert told("package", "build", str(tmp_path)).startswith("Copy: copy is built\n")


@pytest.mark.parametrize("macro", ["", "A B", "1X", "=1"])
def test_a_macro_without_a_name_is_refused(macro: str) -> None:
    said = told("package", "build", sample("attention"), f"-D{macro}" if macro else "-D=")
    assert said.endswith(" has no name in C++\n  write NAME or NAME=VALUE\n")


def test_a_function_that_two_sources_define_is_named(tmp_path: Path) -> None:
    text = "#define THIS_PKG_NAME Pkg\nfloat two() { return 2.0f; }\n"
    write(tmp_path, "first.cpp", text)
    write(tmp_path, "second.cpp", text + COPY.format(""))
    said = told("package", "build", str(tmp_path)).replace(str(tmp_path), "")
    assert said == (
        "/second.cpp:2: two() is defined by another source, too\n  make it static, or inline\n"
    )


def test_without_any_good_source_there_is_no_package(tmp_path: Path) -> None:
    bad = write(tmp_path, "bad.cpp", '#include "nowhere.h"\n')
    with pytest.raises(HtpError, match=r"bad\.cpp:1: nowhere\.h: No such file") as caught:
        build([bad], BuildOptions())
    assert caught.value.faults[0].remedy == "give the folder of the header with -I"


def test_without_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(HtpError, match="'no-such-compiler' is not there\n  install g\\+\\+"):
        build([Path(sample("attention"))], BuildOptions())


def test_a_macro_decides_whether_there_is_a_body(tmp_path: Path) -> None:
    text = (
        HEAD.replace('#include "shapes.h"\n', "") + "#ifdef USE_HVX\n" + COPY.format("") + "#endif"
    )
    source = write(tmp_path, "package.cpp", text)
    assert len(built([source], BuildOptions(defines=("USE_HVX",))).kernels) == 1
    assert len(built([source], BuildOptions()).kernels) == 0


def test_a_missing_intrinsic_is_named_and_the_other_kernels_are_there() -> None:
    package = built([Path(sample("faulty"))], BuildOptions())
    (fault,) = package.faults
    assert fault.problem == "'Q6_Vhf_vgelu_Vhf' was not declared in this scope"
    assert fault.remedy.startswith("add its row to ")
    bodies = {kernel.function: kernel.has_body for kernel in package.kernels.values()}
    assert bodies.pop("elsewhere<FloatCroutonTensor_TCM>") is False
    assert all(bodies.values())
    assert len(bodies) == 8


def test_the_command_says_of_each_kernel_whether_it_runs() -> None:
    lines = told("package", "build", sample("activations"), "--show-flags").splitlines()
    assert "-include" in lines[0]
    assert "-O2" in lines[0]
    assert lines[1] == "Clip: clip<Tensor> is built"
    assert lines[-1].startswith("library ")
    unbuilt = "is declared and has no body; add the source that has it\n"
    assert f"elsewhere<FloatCroutonTensor_TCM> {unbuilt}" in told(
        "package", "build", sample("faulty")
    )


def test_a_kernel_ends_where_a_function_that_it_calls_ends(tmp_path: Path) -> None:
    helper = "namespace n { inline HVX_Vector one() { return Q6_V_vnone(); } }\n"
    text = HEAD.replace('#include "shapes.h"\n', "") + helper + COPY.format("(void)n::one();")
    text = text.replace("out.set", 'asm volatile("dcfetch(%0)" : : "r"(0)); out.set')
    source = write(tmp_path, "package.cpp", text)
    assert "copy is built, and ends at Q6_V_vnone\n" in told("package", "build", str(source))


def test_assembly_of_each_form_is_compiled_and_what_changes_no_number_is_left_out(
    tmp_path: Path,
) -> None:
    forms = {
        'asm("%0 = add(%0, #1)" : "+r"(x))': False,
        '__asm__ __volatile__("%0 = add(%0, #1)" : "+r"(x))': False,
        'asm volatile("dcfetch(%0)" : : "r"(x))': True,
        'asm volatile("" ::: "memory")': True,
        '__asm__("" : "+r"(x))': True,
    }
    text = "#include <signal.h>\n#include <unistd.h>\n#define THIS_PKG_NAME Pkg\n"
    for index, form in enumerate(forms):
        text += COPY.format(f"int x = 1; {form};").replace("copy", f"copy{index}")
    source = write(tmp_path, "package.cpp", text)
    lines = told("package", "build", str(source)).splitlines()
    assert [line.endswith("is built") for line in lines[: len(forms)]] == [*forms.values()]
    said = told("package", "check", str(source), "--cases", "1")
    assert said.count("it has inline assembly") == 2
    assert "not found" not in said


def test_an_interface_file_compiles_beside_its_kernels() -> None:
    sources = [Path(sample("activations")), Path(sample("interface"))]
    package = built(sources, BuildOptions())
    assert package.faults == ()
    assert len(package.kernels) == 7


def test_show_says_of_each_kernel_whether_it_runs() -> None:
    text = told("package", "show", "--build", sample("faulty"))
    assert "kernel of Twice: rows is built\n" in text
    assert "kernel of Twice: absent is built, and ends at Q6_Vhf_vgelu_Vhf\n" in text
    assert "kernel of Twice: assembled is built, and ends at inline assembly\n" in text
    assert "kernel of Twice: elsewhere<FloatCroutonTensor_TCM> is declared and has no body" in text
    assert "'Q6_Vhf_vgelu_Vhf' was not declared in this scope; add its row to " in text
