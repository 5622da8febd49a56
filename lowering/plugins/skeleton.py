"""The skeleton of a new plugin with passes or rules, whose tests hold unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from string import Template

from ...dialects.diagnostics import fail
from . import texts
from .function import check_name

PYPROJECT = """\
[build-system]
requires = ["setuptools>=69"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1"
dependencies = ["htp-mlir"]

[project.entry-points."$group"]
$name = "$module:$value"

[tool.setuptools]
py-modules = ["$module"]

[tool.pytest.ini_options]
htp_mlir = true
testpaths = ["tests"]
"""


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


@dataclass(frozen=True)
class MemberKind:
    """One sort of member that a plugin can bring, and the texts of such a plugin.

    `spelling` makes the name of a member's variable, `group` and `value` are the entry point;
    `member` is the text of one member, between two of which `between` stands.
    """

    word: str
    spelling: Callable[[str], str]
    group: str
    value: str
    module: str
    member: str
    between: str
    check: str
    numbers: str


PASSES = MemberKind(
    "pass",
    str.lower,
    "xdsl.universe",
    "UNIVERSE",
    texts.PASS_MODULE,
    texts.PASS_MEMBER,
    "\n\n",
    texts.PASS_CHECK,
    texts.PASS_NUMBERS,
)
RULES = MemberKind(
    "rule",
    str.upper,
    "htp_mlir.rules",
    "RULES",
    texts.RULE_MODULE,
    texts.RULE_MEMBER,
    "",
    texts.RULE_CHECK,
    texts.RULE_NUMBERS,
)


def plugin_skeleton(kind: MemberKind, name: str, members: Sequence[str]) -> dict[str, str]:
    """Return the files of a new distribution by their names; HtpError for a name that is none."""
    module = name.replace("-", "_").lower()
    if not _NAME.fullmatch(name) or iskeyword(module):
        raise fail(f"plugin '{name}'", "this is no name", "write words like my-passes")
    for each in members:
        check_name(each, kind.word)
        if members.count(each) > 1:
            raise fail(f"{kind.word} '{each}'", "is given twice", "name it once")
    variables = {each: _variable(each, kind.spelling) for each in members}
    words = {
        "name": name,
        "module": module,
        "group": kind.group,
        "value": kind.value,
        "members": kind.between.join(
            Template(kind.member).substitute(member=each, variable=variable)
            for each, variable in variables.items()
        ),
        "variables": ", ".join(variables.values()),
        "qualified": ", ".join(f"{module}.{variable}" for variable in variables.values()),
    }
    files = {
        "pyproject.toml": PYPROJECT,
        f"{module}.py": kind.module,
        f"tests/test_{module}.py": kind.numbers,
    }
    filled = {file: Template(text).substitute(words) for file, text in files.items()}
    checks = {
        f"tests/{variable.lower()}.mlir": Template(kind.check).substitute(member=each)
        for each, variable in variables.items()
    }
    return filled | checks


def _variable(member: str, spelling: Callable[[str], str]) -> str:
    """Return the name of a member as that of a variable."""
    variable = spelling(member.replace("-", "_"))
    return f"{variable}_" if iskeyword(variable) else variable
