"""The two forms of a pass that is a function: of a module, and of one op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from .function import PassFunction
from .options import options_of, root_of
from .rewriting import rewrite

P = ParamSpec("P")
OpT = TypeVar("OpT", bound=Operation)


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
