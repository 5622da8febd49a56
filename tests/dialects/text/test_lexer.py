"""The lexer and the TextMate grammar know every word of the project's files."""

import json
import re
from importlib import util

import pytest
from htp_mlir.lowering.tools.htp_opt import run

from ...support.paths import ROOT

pytestmark = pytest.mark.needs("pygments")

FILES = sorted(path for folder in ("tests", "docs") for path in (ROOT / folder).rglob("*.mlir"))
GRAMMAR = ROOT / "docs" / "editors" / "mlir.tmLanguage.json"


def words(text: str) -> list[tuple[str, str]]:
    """The words of a text by the TextMate grammar, as an editor finds them: line by line."""
    patterns = [
        (re.compile(each["match"]), each["name"])
        for each in json.loads(GRAMMAR.read_text("utf-8"))["patterns"]
    ]
    known = []
    for line in text.split("\n"):
        at = 0
        while at < len(line):
            matches = [(m, name) for pattern, name in patterns if (m := pattern.search(line, at))]
            if not matches:
                break
            match, name = min(matches, key=lambda each: each[0].start())
            assert not line[at : match.start()].strip(), line
            known.append((match[0], name))
            at = match.end()
        assert not line[at:].strip(), line
    return known


@pytest.mark.slow
def test_every_word_is_known_to_both_and_ends_in_the_same_place() -> None:
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Error, Text

    lexer = get_lexer_by_name("mlir", ensurenl=False, stripnl=False)
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        tokens = [(kind, word) for kind, word in lexer.get_tokens(text) if kind not in Text]
        assert [word for kind, word in tokens if kind is Error] == [], path
        assert [word for _, word in tokens] == [word for word, _ in words(text)], path


def test_the_grammar_is_what_the_generator_writes() -> None:
    spec = util.spec_from_file_location("generate_grammar", ROOT / "docs" / "generate_grammar.py")
    assert spec
    assert spec.loader
    generator = util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert GRAMMAR.read_text(encoding="utf-8") == generator.grammar(), (
        "run: python docs/generate_grammar.py"
    )


def test_words_of_the_dialects_have_their_scopes() -> None:
    text = (
        '%0 = htp.Relu(%x) {htp.name = "a"} : (tensor<1x8x8x4xf32, #htp.place<flat, tcm>>) -> f32'
    )
    scopes = dict(words(text))
    assert scopes["htp.Relu"] == "support.function.mlir"
    assert scopes["htp.name"] == "entity.other.attribute-name.mlir"
    assert scopes["1x8x8x4x"] == "constant.numeric.shape.mlir"
    assert scopes["flat"] == scopes["tcm"] == "constant.language.mlir"


def test_a_terminal_gets_colours() -> None:
    text = "func.func @f(%x: tensor<1x1x1x4xf32>) {\n  func.return\n}\n"
    coloured = run(["--syntax-highlight"], text).out
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == run([], text).out
