"""Headers of the device's kit in the -I folders: they add nothing and take nothing away."""

from collections.abc import Callable
from pathlib import Path

import pytest
from htp_mlir.lowering.packages.cpp.kit import Kit, is_kit_header
from htp_mlir.lowering.packages.cpp.text import MAX_INCLUDED, MAX_INCLUDES
from htp_mlir.lowering.packages.def_package import CppPackage, Summary, load_cpp

from .kit import load, reasons

CPP = """
#include "QnnOpPackage.h"
#include "own/chunk.h"
#include <cstdint>
template <typename T> GraphStatus f(T &out, const T &in);
DEF_PACKAGE_OP(f<QuantUint8Tensor>, "A")
DEF_PACKAGE_OP(f<PlainFloatTensor_TCM>, "A")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), GT(DIM_DEPTH("X"), CHUNK), Op("A", ANY_FORM("X")))
"""
LONG = "class Long { int word; };\n" * (MAX_INCLUDED // 40)
"""Two of it are more than a source file may include."""
KIT: dict[str, str] = {
    "its macros of the same names": "#define DEF_PACKAGE_OP(F, OP) static int f = 0;\n",
    "aliases of known classes": "using QuantUint8Tensor = Packed<Tdefs::QuantUint8, R4>;\n",
    "classes in macros": "#define T(X) using X##Tensor = Other<X>;\nT(QuantUint8) T(PlainFloat)\n",
    "much text": '#include "again.h"\n' + LONG,
    "many expansions": "#define W(X) X X X X\n#define V(X) W(X) W(X)\n" + "V(V(int))\n" * 3000,
    "rules of its own": 'DEF_OPT(EARLY, Op("B", "X"), OK, "X")\n',
    "a file again and again": '#include "again.h"\n' * (4 * MAX_INCLUDES),
    "an odd directive": "#if\n#endif\n#include <gone>\n",
}


def loaded(folder: Path, kit: str) -> tuple[CppPackage, Summary]:
    """The package beside an own header in another folder, with a kit of one header."""
    files = {
        "source/package.cpp": CPP,
        "own_include/own/chunk.h": "#define CHUNK 64\n",
        "kit/QnnOpPackage.h": f"#define ANY_FORM(X) X\n{kit}",
        "kit/again.h": LONG,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    include = [folder / "kit", folder / "own_include"]
    return load_cpp(folder / "source", name="Pkg", include=include)


@pytest.mark.parametrize("kit", KIT)
def test_the_package_is_read_as_without_it(kit: str, tmp_path: Path) -> None:
    package, summary = loaded(tmp_path, KIT[kit])
    assert summary.skipped == ()
    assert summary.missing == ("cstdint",)
    assert [kernel.instance for kernel in package.kernels] == [
        "f<QuantUint8Tensor>",
        "f<PlainFloatTensor_TCM>",
    ]
    (rule,) = package.rules
    assert str(rule.constraint) == 'GT(DIM_DEPTH("X"), 64)'


def test_text_of_the_package_is_still_counted(tmp_path: Path) -> None:
    loaded(tmp_path, "")
    own = tmp_path / "own_include" / "own" / "chunk.h"
    own.write_text("#define CHUNK 64\n" + '#include "own/chunk.h"\n')
    _, summary = load_cpp(tmp_path / "source", include=[tmp_path / "kit", own.parents[1]])
    assert any("included too often" in reason for reason in reasons(summary))


def test_a_folder_with_the_sources_is_the_packages_own(tmp_path: Path) -> None:
    (tmp_path / "HTP" / "core").mkdir(parents=True)
    assert Kit.among([tmp_path], []).folders == (tmp_path,)
    assert Kit.among([tmp_path], [tmp_path / "src" / "a.cpp"]).folders == ()


@pytest.mark.parametrize(
    ("name", "kit"),
    {
        **dict.fromkeys(("HTP/core/simple_reg.h", "QnnOpPackage.h", "vector", "math.h"), True),
        **dict.fromkeys(("own/chunk.h", "chunk.hpp", "maths.h"), False),
    }.items(),
)
def test_headers_of_the_kit_are_known_by_name(name: str, kit: bool) -> None:
    assert is_kit_header(name) is kit


def test_a_header_of_the_package_that_is_missing_is_told_apart(tmp_path: Path) -> None:
    _, summary = load(tmp_path, '#include "QnnOpPackage.h"\n#include <cmath>\n#include "gone.h"\n')
    assert summary.lines()[-2:] == [
        "not found: gone.h",
        "not found, and not needed: QnnOpPackage.h, cmath",
    ]
    assert summary.complaints() == ["not found: gone.h"]


WRAPPED = 'MY_RULE(EARLY, Op("A", "X"), OK, "X"){end}\n'


@pytest.mark.parametrize("end", ["", ";"])
@pytest.mark.parametrize("before", ["", "namespace n {\n", "int a = 0;\n"])
def test_a_rule_behind_a_macro_of_a_missing_header_is_reported(
    before: str, end: str, tmp_path: Path
) -> None:
    line = 2 + before.count("\n")
    text = f'#include "gone.h"\n{before}{WRAPPED.format(end=end)}'
    _, summary = load(tmp_path, text)
    reason = f"package.cpp:{line}: no macro MY_RULE is known, and it is given an Op()"
    assert reasons(summary) == [reason]
    assert summary.skipped[0].remedy == "give the folder of its header with -I"


@pytest.mark.parametrize(
    "text",
    [
        "CHECK_THAT(1);",
        'void f() { LOG_TEXT("Op"); }',
        'x = MAKE(Op("A"));',
        "Made(Op(a));",
        'int f(int a = MAKE("Op"));',
        'void f() ALSO("hot");',
    ],
)
def test_other_calls_are_code(text: str, tmp_path: Path) -> None:
    _, summary = load(tmp_path, text)
    assert summary.skipped == ()


CALLS = {
    'FUSE_ALL("Relu")': ["FUSE_ALL"],
    'REG(relu<Tensor>, "Relu")': ["REG"],
    'Q("Relu")': [],
    'namespace n { FUSE_ALL("Relu"); }': ["FUSE_ALL"],
    'extern "C" { FUSE_ALL("Relu")\nFUSE_ALL("Neg") }': ["FUSE_ALL", "FUSE_ALL"],
    'GraphStatus f(Tensor &out);\nDEF_PACKAGE_OP(f, "A")\nFUSE_ALL("A")': ["FUSE_ALL"],
    '#include "gone.h"\nFUSE_ALL(relu)\nvoid f() { CHECK_THAT(1); }': ["FUSE_ALL"],
    "#include <cmath>\nFUSE_ALL(relu)": [],
}


@pytest.mark.parametrize("text", CALLS)
def test_an_unknown_macro_outside_of_functions_is_reported(text: str, tmp_path: Path) -> None:
    """One that is given a name, or any where a header is missing that may define it."""
    _, summary = load(tmp_path, text)
    assert [f.problem for f in summary.skipped] == [f"no macro {n} is known" for n in CALLS[text]]


Text = Callable[[int], str]


@pytest.mark.slow
@pytest.mark.parametrize("text", [lambda n: "{ABCD(\n" * n, lambda n: ";ABCD(1,\n" * n])
def test_many_calls_that_never_end_do_not_hang(text: Text, tmp_path: Path) -> None:
    _, summary = load(tmp_path, text(20_000))
    assert summary.skipped == ()
