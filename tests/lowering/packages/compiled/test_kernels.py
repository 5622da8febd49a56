"""Built kernels in sessions: at each level, beside others, and what is said where they fail."""

from pathlib import Path
from time import sleep

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tools.choices import print_choices
from xdsl.dialects.builtin import ModuleOp

from .kit import COPY, MODEL, loaded, sample

pytestmark = pytest.mark.needs("g++")
X = np.arange(48, dtype=np.float32).reshape(1, 2, 3, 8)
LEVELS = ("native", "placed", "allocated")


def module_of(packages: Packages, text: str = MODEL) -> ModuleOp:
    return parse_module(text, ctx=packages.context())


def copied(packages: Packages, **settings: bool) -> Session:
    return Session(module_of(packages), library=packages.library, **settings)


@pytest.mark.parametrize("in_process", [False, True])
def test_a_kernel_computes_on_the_session_s_memory(tmp_path: Path, in_process: bool) -> None:
    session = copied(loaded(tmp_path, COPY.format(""), in_process=in_process), check=True)
    np.testing.assert_array_equal(session.run({"x": X})["y"], X)


FAILURES = {
    "*(volatile int *)8 = 1;": "the kernel crashes at {}:8: SIGSEGV",
    "for (volatile int i = 0;; i++) {}": (
        "the kernel runs for more than 0.5 seconds, and is at {}:8"
    ),
    'throw std::runtime_error("no room");': "the kernel of {}:8 throws: no room",
    "std::vector<int>().at(out.dim(0));": (
        "the kernel of {}:8 throws: vector::_M_range_check: __n (which is 1) >= this->size() "
        "(which is 0)"
    ),
    'try { throw 1; } catch (int) { throw std::runtime_error("two"); }': (
        "the kernel of {}:8 throws: two"
    ),
    'errlog("dims of %d", 3); return GraphStatus::ErrorDimensions;': (
        "the kernel of {}:11 returns -3: dims of 3"
    ),
    "out.set_dims({1, 2, 4, 6});": (
        "the kernel of {}:11 sets a result to 1 x 2 x 4 x 6, not 1 x 2 x 3 x 8"
    ),
    "exit(3);": "the process of the kernel of {}:11 ended",
    "out.blocktab_ptr();": "the kernel of {}:8 throws: a block table is asked of a flat tensor",
}
"""Lines of a kernel, with what is said of them."""


@pytest.mark.slow
@pytest.mark.needs("addr2line")
@pytest.mark.parametrize("line", FAILURES)
def test_a_failure_names_op_kernel_file_and_line(tmp_path: Path, line: str) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    session = copied(loaded(folder, COPY.format(line), kernel_limit=0.5))
    with pytest.raises(HtpError) as caught:
        session.run({"x": X})
    (fault,) = caught.value.faults
    assert fault.where.startswith("<text>:4:3: Pkg.Copy")
    assert fault.where.endswith("kernel copy")
    assert fault.problem == FAILURES[line].format(folder / "package.cpp")


@pytest.mark.slow
@pytest.mark.needs("addr2line")
def test_a_session_goes_on_after_a_crash_and_states_are_as_before(tmp_path: Path) -> None:
    text = """
module {
  htp.State @kept : tensor<1x2x3x8xf32>
  func.func @main(%x: tensor<1x2x3x8xf32> {htp.name = "x"})
      -> (tensor<1x2x3x8xf32> {htp.name = "y"}) {
    %reset = htp.Const dense<false> : tensor<1x1x1x1xi1> -> tensor<1x1x1x1xi1>
    %init = htp.Const dense<0.0> : tensor<1x2x3x8xf32> -> tensor<1x2x3x8xf32>
    %old = htp.StateRead @kept, %init, %reset
      : tensor<1x2x3x8xf32>, tensor<1x1x1x1xi1> -> tensor<1x2x3x8xf32>
    %new = htp.Add(%old, %x) : (tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
    htp.StateWrite @kept, %new : tensor<1x2x3x8xf32>
    %0 = Pkg.Copy(%new) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
    func.return %0 : tensor<1x2x3x8xf32>
  }
}
"""
    crash = "if (in(0, 0, 0, 0) > 1000) *(volatile int *)8 = 1;"
    packages = loaded(tmp_path, COPY.format(crash))
    session = Session(module_of(packages, text), library=packages.library)
    np.testing.assert_array_equal(session.run({"x": X})["y"], X)
    with pytest.raises(HtpError, match="SIGSEGV"):
        session.run({"x": X + 5000})
    np.testing.assert_array_equal(session.run({"x": X})["y"], 2 * X)


@pytest.mark.slow
@pytest.mark.needs("addr2line")
def test_a_process_that_a_kernel_begins_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "process"
    line = f"""
    const int process = fork();
    if (process == 0) for (;;) pause();
    FILE *note = fopen("{note}", "w");
    fprintf(note, "%d", process);
    fclose(note);
    *(volatile int *)8 = 1;"""
    session = copied(loaded(tmp_path, f"#include <unistd.h>\n{COPY.format(line)}"))
    with pytest.raises(HtpError, match="SIGSEGV"):
        session.run({"x": X})
    status = Path(f"/proc/{note.read_text()}/status")
    for _ in range(100):
        # What has ended stays a zombie until its parent looks.
        if not status.exists() or "State:\tZ" in status.read_text():
            return
        sleep(0.05)
    pytest.fail("the process goes on")


@pytest.mark.slow
def test_two_packages_run_in_one_session(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    loaded(other, COPY.format("out(0, 0, 0, 0) = 7;"))
    first = loaded(tmp_path, COPY.format("")).members[-1]
    second = load_packages(f"Other={other / 'package.cpp'}", build=True).members[-1]
    packages = Packages().extended(first, second)
    text = MODEL.replace(
        "func.return %0",
        "%1 = Other.Copy(%0) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>\n  func.return %1",
    )
    result = Session(module_of(packages, text), library=packages.library).run({"x": X + 1})["y"]
    assert result is not None
    assert (result[0, 0, 0, 0], result[0, 0, 0, 1]) == (7, 2)


ATTEND = """
func.func @main(%q: tensor<2x2x9x8xf32> {htp.name = "q"}, %k: tensor<2x2x7x8xf32> {htp.name = "k"},
    %v: tensor<2x2x7x5xf32> {htp.name = "v"}) -> (tensor<2x2x9x5xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Custom(%q, %k, %v) {op_type = "Attend", package = "BlockAttention", params = {}}
    : (tensor<2x2x9x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x5xf32>) -> tensor<2x2x9x5xf32>
  func.return %0 : tensor<2x2x9x5xf32>
}
"""


@pytest.mark.slow
def test_attention_runs_at_each_level_with_its_own_hooks_and_scratch() -> None:
    packages = load_packages(sample("attention"), build=True)
    module = module_of(packages, ATTEND)
    rng = np.random.default_rng(0)
    feeds = {
        "q": rng.normal(size=(2, 2, 9, 8)).astype(np.float32),
        "k": rng.normal(size=(2, 2, 7, 8)).astype(np.float32),
        "v": rng.normal(size=(2, 2, 7, 5)).astype(np.float32),
    }
    scores = feeds["q"] @ feeds["k"].swapaxes(2, 3)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    expected = weights / weights.sum(axis=-1, keepdims=True) @ feeds["v"]
    for level in LEVELS:
        lowered = lower(module, packages=packages, level=level)
        result = Session(lowered, library=packages.library, check=True).run(feeds)["y"]
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    chosen = {str(op.properties["kernel"]) for op in lowered.walk() if "Attend" in op.name}
    assert chosen == {'"attend_blocks"'}
    scratch = next(op.properties["scratch"] for op in lowered.walk() if "Attend" in op.name)
    assert "tensor<1x1x1x4xf32" in str(scratch)


IN, OUT = "!quant.uniform<u8:f32, 0.05:100>", "!quant.uniform<u8:f32, 0.01:3>"
IN_DDR, IN_TCM = "#htp.place<crouton, ddr>", "#htp.place<crouton, tcm>"
CLIP = f"""
func.func @main(%x: tensor<1x9x10x70x{IN}> {{htp.name = "x"}})
    -> (tensor<1x9x10x70x{OUT}> {{htp.name = "y"}}) {{
  %0 = htp.ForceFormat_Crouton(%x) : (tensor<1x9x10x70x{IN}>) -> tensor<1x9x10x70x{IN}, {IN_DDR}>
  %1 = htp.crouton_to_vtcm(%0)
    : (tensor<1x9x10x70x{IN}, {IN_DDR}>) -> tensor<1x9x10x70x{IN}, {IN_TCM}>
  %2 = HvxPackage.Clip(%1)
    : (tensor<1x9x10x70x{IN}, {IN_TCM}>) -> tensor<1x9x10x70x{OUT}, {IN_TCM}>
  %3 = htp.crouton_from_vtcm(%2)
    : (tensor<1x9x10x70x{OUT}, {IN_TCM}>) -> tensor<1x9x10x70x{OUT}, {IN_DDR}>
  %4 = htp.ForceFormat_Flat(%3) : (tensor<1x9x10x70x{OUT}, {IN_DDR}>) -> tensor<1x9x10x70x{OUT}>
  func.return %4 : tensor<1x9x10x70x{OUT}>
}}
"""


@pytest.mark.slow
def test_croutons_are_walked_by_their_block_table_without_copies() -> None:
    packages = load_packages(sample("activations"), build=True)
    session = Session(module_of(packages, CLIP), library=packages.library, check=True)
    codes = np.random.default_rng(1).integers(0, 256, (1, 9, 10, 70)).astype(np.uint8)
    reals = np.clip((codes.astype(np.float32) - 100) * np.float32(0.05), 0, 1)
    expected = np.clip(np.rint(reals / np.float32(0.01) + 3), 0, 255)
    np.testing.assert_array_equal(session.run({"x": codes})["y"], expected)


@pytest.mark.slow
def test_a_cost_of_the_package_chooses_the_kernel() -> None:
    packages = load_packages(sample("activations"), build=True)
    kernels = packages.kernels
    for depth, expected in ((64, "clip_float"), (8, "clip_float")):
        text = MODEL.replace("Pkg.Copy", "HvxPackage.Clip").replace("3x8", f"3x{depth}")
        op = next(op for op in module_of(packages, text).walk() if "Clip" in op.name)
        assert op.name == "HvxPackage.Clip"
        kernel = next(k for k in kernels.kernels(op.name) if k.name == expected)
        specs = [spec_of(op.results[0])], [spec_of(op.operands[0])]
        assert kernel.price(*specs) == (1.0 if depth >= 32 else 2e6)


DECAY = """
func.func @main(%x: tensor<1x1x4x40xf32> {htp.name = "x"}, %s: tensor<1x1x4x40xf32>
    {htp.name = "s"}) -> (tensor<1x1x4x40xf32> {htp.name = "y"}, tensor<1x1x4x40xf32>
    {htp.name = "next"}) {
  %0:2 = qti_aisw.Custom(%x, %s) {op_type = "Decay", package = "StepPackage",
    params = {rate = 0.25 : f32}}
    : (tensor<1x1x4x40xf32>, tensor<1x1x4x40xf32>) -> (tensor<1x1x4x40xf32>, tensor<1x1x4x40xf32>)
  func.return %0#0, %0#1 : tensor<1x1x4x40xf32>, tensor<1x1x4x40xf32>
}
"""


@pytest.mark.slow
def test_state_in_tcm_is_two_results_of_one_kernel() -> None:
    packages = load_packages(sample("recurrence"), build=True)
    x, s = np.random.default_rng(0).normal(size=(2, 1, 1, 4, 40)).astype(np.float32)
    for level in LEVELS:
        lowered = lower(module_of(packages, DECAY), packages=packages, level=level)
        results = Session(lowered, library=packages.library, check=True).run({"x": x, "s": s})
        np.testing.assert_allclose(results["next"], 0.25 * s + x, rtol=1e-6)
        np.testing.assert_allclose(results["y"], np.tanh(0.25 * s + x), rtol=1e-5, atol=1e-7)
    kernels = {str(op.properties["kernel"]) for op in lowered.walk() if "Decay" in op.name}
    assert kernels == {'"decay<PlainFloatTensor_TCM>"'}


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), float("inf"), "1"])
def test_a_limit_that_is_no_time_is_refused(tmp_path: Path, limit: float) -> None:
    with pytest.raises(HtpError, match=r"seconds\n  give more than 0|is '1', not a number"):
        loaded(tmp_path, COPY.format(""), kernel_limit=limit)


@pytest.mark.needs("addr2line")
def test_what_a_kernel_prints_is_on_standard_error_even_where_it_crashes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    session = copied(loaded(tmp_path, COPY.format('printf("seen %d", 3); abort();')))
    with pytest.raises(HtpError, match="SIGABRT"):
        session.run({"x": X})
    assert tuple(capfd.readouterr()) == ("", "seen 3")


def test_without_build_a_kernel_has_no_body() -> None:
    packages = load_packages(sample("activations"))
    assert all(kernel.lacks for kernel in packages.kernels.kernels("HvxPackage.Clip"))


def test_a_kernel_that_the_build_has_no_body_of_says_so_when_it_runs(tmp_path: Path) -> None:
    text = 'GraphStatus copy(Tensor &out, const Tensor &in);\nDEF_PACKAGE_OP(copy, "Copy")\n'
    packages = loaded(tmp_path, f"{text}// @op Copy(x) -> x\n")
    fault = "kernel copy is declared and has no body\n  add the source that has it"
    with pytest.raises(HtpError, match=fault):
        copied(packages).run({"x": X})


def test_an_explanation_says_that_a_kernel_does_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    packages = load_packages(sample("activations"))
    module = module_of(packages, MODEL.replace("Pkg.Copy", "HvxPackage.Clip"))
    print_choices(module, packages.kernels)
    assert "it has no Python body: --build" in capsys.readouterr().err


def test_an_explanation_says_where_a_kernel_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = loaded(tmp_path, COPY.format("(void)Q6_V_vnone();"))
    print_choices(module_of(packages), packages.kernels)
    assert "copy, the cheapest that fits, cost GLACIAL; it ends at Q6_V_vnone\n" in (
        capsys.readouterr().err
    )


def two_kernels(folder: Path, name: str, first: str) -> Packages:
    """Load a kernel that copies, and beside it, in a file of a name, a cheaper one."""
    head = "#define THIS_PKG_NAME Pkg\n"
    (folder / "good.cpp").write_text(head + COPY.format(""))
    quick = COPY.format(first).replace("copy(", "quick(")
    quick = quick.replace("OP(copy,", "OP_AND_COST_AND_FLAGS(quick,").replace('")\n', '", FAST)\n')
    (folder / name).write_text(head + quick)
    return load_packages(folder, build=True)


def test_a_kernel_that_ends_at_an_intrinsic_gives_way_to_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = two_kernels(tmp_path, "quick.cpp", "(void)Q6_V_vnone();")
    print_choices(module_of(packages), packages.kernels)
    said = capsys.readouterr().err
    assert "copy, the cheapest that fits and runs, cost GLACIAL\n" in said
    assert "quick: fits, cost FAST; it ends at Q6_V_vnone\n" in said
    np.testing.assert_array_equal(copied(packages).run({"x": X})["y"], X)
    (tmp_path / "good.cpp").unlink()
    with pytest.raises(HtpError) as caught:
        copied(load_packages(tmp_path, build=True)).run({"x": X})
    (fault,) = caught.value.faults
    assert "cannot go on: the intrinsic Q6_V_vnone is not in the table" in fault.problem


def test_a_kernel_that_is_not_built_is_passed_over_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = two_kernels(tmp_path, "bad.cpp", "return unheard_of;")
    print_choices(module_of(packages), packages.kernels)
    said = capsys.readouterr().err
    assert "copy, the cheapest that fits and runs, cost GLACIAL\n" in said
    assert "quick: fits, cost FAST; it ends at quick\n" in said
    assert "bad.cpp:7: 'unheard_of' was not declared in this scope" in said
    np.testing.assert_array_equal(copied(packages).run({"x": X})["y"], X)
