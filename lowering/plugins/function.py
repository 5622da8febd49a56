"""A pass that is written as a function: called on a module, or named in a pipeline.

The options of the pass are the keyword arguments of the function. A function that rewrites one op
is called for every op of its class in order, in sweeps, until nothing changes. The cost is that of
the sweeps, whose number is one more than the longest chain of rewrites that make work for one
another.
Example: `Neg(Neg(x))` becomes x in the first sweep; the second finds no Neg, and is the last.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, make_dataclass
from functools import update_wrapper
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import Rewriter
from xdsl.universe import Universe
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import fail
from ...dialects.faults.op_faults import fail_at, invalid
from ...dialects.locations import location_of
from ...runtime.passes.run import naming, run_pass

OpT = TypeVar("OpT", bound=Operation)

FREE_REWRITES = 1000
"""Rewrites that any module may have."""
REWRITES_PER_OP = 10
"""Further rewrites for each op that the module begins with."""


def replace_op(
    op: Operation,
    new_ops: Operation | Sequence[Operation],
    new_results: Sequence[SSAValue | None] | None = None,
) -> None:
    """Replace an op by others, which get its location where they have none.

    `new_results` replace its results; without them those of the last new op do. None is
    for a result without a use.
    """
    new = (new_ops,) if isinstance(new_ops, Operation) else new_ops
    for each in new:
        locate(each, op)
    Rewriter.replace_op(op, new, new_results)


def locate(new: Operation, source: Operation) -> None:
    """Give an op without a location that of another."""
    for inner in new.walk():
        if isinstance(inner.location, UnknownLoc):
            inner.location = location_of(source)


def rewrite(
    module: ModuleOp,
    roots: tuple[type[OpT], ...],
    pass_name: str,
    step: Callable[[OpT, PatternRewriter], None],
) -> None:
    """Call `step` for each op of some classes, again until nothing changes.

    HtpError at the op where the rewrites do not come to an end.
    """
    left = FREE_REWRITES + REWRITES_PER_OP * sum(1 for _ in module.walk())
    changes = True
    while changes:
        changes = False
        removed = set[Operation]()
        for op in [inner for inner in module.walk() if isinstance(inner, roots)]:
            if op in removed:
                continue
            if not left:
                problem = f"pass '{pass_name}' rewrites without end"
                raise fail_at(op, problem, "leave alone what the pass itself makes")
            if _rewrite_one(op, removed, step):
                left, changes = left - 1, True


def _rewrite_one(
    op: OpT, removed: set[Operation], step: Callable[[OpT, PatternRewriter], None]
) -> bool:
    rewriter = PatternRewriter(op)
    rewriter.operation_insertion_handler.append(lambda new: locate(new, op))
    rewriter.operation_removal_handler.append(lambda old: removed.update(old.walk()))
    step(op, rewriter)
    return rewriter.has_done_action


_LEAVES = (int, float, bool, str, NoneType, Ellipsis)
_WORDS = "an option is an int, float, bool or str, a tuple of these, or one of these or None"

_TAKEN = {"name", "work", *dir(ModulePass)}
"""The names that are not options, because a pass has them."""

Option = tuple[str, Any, Field[Any]]
"""Name, type and default, as dataclasses take them."""


def options_of(function: Callable[..., None], positional: int, where: str) -> list[Option]:
    """Read the options off a function's keyword-only arguments.

    HtpError for other than `positional` arguments before them, and for a type that no pipeline can
    write.
    """
    parameters = list(signature(function).parameters.values())
    before = [each for each in parameters if each.kind is not Parameter.KEYWORD_ONLY]
    if len(before) != positional or any(each.kind in _VARIADIC for each in before):
        problem = f"takes {len(before)} arguments before '*', not {positional}"
        raise fail(where, problem, "make the options keyword-only, behind '*'")
    return list(_options(function, parameters[positional:], where))


_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def _options(
    function: Callable[..., None], parameters: list[Parameter], where: str
) -> Iterator[Option]:
    types = _types(function, where)
    for parameter in parameters:
        name, default = parameter.name, parameter.default
        if name in _TAKEN:
            raise fail(where, f"option '{name}' has a name that passes use", "rename it")
        if name not in types:
            raise fail(where, f"option '{name}' has no type", _WORDS)
        if not _is_option_type(types[name]):
            raise fail(where, f"option '{name}' is of type {types[name]}", _WORDS)
        yield name, types[name], field(default=MISSING if default is Parameter.empty else default)


def _types(function: Callable[..., None], where: str) -> dict[str, Any]:
    """Resolve the annotations; HtpError where one names nothing."""
    try:
        return get_type_hints(function)
    except NameError as error:
        problem = f"has an annotation that means nothing: {error}"
        raise fail(where, problem, "import the name outside TYPE_CHECKING") from error


def root_of(function: Callable[..., None], where: str) -> tuple[type[Any], ...]:
    """Return the op classes that annotate the first argument, one or `A | B`; else HtpError."""
    first = next(iter(signature(function).parameters), "")
    root = _types(function, where).get(first)
    classes = get_args(root) or (root,)
    if all(isinstance(each, type) and issubclass(each, Operation) for each in classes):
        return classes
    words = "nothing" if root is None else getattr(root, "__name__", str(root))
    problem = f"the first argument is annotated with {words}, which is no class of ops"
    raise fail(where, problem, "annotate it with the class of the ops to rewrite")


def _is_option_type(option: Any) -> bool:
    if get_origin(option) in (Union, UnionType, tuple):
        return all(map(_is_option_type, get_args(option)))
    return option in _LEAVES


P = ParamSpec("P")
Work = Callable[..., None]
"""A function of a module, and options by keyword."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_name(name: str, kind: str = "pass") -> None:
    """Refuse a name that pipelines cannot hold; `kind` is what it names."""
    if not _NAME.fullmatch(name):
        raise fail(f"{kind} '{name}'", "this is no name", f"write words like my-{kind}")


@dataclass(frozen=True)
class _FunctionPass(ModulePass):
    """A pass whose work a function does; the options are fields."""

    work: ClassVar[Work]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = {option.name: getattr(self, option.name) for option in fields(self)}
        with naming(self):
            type(self).work(op, **options)


class PassFunction(Generic[P]):
    """A pass as a function of a module.

    To call it is to run the pass: `drop(module, limit=3)`. HtpError where it fails, or leaves the
    module so that it does not verify.
    """

    def __init__(self, name: str, function: Work, work: Work, options: Sequence[Option]) -> None:
        check_name(name)
        self.name: str = name
        """The name in pipelines."""
        namespace = {
            "name": name,
            "work": staticmethod(work),
            "__doc__": function.__doc__,
            "__module__": function.__module__,
        }
        self.pass_type: type[ModulePass] = make_dataclass(
            function.__name__,
            options,
            bases=(_FunctionPass,),
            namespace=namespace,
            frozen=True,
            kw_only=True,
        )
        """The class that xDSL's tools run."""
        update_wrapper(self, function)

    def __call__(self, module: ModuleOp, *args: P.args, **options: P.kwargs) -> None:
        run_pass(Context(), module, self.pass_type(*args, **options))
        try:
            module.verify()
        except VerifyException as error:
            raise invalid(error, "", "correct the pass", self.name) from error


def plugin_universe(
    *, passes: Iterable[PassFunction[...] | type[ModulePass]] = (), dialects: Iterable[Dialect] = ()
) -> Universe:
    """Return the value of an entry point `xdsl.universe`: passes and dialects by their names."""
    classes = [each.pass_type if isinstance(each, PassFunction) else each for each in passes]
    return Universe(
        all_passes={each.name: _giving(each) for each in classes},
        all_dialects={each.name: _giving(each) for each in dialects},
    )


def _giving(value: Any) -> Callable[[], Any]:
    return lambda: value


def module_pass(
    name: str,
) -> Callable[[Callable[Concatenate[ModuleOp, P], None]], PassFunction[P]]:
    """Make a pass of a function that changes a module in place.

    Keyword-only arguments are the options: an `int`, `float`, `bool` or `str`, a tuple of these, or
    one of these or None; one without a default must be given. The docstring is the pass's. What
    the function raises becomes an error about the pass and the op at hand; to say more, raise
    `fail_at(op, problem, remedy)`. `replace_op` gives new ops their location. HtpError for a
    function of another form.

    Example: `@module_pass("my-pass")`
    """

    def decorate(function: Callable[Concatenate[ModuleOp, P], None]) -> PassFunction[P]:
        options = options_of(function, 1, f"pass '{name}'")
        return PassFunction(name, function, function, options)

    return decorate


def rewrite_pass(
    name: str,
) -> Callable[[Callable[Concatenate[OpT, PatternRewriter, P], None]], PassFunction[P]]:
    """Make a pass of a function that rewrites one op.

    It is called with each op of the class that annotates its first argument (or `A | B`), and a
    rewriter, until nothing changes. Ops that the rewriter inserts get the location of the op. All
    else is as with `module_pass`. HtpError at an op that is rewritten without end.

    Example: `@rewrite_pass("my-rewrite")`
    """

    def decorate(
        function: Callable[Concatenate[OpT, PatternRewriter, P], None],
    ) -> PassFunction[P]:
        where = f"pass '{name}'"
        options, roots = options_of(function, 2, where), root_of(function, where)

        def work(module: ModuleOp, /, *args: P.args, **values: P.kwargs) -> None:
            def step(op: OpT, rewriter: PatternRewriter) -> None:
                function(op, rewriter, *args, **values)

            rewrite(module, roots, name, step)

        return PassFunction(name, function, work, options)

    return decorate
