"""The ops that parts of rules name, and among them the ops that are known by name only."""

from collections.abc import Iterable, Iterator

from ....dialects.htp import NATIVE_OPS, NativeOp
from ....dialects.htp.named import named_op
from ..graph.names import DEFAULT_PACKAGE, resolve
from ..tree.expr import Expr, OpForm, text_of, walk
from ..tree.function import Call

_NAMING = {"WrapOp": 0, "WrapOpAlways": 0, "PRODUCER_FOR": 1}
"""Functions of the language with the index of the operand that is an op's name."""


def ops_of(package: str, expr: Expr) -> dict[str, str]:
    """Return the ops that a part of a package's rule names, by IR name, as the rule writes them."""
    return {resolve(name, package): name for name in _written(expr)}


def named_ops(package: str, trees: Iterable[Expr]) -> dict[str, type[NativeOp]]:
    """Return the native ops without a class of their own that a package's rule names."""
    mnemonics = (
        op.removeprefix(f"{DEFAULT_PACKAGE}.")
        for tree in trees
        for op in ops_of(package, tree)
        if op.startswith(f"{DEFAULT_PACKAGE}.")
    )
    classes = (named_op(mnemonic) for mnemonic in mnemonics if mnemonic not in NATIVE_OPS)
    return {op.name: op for op in classes if op is not None}


def _written(expr: Expr) -> Iterator[str]:
    """Yield the op names of an expression."""
    for part in walk(expr):
        if isinstance(part, OpForm):
            yield part.name
        elif isinstance(part, Call) and part.function.name in _NAMING:
            yield text_of(part.args[_NAMING[part.function.name]])
