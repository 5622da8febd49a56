"""The skeleton of a new plugin with passes, whose tests hold as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from keyword import iskeyword
from string import Template

from ...dialects.diagnostics import fail
from .function import check_name
from .skeleton_text import CHECK, MODULE, NUMBERS, PASS, PYPROJECT

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


def pass_skeleton(name: str, passes: Sequence[str]) -> dict[str, str]:
    """Return the files of a new distribution by their names; HtpError for a name that is none."""
    module = name.replace("-", "_").lower()
    if not _NAME.fullmatch(name) or iskeyword(module):
        raise fail(f"plugin '{name}'", "this is no name", "write words like my-passes")
    for each in passes:
        check_name(each)
        if passes.count(each) > 1:
            raise fail(f"pass '{each}'", "is given twice", "name it once")
    functions = {each: _function(each) for each in passes}
    texts = [
        Template(PASS).substitute(pass_name=each, function=function)
        for each, function in functions.items()
    ]
    words = {
        "name": name,
        "module": module,
        "passes": "\n\n".join(texts),
        "functions": ", ".join(functions.values()),
        "qualified": ", ".join(f"{module}.{function}" for function in functions.values()),
    }
    files = {
        "pyproject.toml": PYPROJECT,
        f"{module}.py": MODULE,
        f"tests/test_{module}.py": NUMBERS,
    }
    filled = {file: Template(text).substitute(words) for file, text in files.items()}
    checks = {
        f"tests/{_function(each)}.mlir": Template(CHECK).substitute(pass_name=each)
        for each in passes
    }
    return filled | checks


def _function(pass_name: str) -> str:
    """Return the name of a pass as that of a function."""
    function = pass_name.replace("-", "_")
    return f"{function}_" if iskeyword(function) else function
