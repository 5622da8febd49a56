"""The settings of editors on the page are read by what reads them; sessions of two work."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..support.paths import ROOT
from .code_blocks import blocks

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
WRONG = """func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %y = htp.Rleu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}
"""
EMACS = """
(package-initialize)
(require 'eglot)
(setq eglot-sync-connect 120 eglot-connect-timeout 120)
(find-file "wrong.mlir")
(call-interactively #'eglot)
(dotimes (n 600)
  (unless (flymake-diagnostics) (accept-process-output nil 0.1) (flymake-start)))
(dolist (each (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text each)))
"""
NEOVIM = """
vim.cmd("edit wrong.mlir")
vim.wait(120000, function() return #vim.diagnostic.get(0) > 0 end)
for _, each in ipairs(vim.diagnostic.get(0)) do print(each.message) end
"""
SESSIONS = {
    "emacs": ("lisp", EMACS, ("emacs", "--batch", "-l", "session")),
    "nvim": (
        "lua",
        NEOVIM,
        ("nvim", "--headless", "-u", "NONE", "-c", "luafile session", "-c", "qa!"),
    ),
}
"""Of each editor the language of its settings, what is done in it, and the command."""


def setting(language: str) -> str:
    (text,) = (block.text for block in blocks(PAGE) if block.language == language)
    return text


def test_helix_has_the_server_for_the_language() -> None:
    read = tomllib.loads(setting("toml"))
    (language,) = read["language"]
    assert read["language-server"]["htp-lsp"] == {"command": "htp-lsp"}
    assert language["language-servers"] == ["htp-lsp"]
    assert (language["name"], language["file-types"]) == ("mlir", ["mlir"])


def test_an_extension_of_vs_code_has_the_language_and_the_grammar() -> None:
    package = json.loads(setting("json"))
    assert package["main"] == "./extension.js"
    (language,), (grammar,) = (
        package["contributes"]["languages"],
        package["contributes"]["grammars"],
    )
    assert (language["id"], grammar["language"]) == ("mlir", "mlir")
    copied = ROOT / "docs" / "editors" / Path(grammar["path"]).name
    assert json.loads(copied.read_text(encoding="utf-8"))["scopeName"] == grammar["scopeName"]
    assert "vscode-languageclient" in package["dependencies"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "editor",
    [
        pytest.param("emacs", marks=pytest.mark.needs("pygls", "emacs", "eglot")),
        pytest.param("nvim", marks=pytest.mark.needs("pygls", "nvim")),
    ],
)
def test_a_session_shows_a_fault(editor: str, tmp_path: Path) -> None:
    language, session, command = SESSIONS[editor]
    (tmp_path / "wrong.mlir").write_text(WRONG, encoding="utf-8")
    (tmp_path / "session").write_text(setting(language) + session, encoding="utf-8")
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
    assert "Operation htp.Rleu is not registered\n  did you mean 'htp.Relu'?" in done.stderr
