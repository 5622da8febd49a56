"""The keyword spotter keeps the names of its nodes in text that is written with locations."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp, htp_opt

from ..support.paths import SPOTTER_MODEL


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model as text at the graph level, and allocated, which `htp` locates by itself."""
    folder = tmp_path_factory.mktemp("spotter")
    opt(str(SPOTTER_MODEL), "--print-debuginfo", "-o", str(folder / "graph.mlir"))
    assert htp.run(["lower", str(SPOTTER_MODEL), "-o", str(folder / "lowered.mlir")]).status == 0
    return folder


def opt(*arguments: str) -> str:
    status, out, err = htp_opt.run(list(arguments))
    assert status == 0, err
    return out + err


def test_every_line_prints_with_the_same_location_again(folder: Path) -> None:
    for path in folder.iterdir():
        again = opt(str(path), "--print-debuginfo")
        assert locations(again) == locations(path.read_text(encoding="utf-8"))


def locations(text: str) -> list[str]:
    return [line.rpartition(" loc(")[2] for line in text.splitlines()]


@pytest.mark.slow
def test_reports_of_saved_text_are_those_of_the_model(folder: Path) -> None:
    for words in (["report", "memory"], ["rules", "explain", "--rule", "Relu"]):
        reports = [
            htp.run([*words, model, "-p", "htp-lower"]).out
            for model in (str(SPOTTER_MODEL), str(folder / "graph.mlir"))
        ]
        assert "node_relu_1" in reports[0]
        assert reports[1] == reports[0]


def test_the_report_of_lowered_text_has_the_rows_of_the_models(folder: Path) -> None:
    rows = [
        report[report.index("\ntensor") :]
        for report in (
            opt(str(SPOTTER_MODEL), "-p", "htp-lower", "-t", "memory-report"),
            opt(str(folder / "lowered.mlir"), "-t", "memory-report"),
        )
    ]
    assert "node_relu_1" in rows[0]
    assert rows[1] == rows[0]


def test_errors_name_the_same_nodes(folder: Path) -> None:
    faults: list[str] = []
    for model in (str(SPOTTER_MODEL), str(folder / "graph.mlir")):
        status, _, err = htp_opt.run([model, "-p", "qti-check-backend{backend=aic}"])
        assert status == 1
        faults.append(err)
    assert "qti_aisw.StatefulGru 'spotter.gru': is no op of backend aic" in faults[0]
    assert faults[1] == faults[0]


def test_a_run_names_them_too(folder: Path) -> None:
    status, _, err = htp.run(["lower", str(folder / "lowered.mlir"), "--explain-kernels"])
    assert status == 0
    assert "htp.SlicePad_shape 'node_conv2d' (op " in err
