"""The settings of editors on the page are read by what reads them; two sessions go as it says."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..support.paths import ROOT
from .code_blocks import blocks

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
T = "tensor<1x8x8x4xf32>"
WRONG = f"""// RUN: htp-opt %s -p 'htp-lower{{level=native}}' | filecheck %s
// CHECK: htp.Relu
func.func @main(%x: {T}) -> {T} {{
  %y = qti_aisw.Relu(%x) : ({T}) -> {T}
  %z = qti_aisw.Rleu(%y) : ({T}) -> {T}
  func.return %z : {T}
}}
"""
SESSIONS = {
    "emacs": ("lisp", "emacs.el", ("emacs", "--batch", "-l", "session")),
    "nvim": (
        "lua",
        "nvim.lua",
        ("nvim", "--headless", "-u", "NONE", "-c", "luafile session", "-c", "qa!"),
    ),
}
"""Of each editor the language of its settings, the file of what is done, and the command."""
SHOWN = (
    "fault: (.*: )?Operation qti_aisw.Rleu is not registered\\\\n  did you mean 'qti_aisw.Relu'\\?",
    f"mended:   %z = qti_aisw.Relu\\(%y\\) : \\({T}\\) -> {T}",
    "op: .*qti_aisw.Relu\\(inp\\)\\\\n  results: out.*",
    f"value: .*{T}\\\\nflat in ddr, 1024 bytes.*",
    "references: 4 5",
    "definition: 4",
    "offered: %x %y %z",
    "symbols: @main",
    "fold: 7",
    f"renamed:   %first = qti_aisw.Relu\\(%x\\) : \\({T}\\) -> {T}",
    f"formatted:   %first = qti_aisw.Relu\\(%x\\) : \\({T}\\) -> {T}",
    "run this test: 0 .*",
    "update its checks: 0 .*",
    "show the IR after the passes: 0 .*htp.Relu.*",
)
"""What a session shows, a pattern for each line."""


def setting(language: str) -> str:
    (text,) = (block.text for block in blocks(PAGE) if block.language == language)
    return text


def test_helix_has_the_server_for_the_language() -> None:
    read = tomllib.loads(setting("toml"))
    (language,) = read["language"]
    assert read["language-server"]["htp-lsp"] == {"command": "htp-lsp"}
    assert language["language-servers"] == ["htp-lsp"]
    assert (language["name"], language["file-types"]) == ("mlir", ["mlir"])


def test_a_setting_of_vs_code_names_the_server() -> None:
    ((name, command),) = json.loads(setting("json")).items()
    assert (name, Path(command).name) == ("mlir.server_path", "htp-lsp")
    assert Path(command).is_absolute()


@pytest.mark.slow
@pytest.mark.parametrize(
    "editor",
    [
        pytest.param("emacs", marks=pytest.mark.needs("pygls", "emacs", "eglot")),
        pytest.param("nvim", marks=pytest.mark.needs("pygls", "nvim")),
    ],
)
def test_a_session_shows_what_the_page_says(editor: str, tmp_path: Path) -> None:
    language, session, command = SESSIONS[editor]
    (tmp_path / "model.mlir").write_text(WRONG, encoding="utf-8")
    steps = (Path(__file__).parent / "sessions" / session).read_text(encoding="utf-8")
    (tmp_path / "session").write_text(setting(language) + steps, encoding="utf-8")
    folder = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PATH": folder},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = [each for each in done.stdout.splitlines() if re.match(r"[\w ]+: ", each)]
    assert len(lines) == len(SHOWN), done.stdout + done.stderr
    for pattern, line in zip(SHOWN, lines, strict=True):
        assert re.fullmatch(pattern, line), line
