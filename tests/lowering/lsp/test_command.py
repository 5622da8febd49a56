"""The command itself, where there is no server to start."""

import pytest
from htp_mlir.lowering.lsp import main


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("htp_mlir.lowering.lsp.find_spec", lambda name: None)
    outcome = main.run([])
    assert outcome == (1, "", "htp-lsp: pygls is not installed\n  pip install 'htp-mlir[lsp]'\n")


def test_a_wrong_flag_is_two_lines() -> None:
    outcome = main.run(["--pakage", "x"])
    assert outcome.status == 1
    assert outcome.err.endswith("unrecognized arguments: --pakage x\n  did you mean '--package'?\n")
