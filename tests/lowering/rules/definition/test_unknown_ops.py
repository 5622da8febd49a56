"""Op names in rules that stand for no op: which are told, and what to write instead."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import Packages, from_cpp, load_cpp, load_packages, op_package
from htp_mlir.lowering.rules import EARLY, OK, Op, Rule, external_replacement, rule
from htp_mlir.lowering.rules.tree.expr import External

from tests.support.paths import EXAMPLES

HEAD = '#define THIS_PKG_NAME Own\nDEF_PACKAGE_OP(scale, "Scale")\n'


def in_cpp(*rules: tuple[str, str], more: str = "") -> str:
    """C++ text of rules that rewrite one op with one input into another."""
    lines = [f'DEF_PACKAGE_OPTIMIZATION(EARLY, Op({a}, "X"), OK, {b})' for a, b in rules]
    return HEAD + more + "\n".join(lines) + "\n"


def unknown(folder: Path, text: str, *externals: External) -> list[str]:
    """The messages about a package of this text, without what to do."""
    path = folder / "own.cpp"
    path.write_text(text)
    package = from_cpp(load_cpp(path, externals=externals)[0])
    messages = (entry.message for entry in Packages().extended(package).unknown_ops(package))
    return [message.partition(";")[0].removeprefix("no package has Own.") for message in messages]


NEG = 'FROM_DEFAULT_PACKAGE("Neg")'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (in_cpp((NEG, 'Op("Mid", "X")'), ('"Mid"', 'Op("Scale", "X")')), []),
        (in_cpp(('"Mid"', '"X"')), ["Mid, and no rule makes it"]),
        (in_cpp((NEG, 'Op("Mid", "X")')), ["Mid, and no rule matches it"]),
        (in_cpp(('"Mid"', 'Op("End", "X")'), ('"End"', '"X"')), ["Mid, and no rule makes it"]),
        (
            in_cpp(('"A"', 'Op("B", "X")'), ('"B"', 'Op("A", "X")')),
            [
                "A, and only rules that match it make it",
                "B, and only rules that make it match it",
                "B, and only rules that match it make it",
                "A, and only rules that make it match it",
            ],
        ),
        (in_cpp((NEG, 'WrapOp("Mid", Op("Scale", "X"))'), ('"Mid"', '"X"')), []),
        (in_cpp(('"Mid"', '"X"'), more='DEF_PACKAGE_PARAM_ORDER("Mid")\n'), []),
        (
            in_cpp(('"Mid"', '"X"'), more='DEF_TENSOR_PROPERTIES(Op("Mid", "X"), Flat("X"))\n'),
            ["Mid, and no rule makes it"],
        ),
    ],
    ids=["between", "match", "replacement", "chain", "circle", "wrapped", "order", "properties"],
)
def test_names_of_cpp_rules(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert unknown(tmp_path, text) == expected


@external_replacement("anything")
def anything(builder: object, root: object) -> object:
    """A replacement that may build any op."""
    return root


def test_a_python_function_may_make_any_op_of_its_package(tmp_path: Path) -> None:
    text = in_cpp((NEG, "EXTERNAL_REPLACE(anything)"), ('"Mid"', '"X"'))
    assert unknown(tmp_path, text, anything) == []


def test_what_another_package_declares_is_known(tmp_path: Path) -> None:
    (tmp_path / "own.cpp").write_text(in_cpp(('"Other::Scale"', '"X"')))
    (tmp_path / "other.cpp").write_text(HEAD.replace("Own", "Other"))
    own, other = (from_cpp(load_cpp(tmp_path / f"{name}.cpp")[0]) for name in ("own", "other"))
    (alone,) = Packages().extended(own).unknown_ops(own)
    assert alone.message.endswith('; write "Scale"')
    assert Packages().extended(own, other).unknown_ops(own) == []


def of_python(*members: Rule) -> list[str]:
    package = op_package("Own", rules=members)
    return [str(entry) for entry in Packages().extended(package).unknown_ops(package)]


def test_rules_in_python() -> None:
    bare = rule(EARLY, Op("Neg", "X"), OK, "X", name="bare")
    assert of_python(bare) == [
        f"bare ({bare.where}): no package has Own.Neg, and no rule makes it; "
        'write FROM_DEFAULT_PACKAGE("Neg"): a bare name is an op of Own'
    ]
    makes = rule(EARLY, Op("q::Neg", "X"), OK, Op("In.between", "X"), name="makes")
    takes = rule(EARLY, Op("In.between", "X"), OK, "X", name="takes")
    assert of_python(makes, takes) == [
        f"makes ({makes.where}): no package has Own.In.between, and it cannot be built; "
        "declare it in package Own"
    ]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("Relu6", 'write FROM_DEFAULT_PACKAGE("Relu6"): a bare name is an op of Own'),
        ("q::Rellu", 'did you mean FROM_DEFAULT_PACKAGE("Relu")'),
        ("Other::Nothing.like.it", "declare it in package Other, or load that one"),
        ("Nothing.like.it", "declare it in package Own"),
    ],
)
def test_what_to_write_instead(name: str, remedy: str) -> None:
    (message,) = of_python(rule(EARLY, Op(name, "X"), OK, "X"))
    assert message.partition("; ")[2].startswith(remedy)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/package.*")), ids=lambda p: str(p)[-22:])
def test_examples_name_known_ops_only(path: Path) -> None:
    packages = load_packages(path)
    assert packages.unknown_ops(packages.members[-1]) == []
