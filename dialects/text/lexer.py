"""The words of MLIR text in colours: a lexer of Pygments, and the table that it is made from.

`docs/generate_grammar.py` makes a TextMate grammar of the same table.
"""

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

from ..attributes import ATTRIBUTES
from ..value import LayoutKind, Memory
from .universe import DIALECTS

_OURS = "|".join(DIALECTS.all_dialects)
_PLACES = "|".join(each.value for each in (*LayoutKind, *Memory))
_ATTRIBUTES = "|".join(name.replace(".", r"\.") for name in ATTRIBUTES)
_KEYWORDS = "module|attributes|private|public|loc|unit|true|false|dense|dense_resource|array"
_DIRECTIVE = r"[A-Z][A-Z_]+(?:-[A-Z0-9]+)*(?:\{LITERAL\})?"
_STRING = r'"(?:\\.|[^"\\\n])*"?'
ROWS = (
    (rf"//\s*{_DIRECTIVE}:[^\n]*", Comment.Special, "comment.line.directive"),
    (r"//[^\n]*", Comment.Single, "comment.line.double-slash"),
    (_STRING, String, "string.quoted.double"),
    (r"%[\w$.-]+(?:#\d+)?", Name.Variable, "variable.other"),
    (rf"@(?:[\w$.-]+|{_STRING})", Name.Label, "entity.name.function"),
    (r"\^[\w$.-]+", Name.Label, "entity.name.label"),
    (r"[#!](?:[A-Za-z_][\w$.]*|\d+)", Keyword.Type, "storage.type"),
    (rf"(?:{_ATTRIBUTES})\b(?=\s*[=,}}])", Name.Attribute, "entity.other.attribute-name"),
    (rf"(?:{_OURS})\.[\w$.-]+", Name.Builtin, "support.function"),
    (r"[A-Za-z_]\w*\.[\w$.-]+", Name.Function, "entity.name.function.op"),
    (rf"(?:{_PLACES})\b(?=\s*[,>])", Name.Constant, "constant.language"),
    (rf"(?:{_KEYWORDS})\b", Keyword, "keyword.control"),
    (
        r"(?:tensor|memref|vector|tuple|none|index|[su]?i\d+|b?f\d+\w*)\b",
        Keyword.Type,
        "storage.type",
    ),
    (r"(?:\d+|\?|\*)x(?:(?:\d+|\?)x)*(?=[A-Za-z!])", Number.Integer, "constant.numeric.shape"),
    (r"0x[0-9a-fA-F]+|-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?", Number, "constant.numeric"),
    (r"[A-Za-z_$][\w$.-]*", Name, "variable.parameter"),
    (r"->|::|\{-#|#-\}|[-+*/=<>:,.;()\[\]{}|?#!@%^&'`~]", Operator, "punctuation"),
)
"""Of each kind of word the pattern, the token of Pygments, and the scope of TextMate."""


class MlirLexer(RegexLexer):
    """Text of MLIR, with RUN and CHECK lines, and the words of our dialects."""

    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    tokens = {"root": [(r"\s+", Text.Whitespace), *((row[0], row[1]) for row in ROWS)]}
