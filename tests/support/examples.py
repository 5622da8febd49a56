"""The IR examples of docstrings, made into modules that run as tests."""

import re

_EXAMPLE = re.compile(r"Example:\s*`([^`]+)`")
_STATEMENT = re.compile(
    r"^(?:(?P<results>%[^=]*)=)?\s*[\w.]+\s*(?:\((?P<operands>[^)]*)\))?.*", re.DOTALL
)


def example_of(documented: type) -> str:
    """The statement after `Example:` in a class's docstring, on one line; ValueError if none."""
    match = _EXAMPLE.search(documented.__doc__ or "")
    if match is None:
        raise ValueError(f"{documented.__name__}: the docstring has no `Example: ...`")
    return " ".join(match[1].split())


def module_of(statement: str) -> str:
    """A module whose one function takes the statement's operands and runs it.

    The statement has our table form: `%r = dialect.Op(%a, name = %b) {...} : (types) -> type`.
    """
    match = _STATEMENT.match(statement)
    operands = re.findall(r"%\w+", (match["operands"] or "") if match else "")
    types = _operand_types(statement) if operands else []
    pairs = dict(zip(operands, types, strict=True))
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in pairs.items())
    return (
        "builtin.module {\n"
        f"  func.func @main({arguments}) {{\n    {statement}\n    func.return\n  }}\n"
        "}\n"
    )


def _operand_types(statement: str) -> list[str]:
    start = statement.rindex(": (", 0, _arrow(statement)) + 3
    return split_types(statement[start : _arrow(statement)].rstrip().removesuffix(")"))


def _arrow(statement: str) -> int:
    return statement.rindex(") -> ")


def split_types(text: str) -> list[str]:
    """Split at the commas that stand outside all brackets."""
    parts, depth = [""], 0
    for before, character in zip(f" {text}", text, strict=False):
        opens = character in "<({["
        closes = character in ")}]" or (character == ">" and before != "-")
        depth += opens - closes
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]
