"""Kernels on Hexagon's own instruction set: the bits of this machine, packets, and limits."""

import re
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.packages.compiled import hexagon
from htp_mlir.runtime import Session, parse_module

from .kit import MODEL, sample, told

pytestmark = [pytest.mark.needs("g++", "clang", "lld", "qemu-hexagon"), pytest.mark.slow]
HEAD = '#include "HTP/core/simple_reg.h"\n#define THIS_PKG_NAME Pkg\n'
KERNEL = """// @op Copy(x: real) -> x
GraphStatus copy(PlainFloatTensor &out, const PlainFloatTensor &in)
{{
    out.set_dims(in);
    const float *from = in.data_ptr();
    float *to = out.data_ptr();
    for (size_t i = 0; i < in.total_elements(); i++) {{ {} }}
    return GraphStatus::Success;
}}
DEF_PACKAGE_OP(copy, "Copy")
"""


def ran(folder: Path, line: str, x: np.ndarray, hexagon: bool) -> np.ndarray:
    """The result of a kernel with a line for each element."""
    path = folder / "package.cpp"
    path.write_text(HEAD + KERNEL.format(line))
    packages = load_packages(path, build=True, hexagon=hexagon, kernel_limit=60.0)
    dims = "x".join(map(str, x.shape))
    module = parse_module(MODEL.replace("1x2x3x8", dims), ctx=packages.context())
    result = Session(module, library=packages.library).run({"x": x})["y"]
    assert result is not None
    return result


def edges() -> np.ndarray:
    """Floats of all kinds: random bits, and those where roundings and limits meet."""
    random = np.random.default_rng(3).integers(0, 2**32, 36, np.uint32).view(np.float32)
    few = [
        0.0,
        -0.0,
        1.0,
        3.0,
        1e-45,
        1.1754944e-38,
        3.4028235e38,
        65504.0,
        65520.0,
        6e-8,
        0.5,
        2.5,
    ]
    return np.concatenate([random, np.array(few, np.float32)]).reshape(1, 2, 3, 8)


@pytest.mark.parametrize(
    "line",
    [
        "to[i] = from[i] / from[(i + 1) % 48];",
        "to[i] = from[i] / 3.0f;",
        "to[i] = std::sqrt(from[i]);",
        "to[i] = float(_Float16(from[i]));",
        "to[i] = std::nearbyint(from[i]);",
        "to[i] = float(int64_t(i * 1234567891ull) / -int64_t(i + 7) % 1000);",
        "to[i] = float(unsigned(i * 123456789u) / unsigned(i + 3) % unsigned(i + 5));",
        # What is left of such divisions has as many bits as the divisor, whose top bit is set.
        "to[i] = float(~unsigned(i * i) % (1u << 31 | i * 89) + ~0u / (1u << 31 | i));",
        "to[i] = float(~uint64_t(i) % (1ull << 63 | i * 12345678901ull));",
    ],
)
def test_what_the_target_has_no_library_for_gives_the_bits_of_here(
    tmp_path: Path, line: str
) -> None:
    x = edges()
    here, there = (ran(tmp_path, line, x, hexagon=on) for on in (False, True))
    same = (here.view(np.uint32) == there.view(np.uint32)) | (np.isnan(here) & np.isnan(there))
    assert same.all(), (x[~same], here[~same], there[~same])


def test_integer_hvx_kernels_run_bit_for_bit_and_are_counted() -> None:
    said = told("package", "profile", sample("activations"))
    rows = dict(re.findall(r"HvxPackage\.\w+: (\S+): (.*)", said))
    for name in ("clip<Tensor>", "clip_bytes", "pool<QUint8CroutonTensor>"):
        assert rows[name].endswith("the bits are those of here")
    each = re.search(r"([\d.]+) each, ([\d.]+) times those of clip<Tensor>", rows["clip_bytes"])
    assert each
    assert float(each[2]) < 0.2
    # The same code: for each of its own bytes and halfwords, and beside the reference on them.
    other = re.search(r"([\d.]+) times those of .* on the same", rows["pool<QuantUint16Tensor>"])
    assert other
    assert float(other[1]) < 1
    assert "does not know an instruction of it, such as those of qf32" in rows["clip_float"]
    assert said.strip().endswith("no stalls, no caches, no HMX")


def test_twice_the_work_is_twice_the_packets(tmp_path: Path) -> None:
    def packets(times: int) -> int:
        line = f"for (int k = 0; k < {times}; k++) ((volatile float *)to)[i] = from[i];"
        (tmp_path / "package.cpp").write_text(HEAD + KERNEL.format(line))
        said = told("package", "profile", str(tmp_path / "package.cpp"))
        count = re.search(r"copy: (\d+) packets for", said)
        assert count, said
        return int(count[1])

    assert packets(2000) / packets(1000) == pytest.approx(2, rel=0.02)


EXACT = ("trunc", "floor", "ceil", "round", "rint", "sqrt")
NEAR = ("exp", "log", "exp2", "log2", "log10", "expm1", "log1p", "tanh", "sinh", "cosh")
NEAR += ("sin", "cos", "tan", "asin", "acos", "atan", "erf")
COUNT = 96


def math_kernel(functions: list[str]) -> str:
    """A line that applies one function after the other, each to its own part of the tensor."""
    cases = (f"case {at}: to[i] = {text}; break;" for at, text in enumerate(functions))
    return f"const double x = from[i], y = 2.5; switch (i / {COUNT}) {{ {' '.join(cases)} }}"


def test_kernels_of_a_new_package_are_counted(tmp_path: Path) -> None:
    """Its op says nothing of its result, so some drawn results have dims that no kernel sets."""
    told("package", "new", "Mine", "--op", "Scale", "--cpp", "-o", str(tmp_path / "mine"))
    for seed in range(3):
        package = str(tmp_path / "mine" / "package.cpp")
        said = told("package", "profile", package, "--seed", str(seed))
        assert said.count("packets for") == 2
        assert "not run" not in said


def test_the_functions_of_the_c_library_are_there(tmp_path: Path) -> None:
    """Roundings, roots and remainders to the last bit, others to that of a float but one."""
    exact = [f"std::{name}({x})" for name in EXACT for x in ("from[i]", "x")]
    exact += ["std::fmod(from[i], 0.7f)", "float(x / 3.7)", "float(std::sqrt(x + 0.1) - 0x1p20)"]
    exact += [
        f"std::{name}({x}, 0.7f)" for name in ("fmax", "fmin", "fdim") for x in ("from[i]", "x")
    ]
    near = [f"float(std::{name}({x}))" for name in NEAR for x in ("from[i]", "x")]
    near += ["std::pow(from[i], 2.5f)", "float(std::pow(x, -3))", "std::atan2(from[i], -0.3f)"]
    rng = np.random.default_rng(5)
    ends = [0.0, -0.0, 1.0, 0.5, 2.5, 1e-45, np.inf, -np.inf]
    values = np.concatenate([rng.normal(size=44), rng.normal(size=44) * 20, ends])
    x = np.tile(values.astype(np.float32), len(exact) + len(near)).reshape(1, -1, COUNT // 8, 8)
    here, there = (ran(tmp_path, math_kernel(exact + near), x, hexagon=on) for on in (False, True))
    for at, text in enumerate(exact + near):
        first, second = here.flat[at * COUNT :][:COUNT], there.flat[at * COUNT :][:COUNT]
        told = ~(np.isnan(first) & np.isnan(second))
        np.testing.assert_array_max_ulp(first[told], second[told], 0 if text in exact else 2)


@pytest.mark.needs("addr2line")
def test_a_function_that_is_not_there_ends_the_kernel_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match="'lgammaf' is not there for Hexagon"):
        ran(tmp_path, "to[i] = std::lgamma(from[i]);", edges(), hexagon=True)


@pytest.mark.needs("addr2line")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('if (i == 3) throw std::runtime_error("no");', "throws"),
        ("*(volatile int *)i = 3;", "crashes"),
    ],
)
def test_a_kernel_that_fails_is_an_error(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(HtpError, match=said):
        ran(tmp_path, line, edges(), hexagon=True)


def test_build_and_check_take_the_target(tmp_path: Path) -> None:
    path = tmp_path / "package.cpp"
    path.write_text(HEAD + KERNEL.format("to[i] = from[i];"))
    lines = told("package", "build", str(path), "--target", "hexagon", "--show-flags").splitlines()
    assert "--target=hexagon-unknown-linux-musl" in lines[0]
    assert (lines[1], lines[2][-4:]) == ("Copy: copy is built", ".elf")
    checked = told("package", "check", str(path), "--target", "hexagon", "--cases", "1")
    assert "copy, without another kernel: 6 of 6 cases good" in checked
    flags = ["--target", "hexagon", "--sanitize"]
    refused = "--sanitize: there are no sanitizers for Hexagon\n  leave out one of the two\n"
    assert told("package", "build", str(path), *flags) == refused


def test_without_the_tools_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    hexagon._tool.cache_clear()
    with pytest.raises(HtpError, match=r"'clang\+\+' is not there\n  install clang, lld and qemu"):
        hexagon._tool("clang++")
    hexagon._tool.cache_clear()
