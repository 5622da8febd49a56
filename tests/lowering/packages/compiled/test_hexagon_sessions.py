"""Models whose kernels run on Hexagon's instruction set: the numbers of here, and its faults."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.runtime import Session
from htp_mlir.runtime.tools.summary import random_inputs
from xdsl.dialects.builtin import ModuleOp

from .kit import COPY, MODEL, loaded, sample, told
from .test_kernels import ATTEND, CLIP, DECAY, FAILURES, LEVELS, X, copied, module_of

pytestmark = [pytest.mark.needs("g++", "clang", "lld", "qemu-hexagon"), pytest.mark.slow]


def both(name: str) -> list[Packages]:
    """A package, as built for this machine and for Hexagon."""
    return [load_packages(sample(name), build=True, hexagon=on) for on in (False, True)]


def results(packages: Packages, module: ModuleOp) -> dict[str, np.ndarray]:
    """What a module gives for inputs that are always the same."""
    session = Session(module, library=packages.library, check=True)
    feeds = random_inputs(session.inputs, 1)
    return {name: value for name, value in session.run(feeds).items() if value is not None}


@pytest.mark.parametrize(("name", "text"), [("attention", ATTEND), ("recurrence", DECAY)])
def test_models_run_at_each_level_with_scratch_and_several_results(name: str, text: str) -> None:
    """Flat tensors in DDR and TCM; the functions of the C library differ in the last bits."""
    here, there = both(name)
    for level in LEVELS:
        near = results(here, lower(module_of(here, text), packages=here, level=level))
        far = results(there, lower(module_of(there, text), packages=there, level=level))
        assert near.keys() == far.keys()
        for result, value in near.items():
            np.testing.assert_allclose(far[result], value, rtol=1e-5, atol=1e-6)


def test_integers_in_croutons_have_the_bits_of_here() -> None:
    near, far = (results(each, module_of(each, CLIP)) for each in both("activations"))
    np.testing.assert_array_equal(far["y"], near["y"])


SAID = {
    "exit(3);": "the kernel of {}:8 cannot go on: 'exit' is not there for Hexagon",
    "throw 3;": "the kernel of {}:8 throws: an exception",
    'throw std::range_error(std::string("no ") + "room");': "the kernel of {}:8 throws: no room",
    "(void)Q6_V_vnone();": (
        "the kernel of {}:8 cannot go on: the intrinsic Q6_V_vnone is not in the table"
    ),
    "volatile char *const all = (char *)alloca(1 << 24); all[0] = 1;": (
        "the kernel crashes at {}:8: SIGSEGV"
    ),
    'errlog("%s: %d, %zu, %.1f", "at", -3, size_t(7), 0.25); return GraphStatus::ErrorFatal;': (
        "the kernel of {}:11 returns -1: at: -3, 7, 0.250000"
    ),
}
"""Lines of a kernel that end otherwise than here, or are not there, with what is said of them."""


@pytest.mark.needs("addr2line")
def test_a_failure_names_op_kernel_file_and_line_and_the_session_goes_on(tmp_path: Path) -> None:
    """The first element says which line runs; a value that is caught ends it, too."""
    expected = FAILURES | SAID
    cases = (f"case {at}: {{ {line} }} break;" for at, line in enumerate(expected, 1))
    switch = "switch (int(in(0, 0, 0, 0))) {\n" + "\n".join(cases) + "\n}"
    packages = loaded(tmp_path, COPY.format(switch), hexagon=True, kernel_limit=0.5)
    session, file = copied(packages), tmp_path / "package.cpp"
    end = 8 + len(expected) + 4
    for at, said in enumerate(expected.values(), 1):
        with pytest.raises(HtpError) as caught:
            session.run({"x": X + at})
        (fault,) = caught.value.faults
        assert fault.where.startswith("<text>:4:3: Pkg.Copy")
        assert fault.where.endswith("kernel copy")
        place = said.replace("{}:8", f"{file}:{8 + at}").replace("{}:11", f"{file}:{end}")
        assert fault.problem == place.replace("throws: two", "throws: an exception")
        np.testing.assert_array_equal(session.run({"x": X})["y"], X)


@pytest.mark.needs("addr2line")
def test_the_floats_of_vectors_are_built_and_not_run(tmp_path: Path) -> None:
    """Those of IEEE, too, as long as QEMU does not know them."""
    line = "HVX_Vector *at = (HVX_Vector *)out.raw_data(); *at = Q6_Vsf_vadd_VsfVsf(*at, *at);"
    packages = loaded(tmp_path, COPY.format(line), hexagon=True)
    with pytest.raises(HtpError, match="this QEMU does not know an instruction of it"):
        copied(packages).run({"x": X})


def test_what_is_made_at_loading_and_fails_is_said(tmp_path: Path) -> None:
    text = "static int *const none = nullptr;\nstatic const int first = *(volatile int *)none;\n"
    with pytest.raises(HtpError, match="built package: a signal while it loads"):
        loaded(tmp_path, text + COPY.format("(void)first;"), hexagon=True)


def test_what_a_kernel_prints_is_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = 'printf("seen %lld of %x%c", -5ll, 255u, 33); puts("");'
    text = f"#include <iostream>\n{COPY.format(line)}"
    copied(loaded(tmp_path, text, hexagon=True)).run({"x": X})
    assert tuple(capsys.readouterr()) == ("", "seen -5 of ff!\n")


@pytest.mark.needs("addr2line")
def test_the_commands_take_the_target(tmp_path: Path) -> None:
    """Each asks for the build; `exit` is there on this machine alone."""
    loaded(tmp_path, COPY.format("if (in(0, 0, 0, 0) == 0.5f) exit(3);"))
    package = ["--package", str(tmp_path / "package.cpp"), "--target", "hexagon"]
    model, lowered = tmp_path / "model.mlir", tmp_path / "lowered.mlir"
    call = 'qti_aisw.Custom(%x) {op_type = "Copy", package = "Pkg", params = {}}'
    model.write_text(MODEL.replace("Pkg.Copy(%x)", call))
    assert told("lower", str(model), *package, "-o", str(lowered)) == ""
    assert "y: 1x2x3x8 float32" in told("run", str(lowered), *package, "--check")
    half = ["--input", str(tmp_path / "half.npz")]
    np.savez(half[1], x=np.full(X.shape, 0.5, np.float32))
    assert "'exit' is not there for Hexagon" in told("run", str(lowered), *package, *half)
