"""The C++ around declarations that they refer to: constants, initialisers, functions.

Source text is only looked at. Bodies are stepped over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .tokens import Token, TokenKind, Tokens, closing, operands, text_of

_TRANSPARENT = ("namespace", "extern")
_NO_TYPE = {"const", "constexpr", "volatile", "static", "inline", "class", "struct"}
_IN_TYPES = ("::", "<", ">", ">>", ",")
_MAX_ALIASES = 8
_ASM = ("asm", "__asm", "__asm__")
ASSEMBLY = "inline assembly"
"""The word for assembly in a function, which runs on Hexagon alone."""
_NO_FUNCTION = {"if", "while", "for", "switch", "return", "operator", "static_assert", "using"}


@dataclass(frozen=True)
class CppParameter:
    """A parameter of a C++ function: its name, its class and whether the function may write it.

    `passed` is what stands behind the class: `&`, `*`, or nothing for a value.
    """

    name: str
    takes: str
    const: bool
    passed: str = ""

    def written(self, takes: str) -> str:
        """Return the type as C++ text before a name, with another spelling of the class."""
        return f"{'const ' if self.const else ''}{takes} {self.passed}"


@dataclass(frozen=True)
class FunctionSource:
    """The head of a C++ function or function template.

    `variables` are its template parameters, with the text of the default of those that have one.
    """

    name: str
    variables: Mapping[str, str | None]
    parameters: tuple[CppParameter, ...]

    def chosen(self, arguments: Sequence[str]) -> Mapping[str, str]:
        """Return the value of each template parameter in an instance."""
        defaults = {
            name: default for name, default in self.variables.items() if default is not None
        }
        return {**defaults, **dict(zip(self.variables, arguments, strict=False))}


@dataclass(frozen=True)
class Code:
    """The names that one source file defines outside of functions; the first definition counts.

    `words` are the names in the bodies of functions. `tells_ops`: it is an interface file, whose
    arrays of strings are names of ops, among others.
    """

    values: Mapping[str, Tokens] = field(default_factory=dict)
    functions: Mapping[str, FunctionSource] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, set[str]] = field(default_factory=dict)
    tells_ops: bool = False

    @property
    def listed_ops(self) -> tuple[str, ...]:
        """The strings of arrays in a file that tells a package's ops; none of another file."""
        arrays = self.values.values() if self.tells_ops else ()
        return tuple(
            token.text[1:-1]
            for array in arrays
            for token in array
            if token.kind is TokenKind.STRING
        )

    def reached(self, function: str) -> frozenset[str]:
        """Return the names, and ASSEMBLY, in a function and in those that it names."""
        seen, waiting = set[str](), [function]
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                waiting += self.words.get(name, ())
        return frozenset(seen)

    def type_name(self, name: str, known: Callable[[str], str | None]) -> str:
        """Return a type behind its aliases, without its namespace.

        What is `known` by a name has this name, whatever the aliases say.
        """
        for _ in range(_MAX_ALIASES):
            if (class_ := known(name)) is not None:
                return class_
            short = name if "<" in name else name.rpartition("::")[2]
            if short not in self.aliases:
                return short
            name = self.aliases[short]
        return name


_TELL_OPS = ("operationNames", "numOperations", "QnnOpPackage_Info_t")
"""Words of an interface file."""


def read_code(tokens: Tokens) -> Code:
    """Return the definitions of a file."""
    values: dict[str, Tokens] = {}
    functions: dict[str, FunctionSource] = {}
    aliases: dict[str, str] = {}
    words: dict[str, set[str]] = {}
    for statement, body in _statements(tokens):
        alias = _alias(statement)
        if alias is not None:
            aliases.setdefault(*alias)
            continue
        function = _function(statement)
        if function is not None:
            functions.setdefault(function.name, function)
            words.setdefault(function.name, set()).update(_words(body))
            continue
        for declared in _declarations(statement):
            if (named_value := _value(declared)) is not None:
                values.setdefault(*named_value)
    tells_ops = any(token.text in _TELL_OPS for token in tokens)
    return Code(values, functions, aliases, words, tells_ops)


def _statements(tokens: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    """Heads of functions with bodies, and whole variable definitions, inside namespaces too."""
    start = index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text in ("}", ";"):
            yield tokens[start:index], []
            start = index + 1
        elif text == "{":
            head = tokens[start:index]
            if (
                head
                and head[0].text in ("inline", *_TRANSPARENT)
                and all(token.text != "(" for token in head)
            ):
                start = index + 1
            else:
                opening, index = index, closing(tokens, index) or len(tokens)
                if not _is_initialised(head):
                    yield head, tokens[opening:index]
                    start = index + 1
        index += 1
    yield tokens[start:], []


def _words(body: Tokens) -> Iterator[str]:
    """Yield the names in a body, and ASSEMBLY where it is more than a prefetch or a barrier."""
    for index, token in enumerate(body):
        if token.kind is TokenKind.WORD:
            yield token.text
        if token.text in _ASM:
            code = next((t.text for t in body[index : index + 4] if t.kind is TokenKind.STRING), "")
            if "fetch" not in code and code != '""':
                yield ASSEMBLY


def _is_initialised(head: Tokens) -> bool:
    """Tell whether the braces that follow hold the value of a variable, not a body."""
    _, head = _template(head)
    before = head[: next((i for i, token in enumerate(head) if token.text == "("), len(head))]
    if any(token.text == "=" for token in before):
        return True
    if len(before) < len(head) or (head and head[0].text in ("class", "struct", "enum", "union")):
        return False
    return len(head) > 1 and (head[-1].kind is TokenKind.WORD or head[-1].text in ("=", "]", ">"))


def _alias(statement: Tokens) -> tuple[str, str] | None:
    """`using A = B` or `typedef B A` as the new name and the type."""
    words = [token.text for token in statement]
    if len(words) > 3 and words[0] == "using" and words[2] == "=":
        name, type_ = statement[1], statement[3:]
    elif len(words) > 2 and words[0] == "typedef":
        name, type_ = statement[-1], statement[1:-1]
    else:
        return None
    plain = all(t.kind in (TokenKind.WORD, TokenKind.NUMBER) or t.text in _IN_TYPES for t in type_)
    return (name.text, text_of(type_)) if plain and name.kind is TokenKind.WORD else None


def _declarations(statement: Tokens) -> Iterator[Tokens]:
    """`Type a = 1, b = 2` as one declaration each."""
    for index, part in enumerate(operands(statement)):
        yield [statement[0], *part] if index else part


def _value(statement: Tokens) -> tuple[str, Tokens] | None:
    """`Type name = value`, `Type name[] = {...}` or `Type name{...}` as the name and the value."""
    for index, token in enumerate(statement[:-1]):
        following = statement[index + 1].text
        if token.kind is not TokenKind.WORD or index == 0 or following not in ("=", "{", "["):
            continue
        end: int | None = index
        while end is not None and statement[end + 1].text == "[":
            end = closing(statement, end + 1)
            if end is None or end + 1 >= len(statement):
                return None
        if end is None or statement[end + 1].text not in ("=", "{"):
            return None
        return token.text, statement[end + 2 if statement[end + 1].text == "=" else end + 1 :]
    return None


def _function(head: Tokens) -> FunctionSource | None:
    variables, head = _template(head)
    opening = next((i for i, token in enumerate(head) if token.text == "("), None)
    if opening is None or opening < 2 or any(token.text == "=" for token in head[:opening]):
        return None
    name, end = head[opening - 1], closing(head, opening)
    if end is None or name.kind is not TokenKind.WORD or name.text in _NO_FUNCTION:
        return None
    listed = operands(head[opening + 1 : end], angles=True)
    parameters = [parameter for part in listed if (parameter := _parameter(part)) is not None]
    return FunctionSource(name.text, variables, tuple(parameters))


def _template(head: Tokens) -> tuple[Mapping[str, str | None], Tokens]:
    """Split a head into its template parameters, with their defaults, and the rest."""
    if len(head) < 2 or head[0].text != "template" or head[1].text != "<":
        return {}, head
    depth = 0
    for index in range(1, len(head)):
        depth += {"<": 1, ">": -1, ">>": -2}.get(head[index].text, 0)
        if depth <= 0:
            parts = operands(head[2:index], angles=True)
            split = [(_before_default(part), part) for part in parts]
            named = [(before, part[len(before) + 1 :]) for before, part in split if before]
            names = {before[-1].text: text_of(default) or None for before, default in named}
            return names, head[index + 1 :]
    return {}, head


def _before_default(part: Tokens) -> Tokens:
    end = next((i for i, token in enumerate(part) if token.text == "="), len(part))
    return part[:end]


def _parameter(part: Tokens) -> CppParameter | None:
    part = _before_default(part)
    type_: list[Token] = [t for t in part if t.text not in (*_NO_TYPE, "&", "*", "&&")]
    if not type_ or type_[0].kind is not TokenKind.WORD:
        return None
    name = ""
    if len(type_) > 1 and type_[-1].kind is TokenKind.WORD and type_[-2].text != "::":
        name = type_.pop().text
    passed = "".join(t.text for t in part if t.text in ("&", "*", "&&"))
    return CppParameter(name, text_of(type_), any(t.text == "const" for t in part), passed)
