"""The options of the ini file, checked and made into values."""

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from .programs import FILECHECKS, OURS, Programs
from .runner import Suite, platform_features
from .syntax import Substitutions


@dataclass(frozen=True)
class Settings:
    """The programs and features of a project, and the folders that hold no tests."""

    suite: Suite
    exclude: frozenset[str]
    update: bool


SETTINGS = pytest.StashKey[Settings]()


def read_settings(config: pytest.Config) -> Settings:
    """Read the options; UsageError for a malformed one, and where filecheck is not installed."""
    if find_spec("filecheck") is None:
        install = "pip install 'htp-mlir[testing]'"
        raise pytest.UsageError(f"htp_mlir = true: filecheck is not installed\n  {install}")
    tools = _pairs(config, "htp_mlir_tools", r"[\w.+-]+", "my-opt = my_project.opt:main")
    for name, target in tools.items():
        if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", target):
            _refuse("htp_mlir_tools", f"'{target}' names no function", "write module:function")
        if name in {"not", *FILECHECKS}:
            _refuse("htp_mlir_tools", f"'{name}' is built in", "choose another name")
    external = frozenset(config.getini("htp_mlir_external"))
    for name in sorted(external & {*OURS, *tools, *FILECHECKS}):
        _refuse("htp_mlir_external", f"'{name}' runs in process", "leave it out")
    substitutions = _pairs(config, "htp_mlir_substitutions", r"%\{?\w+\}?", "%opt = my-opt --flag")
    for name in sorted(substitutions.keys() & set(Substitutions(Path(), Path()).values)):
        _refuse("htp_mlir_substitutions", f"'{name}' is built in", "choose another name")
    features = frozenset(config.getini("htp_mlir_features"))
    for name in sorted(features):
        if not re.fullmatch(r"[-+=._A-Za-z0-9]+", name):
            _refuse("htp_mlir_features", f"'{name}' is no name", "use letters, digits and -+=._")
    programs = Programs({**OURS, **tools}, external)
    suite = Suite(programs, platform_features() | features, substitutions)
    update = bool(config.getoption("--update-checks"))
    return Settings(suite, frozenset(config.getini("htp_mlir_exclude")), update)


def _pairs(config: pytest.Config, option: str, name: str, example: str) -> dict[str, str]:
    """Read lines of `NAME = VALUE`."""
    pairs: dict[str, str] = {}
    for line in config.getini(option):
        match = re.fullmatch(rf"({name})\s*=\s*(\S.*)", line)
        if match is None:
            _refuse(option, f"'{line}' is no NAME = VALUE", f"write {example}")
        pairs[match[1]] = match[2]
    return pairs


def _refuse(option: str, problem: str, remedy: str) -> NoReturn:
    raise pytest.UsageError(f"ini option {option}: {problem}\n  {remedy}")
