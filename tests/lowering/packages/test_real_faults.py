"""Rules of the real packages with a fault put in are called not sound, declared or not."""

from pathlib import Path
from runpy import run_path

import pytest
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp, load_cpp
from htp_mlir.lowering.rules.soundness import check_rule

from .test_real import FOLDER

FAULTS = [
    ("no_order", "MUL(CONSTVAL_FLOAT(", "ADD(CONSTVAL_FLOAT(", 2),
    ("by_hand", 'Op("SquareAdd.tcm", "X",', 'Op("SquareAdd.tcm", "Y",', 3),
    ("conv_slices", '"I", "Stride", DIM_FILTHEIGHT', '"I", 1, DIM_FILTHEIGHT', 1),
    ("generic_tcm", 'Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))\n\n// twice', '"X")\n\n// twice', 1),
    ("split_helpers", 'CHANGEDIM_SLICE("X", "I", 1)', 'CHANGEDIM_SLICE("X", "I", 2)', 3),
    ("table", 'TABLE_OF("X")', 'WITH_TYPE("X", TABLE_OF("X"))', 1),
    ("half", 'Op("Mish.f16", CAST_TO_FP16("X"))', 'Op("Relu", CAST_TO_FP16("X"))', 0),
    ("rotary", 'Neg"), HALF(1, "X"))), HALF(0', 'Neg"), HALF(0, "X"))), HALF(1', 3),
    (
        "rotary",
        'TYPICAL_SLICE("C", "I"), TYPICAL_SLICE("S"',
        'TYPICAL_SLICE("C", "I"), TYPICAL_SLICE("C"',
        4,
    ),
    ("padded", 'TYPICAL_CONV_SLICE("X", "I", 1, DIM_B', 'TYPICAL_CONV_SLICE("X", "I", 2, DIM_B', 4),
    ("padded", 'SHAPEFN_APPLY(pad_before_for_qnn, "P")', "gen_Shape(0, 0, 0, 0)", 0),
    ("heads", "gen_ConstScalar_f32(MUL(", "gen_ConstScalar_f32(ADD(", 1),
    ("heads", 'CHANGEDIM_SLICE("K", "I", 2)', 'CHANGEDIM_SLICE("K", "I", 1)', 6),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "right", "wrong", "number"), FAULTS, ids=[f"{f[0]}-{f[3]}" for f in FAULTS]
)
def test_a_fault_is_found(name: str, right: str, wrong: str, number: int, tmp_path: Path) -> None:
    text = (FOLDER / name / "package.cpp").read_text()
    assert right in text
    (tmp_path / "package.cpp").write_text(
        text.replace(right, wrong).replace('Op("Relu", C', 'Op(FROM_DEFAULT_PACKAGE("Relu"), C')
    )
    bodies = run_path(str(FOLDER / name / "package.py"))["bodies"]
    assert isinstance(bodies, Bodies)
    packages = Packages().extended(from_cpp(load_cpp(tmp_path / "package.cpp")[0], bodies))
    rule = packages.members[-1].rules.rules[number]
    report = check_rule(rule, cases=10, rule_set=packages.rules, library=packages.library)
    assert report.counterexample is not None
