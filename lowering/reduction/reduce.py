"""Reduction of a module by delta debugging, as mlir-reduce does it.

Each kind of edit lists its sites: functions, ops, outputs, constants and so on. A bisection finds
the first op that the function may end at. Most edits are tried on all sites at once, then on
halves, down to single ones; a smaller module that verifies and
still fails is the new best, and the search goes on from there. It ends where no edit helps, or
after a number of trials; a module of n sites takes about n * log2(n). Nothing is drawn at random.

Example: of the ops a, b, c, d only c fails. Without a and b it fails, without c and d it does not,
without d it does: c alone is left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import prod

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import HtpError
from ...dialects.text.printer import ModulePrinter
from .edits import EDITS, Edit, Search
from .one_function import NotPossible

Fails = Callable[[str], bool]
"""Tells whether the text of a module still shows the fault."""
Size = tuple[int, int, int]


@dataclass(frozen=True)
class Progress:
    """The progress of a reduction: the kind of edit, the trials, and the ops that are left."""

    edit: str
    trials: int
    ops: int


@dataclass(frozen=True)
class Best:
    """A module that fails, with its text."""

    module: ModuleOp
    text: str

    @property
    def size(self) -> Size:
        """The number of ops and arguments, that of elements of all results, that of letters."""
        ops = list(self.module.walk())
        arguments = sum(len(block.args) for op in ops for r in op.regions for block in r.blocks)
        return len(ops) + arguments, sum(map(_elements, ops)), len(self.text)

    @property
    def ops(self) -> int:
        """The number of ops, functions and the module included."""
        return sum(1 for _ in self.module.walk())


class Reducer:
    """A search for a smaller module that fails; `best` is the smallest so far.

    `keep` is called with each new best, `show` before each trial.
    """

    def __init__(
        self,
        module: ModuleOp,
        fails: Fails,
        limit: int,
        keep: Callable[[Best], None],
        show: Callable[[Progress], None],
    ) -> None:
        self.best = Best(module, text_of(module))
        self.trials = 0
        self._fails, self._limit = fails, limit
        self._keep, self._show = keep, show
        self._tried = {self.best.text}

    @property
    def is_out(self) -> bool:
        """Tell whether the trials are used up."""
        return self.trials >= self._limit

    def run(self) -> None:
        """Try all kinds of edits until none makes the module smaller."""
        settled: set[str] = set()
        while len(settled) < len(EDITS) and not self.is_out:
            for edit in EDITS:
                before = self.best.text
                if edit.name not in settled:
                    self._search(edit)
                settled = {*settled, edit.name} if before == self.best.text else set()

    def _search(self, edit: Edit) -> None:
        """Try a kind of edit on its sites."""
        count = len(edit.sites(self.best.module))
        if edit.search is Search.FIRST:
            self._first_site(edit, count)
            return
        chunk = count if edit.search is Search.CHUNKS else 1
        while chunk and not self.is_out:
            start = 0
            while start < len(edit.sites(self.best.module)) and not self.is_out:
                # After an edit other sites stand at this place.
                if not self._try(edit, range(start, start + chunk)):
                    start += chunk
            chunk //= 2

    def _first_site(self, edit: Edit, count: int) -> None:
        """Try a kind of edit on the first site that takes it, as if all behind that one did."""
        low, high = 0, count - 1
        while low < high and not self.is_out:
            middle = (low + high) // 2
            if self._try(edit, range(middle, middle + 1)):
                high = min(middle, len(edit.sites(self.best.module)) - 1)
                low = 0 if high < middle else low
            else:
                low = middle + 1

    def _try(self, edit: Edit, chosen: Sequence[int]) -> bool:
        """Try an edit on the sites of these numbers; tell whether it is the new best."""
        module = self.best.module.clone()
        sites = edit.sites(module)[chosen[0] : chosen[-1] + 1]
        try:
            edit.apply(module, sites)
            module.verify()
        except (NotPossible, VerifyException, HtpError):
            return False
        candidate = Best(module, text_of(module))
        if candidate.text in self._tried or candidate.size >= self.best.size:
            return False
        self._tried.add(candidate.text)
        self.trials += 1
        self._show(Progress(edit.name, self.trials, self.best.ops))
        if not self._fails(candidate.text):
            return False
        self.best = candidate
        self._keep(candidate)
        return True


def text_of(module: ModuleOp) -> str:
    """Print a module."""
    stream = StringIO()
    ModulePrinter(stream).print_op(module)
    return f"{stream.getvalue()}\n"


def _elements(op: Operation) -> int:
    count = 0
    for value in op.results:
        count += prod(value.type.get_shape()) if isinstance(value.type, TensorType) else 1
    return count
