"""Text that earlier versions wrote is still read, and means what it meant."""

import re
from functools import cache
from pathlib import Path

import pytest
from htp_mlir.dialects.attributes import ATTRIBUTES
from htp_mlir.dialects.htp import HTP
from htp_mlir.dialects.qti_aisw import QTI_AISW
from htp_mlir.dialects.spec_of import type_of
from htp_mlir.lowering.testing import assert_same
from htp_mlir.runtime import load_module, parse_module
from xdsl.dialects.func import FuncOp

from ..support.roundtrip import assert_round_trips, assert_upstream_accepts, to_text
from .folders import SEPARATOR, add, folder, folders
from .making import LEVELS, levels_of, specs

FILES = [path for each in folders() for path in sorted(each.glob("*.mlir"))]
PAIRS = [path for path in FILES if SEPARATOR in path.read_text(encoding="utf-8")]
REMEDY = "run `python -m tests.corpus`"
WITH_RESOURCES = "resources.text.mlir"
OPS = {op.name: op for dialect in (HTP, QTI_AISW) for op in dialect.operations}


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@cache
def forms(path: Path) -> tuple[str, str]:
    """The pretty and the generic form in a file."""
    pretty, generic = path.read_text(encoding="utf-8").split(SEPARATOR)
    return pretty, generic


def test_only_text_with_resources_is_in_one_form() -> None:
    assert {path.name for path in FILES if path not in PAIRS} == {WITH_RESOURCES}


@pytest.mark.one_per
@pytest.mark.parametrize("path", PAIRS, ids=_name)
def test_both_forms_are_read_and_mean_what_they_meant(path: Path) -> None:
    pretty, generic = forms(path)
    assert to_text(parse_module(generic, str(path)), generic=True) == generic
    assert assert_round_trips(pretty) == generic


@pytest.mark.needs("mlir-opt")
@pytest.mark.slow
def test_upstream_accepts_the_generic_forms() -> None:
    assert_upstream_accepts([forms(path)[1] for path in PAIRS])


@pytest.mark.parametrize("each", folders(), ids=lambda each: each.name)
def test_constants_beside_the_text_are_read(each: Path) -> None:
    module = load_module(each / WITH_RESOURCES)
    assert to_text(module, generic=True) == forms(each / "resources.mlir")[1]


@pytest.mark.parametrize("each", folders(), ids=lambda each: each.name)
@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_model_gives_the_same_numbers_at_every_level(each: Path, level: str) -> None:
    graph, lowered = (
        parse_module(forms(each / f"{name}.mlir")[0]) for name in ("model", f"model.{level}")
    )
    assert_same(graph, lowered, runs=6)


@pytest.mark.one_per
@pytest.mark.parametrize("name", OPS)
def test_this_version_has_every_op_at_every_level_with_every_property(name: str) -> None:
    path = folder() / f"{name}.mlir"
    assert path.exists(), REMEDY
    ops = list(parse_module(forms(path)[0]).walk())
    functions = {op.sym_name.data.partition("_")[0] for op in ops if isinstance(op, FuncOp)}
    assert {*levels_of(OPS[name])} - functions == set(), REMEDY
    written = {key for op in ops if op.name == name for key in op.properties}
    declared = {*OPS[name].get_irdl_definition().properties} - {"scratch"}
    assert declared - written == set(), REMEDY


def test_this_version_has_every_attribute_dtype_and_place() -> None:
    texts = (forms(path)[1] for path in PAIRS if path.parent == folder())
    together = "".join(texts) + (folder() / WITH_RESOURCES).read_text(encoding="utf-8")
    attributes = {*re.findall(r"[{ ]([\w.]+)(?= = |[,}])", together)}
    assert {*ATTRIBUTES, "scratch", "kernel"} - attributes == set()
    for spec in specs():
        assert str(type_of(spec)) in together, spec
    for attribute in (*QTI_AISW.attributes, *HTP.attributes):
        assert f"{attribute.name}<" in together


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    version = tmp_path / "v1.0"
    assert add({"a": b"1", "b": b"2"}, version) == (["a", "b"], [])
    assert add({"a": b"1", "c": b"3"}, version) == (["c"], [])
    assert add({"a": b"2", "d": b"4"}, version) == (["d"], ["a"])
    assert "".join(path.read_text() for path in sorted(version.iterdir())) == "1234"
