"""The page docs/reference/python.md: the public names of the Python modules, from their docstrings.

A public name is one that its module lists in `__all__`, or imports as itself (`A as A`), or assigns
beside a docstring. What a function raises are the sentences of its docstring that name an error.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from inspect import Parameter, cleandoc, getsource, isfunction, signature, unwrap
from itertools import pairwise
from textwrap import dedent
from types import FunctionType, ModuleType

from htp_mlir.runtime import Tensor
from reference_text import EXAMPLE
from xdsl.irdl import IRDLOperation

MODULES = (
    "htp_mlir.lowering",
    "htp_mlir.runtime",
    "htp_mlir.runtime.passes",
    "htp_mlir.lowering.frontend.onnx.blocks",
    "htp_mlir.lowering.packages",
    "htp_mlir.lowering.plugins",
    "htp_mlir.lowering.quantization",
    "htp_mlir.lowering.report.measured",
    "htp_mlir.lowering.report.run",
    "htp_mlir.lowering.rules",
    "htp_mlir.lowering.rules.lint",
    "htp_mlir.lowering.rules.soundness",
    "htp_mlir.lowering.sweep",
    "htp_mlir.lowering.testing",
    "htp_mlir.lowering.testing.strategies",
    "htp_mlir.dialects.htp",
    "htp_mlir.dialects.qti_aisw",
)
"""The modules whose names users are to use, in the order of the page."""
TORCH_MODULES = ("htp_mlir.lowering.frontend.torch",)
"""The modules that need PyTorch, on a page of their own."""
INTRO = """\
The public modules and names; everything else may change. Arguments behind `*` are given by name.
`HtpError` is what a mistake of the user raises, with two lines that say what is wrong and what to
do. Ops are listed with [native ops](htp.md) and [graph ops](qti_aisw.md), the functions that rules
are written with in [rewrite rules](rules.md), the module that needs PyTorch on
[a page of its own](pytorch.md)."""
TORCH_INTRO = """\
The names of the module that needs PyTorch: `pip install 'htp-mlir[torch]'`.
[From nn.GRU to HTP](../from_gru_to_htp.md) shows them at work. This page is written and tested
where PyTorch is installed."""
LINE = 96

_ERROR = r"[A-Z]\w*(?:Error|Exception|Fault)\b"
_RAISES = re.compile(rf"(?:Raises )?{_ERROR}")
_SENTENCE = re.compile(rf"(?<=[.:])\s+(?=[A-Z`])|;\s+(?={_ERROR})")
_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


@dataclass(frozen=True)
class Public:
    """A public name with its value, and the source and docstring of one that is assigned."""

    name: str
    value: object
    source: str = ""
    doc: str = ""


def sections(modules: Iterable[str], rules_page: str, ops: Iterable[type]) -> Iterator[str]:
    """Yield a section for each module, without what the pages of rules and ops have."""
    elsewhere = {*_ROW.findall(rules_page), *(op.__name__ for op in ops)}
    for module in map(import_module, modules):
        # The names of rules are also those of other modules: Operand, Builder.
        hidden = elsewhere if module.__name__.endswith((".rules", ".htp")) else set[str]()
        names = [_public(module, name) for name in public_names(module) if name not in hidden]
        tensors = [public for public in names if _is_tensor_class(public.value)]
        yield "\n\n".join((f"## `{module.__name__}`", *_prose(cleandoc(module.__doc__ or ""))))
        yield from (_entry(public) for public in names if public not in tensors)
        if tensors:
            yield _tensor_classes(tensors)


def public_names(module: ModuleType) -> list[str]:
    """List the public names of a module in the order of the alphabet."""
    listed = getattr(module, "__all__", None) or [
        *(name for name, alias in _imports(module).items() if alias.asname == name),
        *(name for name, (_, doc) in _assigned(module).items() if doc and name[0] != "_"),
    ]
    return sorted(listed, key=lambda name: (name.lower(), name))


def _public(module: ModuleType, name: str) -> Public:
    value = getattr(module, name)
    if isinstance(value, type) or isfunction(value):
        return Public(name, value)
    home = module
    while name not in _assigned(home):
        home = import_module(resolve_name(_froms(home)[name], home.__package__))
    source, doc = _assigned(home)[name]
    return Public(name, value, source, doc)


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(getsource(module))


def _import_statements(module: ModuleType) -> Iterator[ast.ImportFrom]:
    return (node for node in ast.walk(_tree(module)) if isinstance(node, ast.ImportFrom))


def _imports(module: ModuleType) -> dict[str, ast.alias]:
    """Map the names that a module imports to their place in the statement."""
    statements = _import_statements(module)
    return {alias.asname or alias.name: alias for node in statements for alias in node.names}


def _froms(module: ModuleType) -> dict[str, str]:
    """Map the names that a module imports to the module that they come from."""
    return {
        alias.asname or alias.name: "." * node.level + (node.module or "")
        for node in _import_statements(module)
        for alias in node.names
    }


def _assigned(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Map the names that a module assigns to the statement and the docstring behind it."""
    body = _tree(module).body
    assigned: dict[str, tuple[str, str]] = {}
    for node, behind in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                is_doc = isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
                doc = ast.literal_eval(behind.value) if is_doc else ""
                assigned[name] = (ast.unparse(node), cleandoc(doc))
    return assigned


def _entry(public: Public) -> str:
    match public.value:
        case type() as class_:
            parts = _class(public.name, class_)
        case FunctionType() as function:
            parts = _function(_signature(public.name, function), function)
        case _ if not public.doc:
            raise ValueError(f"{public.name}: the assignment has no docstring")
        case _:
            shown = public.source if len(public.source) <= LINE else public.source.split(" = ")[0]
            parts = [_code(shown), public.doc]
    return "\n\n".join((f"### {public.name}", *parts))


def _class(name: str, class_: type) -> list[str]:
    text = _docstring(name, class_)
    if issubclass(class_, Enum):
        members = ", ".join(f"`{member}`" for member in class_.__members__)
        return [*_prose(text), f"Members: {members}."]
    # An op is built by its class's operands, as xDSL does it.
    is_op = issubclass(class_, IRDLOperation) or class_.__init__ is object.__init__
    head = f"class {name}" if is_op else _signature(name, class_)
    members = "\n".join(_members(class_))
    return [_code(head), *_prose(text), *([members] if members else [])]


def _members(class_: type) -> Iterator[str]:
    """Yield a line for each attribute, method and property of a class.

    Its own, and those of a base class that no user is to name.
    """
    for attribute, type_, doc in _attributes(class_):
        yield f"- `{attribute}: {type_}`: {doc}"
    members: dict[str, object] = {}
    for base in class_.__mro__:
        if base is class_ or _is_inner(base):
            members = {**members, **{n: m for n, m in vars(base).items() if n not in members}}
    for name, member in members.items():
        function = _function_of(member)
        # What overrides a method of another library without a word says what that one says.
        overrides = any(hasattr(base, name) for base in class_.__mro__[1:])
        if name[0] == "_" or function is None or (overrides and not function.__doc__):
            continue
        where = f"{class_.__name__}.{name}"
        text = " ".join(_docstring(where, function).split())
        is_value = not isinstance(member, FunctionType | classmethod | staticmethod)
        shown = f"{name}: {_returned(function)}" if is_value else _signature(name, function, 10**4)
        yield f"- `{shown}`: {text}"


def _is_inner(class_: type) -> bool:
    """Tell whether a class is ours and no public name of any module."""
    ours = class_.__module__.startswith("htp_mlir.") and not issubclass(class_, IRDLOperation)
    public = {name for module in map(import_module, MODULES) for name in public_names(module)}
    return ours and class_.__name__ not in public


def _attributes(class_: type) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and docstring of the attributes that `__init__` sets with a docstring."""
    if not isfunction(vars(class_).get("__init__")) or is_dataclass(class_):
        return
    [init] = ast.parse(dedent(getsource(vars(class_)["__init__"]))).body
    for node, behind in pairwise(init.body if isinstance(init, ast.FunctionDef) else ()):
        match node, behind:
            case (
                ast.AnnAssign(target=ast.Attribute(attr=name), annotation=type_),
                ast.Expr(value=ast.Constant(value=str(doc))),
            ):
                yield name, ast.unparse(type_), cleandoc(doc)


def _function_of(member: object) -> FunctionType | None:
    for attribute in ("__func__", "fget", "func"):
        member = getattr(member, attribute, member)
    return member if isinstance(member, FunctionType) else None


def _function(head: str, function: FunctionType) -> list[str]:
    return [_code(head), *_prose(_docstring(function.__name__, function))]


def _docstring(name: str, thing: Callable[..., object]) -> str:
    """The docstring of a class or function; ValueError where there is none."""
    own = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    # A dataclass without a docstring gets its signature as one.
    if not own or own.startswith(f"{name}("):
        raise ValueError(f"{name}: there is no docstring")
    return cleandoc(own)


def _prose(text: str) -> list[str]:
    """The paragraphs of a docstring: what is said, what is raised, and the example as code."""
    said, raised = list[str](), list[str]()
    for paragraph in EXAMPLE.sub("", text).split("\n\n"):
        sentences = _SENTENCE.split(" ".join(paragraph.split()))
        raised += filter(_RAISES.match, sentences)
        kept = " ".join(part for part in sentences if not _RAISES.match(part))
        said += [kept if kept.endswith((".", ":")) else f"{kept}."] if kept else []
    errors = " ".join(f"{part.removeprefix('Raises ').rstrip('.')}." for part in raised)
    examples = (" ".join(match[1].split()).replace("; ", "\n") for match in EXAMPLE.finditer(text))
    return [*said, *([f"Raises: {errors}"] if raised else []), *map(_code, examples)]


def _code(text: str) -> str:
    return f"```{'mlir' if text[0] in '%!' else 'python'}\n{text}\n```"


def _signature(name: str, function: Callable[..., object], width: int = LINE) -> str:
    """A signature as it is written, one parameter to a line where it is long."""
    read = signature(function)
    parameters = [p for p in read.parameters.values() if p.name not in ("self", "cls")]
    shown, starred = list[str](), False
    for parameter in parameters:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            starred = True
        elif parameter.kind is Parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        shown.append(_parameter(parameter, _written(function)))
    end = f" -> {_returned(function)}" if isfunction(function) else ""
    line = f"{name}({', '.join(shown)}){end}"
    if len(line) <= width:
        return line
    return "\n".join((f"{name}(", *(f"    {part}," for part in shown), f"){end}"))


def _returned(function: Callable[..., object]) -> str:
    return _written(function).get("return", "None")


@cache
def _written(thing: Callable[..., object]) -> dict[str, str]:
    """Map the parameters of a function or a class, and `return`, to their types as written."""
    function = thing.__init__ if isinstance(thing, type) else thing
    if isfunction(function) and not unwrap(function).__code__.co_filename.startswith("<"):
        match _definition(function):
            case ast.FunctionDef(args=parameters, returns=returns):
                typed = [node for node in ast.walk(parameters) if isinstance(node, ast.arg)]
                types = {node.arg: node.annotation for node in typed} | {"return": returns}
                return {name: ast.unparse(type_) for name, type_ in types.items() if type_}
    # The fields of a dataclass, those of its base classes first.
    bases = reversed(thing.__mro__) if isinstance(thing, type) else ()
    own = (base for base in bases if "__annotations__" in vars(base))
    nodes = (node for base in own for node in ast.iter_child_nodes(_definition(base)))
    fields = (node for node in nodes if isinstance(node, ast.AnnAssign))
    return {ast.unparse(node.target): ast.unparse(node.annotation) for node in fields}


def _definition(thing: Callable[..., object]) -> ast.stmt:
    [node] = ast.parse(dedent(getsource(thing))).body
    return node


def _parameter(parameter: Parameter, written: dict[str, str]) -> str:
    stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    type_ = written.get(parameter.name, "")
    text = f"{stars}{parameter.name}" + (f": {type_}" if type_ else "")
    if parameter.default is Parameter.empty:
        return text
    default = parameter.default
    value = str(default) if isinstance(default, Enum) else repr(default)
    return f"{text} = {value if len(value) <= 30 and '<' not in value else '...'}"


def _is_tensor_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Tensor) and value is not Tensor


def _tensor_classes(classes: Iterable[Public]) -> str:
    """A table of the classes that fix a dtype, a layout and a memory."""
    rows = (f"| `{public.name}` | {public.value.__doc__} |" for public in classes)
    return "\n".join(("### Tensor classes\n", "| name | tensors |", "| --- | --- |", *rows))
