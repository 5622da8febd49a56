"""A module of the cases of one rule, which the rule rewrites and which runs before and after."""

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ....dialects.dense import Array
from ....dialects.diagnostics import HtpError
from ....dialects.htp.ops.copies import CopyOp
from ....runtime.kernel.library import Library
from ....runtime.session.session import Session
from ..definition.rule import RuleSet
from ..engine.engine import run_rules
from ..graph.env import silent
from .build import Graph, Numbers, Placed, place
from .case import STEPS, DrawnCase

Outputs = Mapping[str, Array]


class NotRun(HtpError):
    """A module that does not run, for want of a kernel or in one: this says nothing of the rule."""


class Trial:
    """A module that holds cases of one rule."""

    def __init__(self, cases: Sequence[DrawnCase], numbers: Numbers = Numbers.DRAWN) -> None:
        graph = Graph(native=not any(case.in_graph for case in cases))
        alone = len(cases) == 1
        self.placed = [
            place(case, graph, "" if alone else f"c{n}_", numbers) for n, case in enumerate(cases)
        ]
        self.module: ModuleOp = graph.module()
        self.inferences = STEPS if any(case.stateful for case in cases) else 1

    def run(self, library: Library | None) -> Outputs:
        """Return all outputs, inferences along a leading axis; NotRun where the module fails."""
        try:
            return self._run(library)
        except HtpError as error:
            raise NotRun(*error.faults) from error

    def _run(self, library: Library | None) -> Outputs:
        # Wherever a tensor is, its numbers are the same: copies that rules place are left out.
        module = self.module
        if any(isinstance(op, CopyOp) for op in module.walk()):
            module = module.clone()
            for op in [op for op in module.walk() if isinstance(op, CopyOp)]:
                Rewriter.replace_op(op, (), [op.operands[0]])
        session = Session(module, library=library)
        outputs: dict[str, list[Array]] = {name: [] for name in session.outputs}
        for step in range(self.inferences):
            feeds = {
                name: array[step] if placed.case.stateful else array
                for placed in self.placed
                for name, array in placed.feeds.items()
            }
            for name, array in session.run(feeds).items():
                outputs[name].append(np.asarray(array))
        return {name: np.stack(arrays) for name, arrays in outputs.items()}

    def rewrite(self, rules: RuleSet) -> None:
        """Run the rule; HtpError where it makes no valid graph."""
        run_rules(self.module, rules, self.placed[0].case.options, report=silent)

    def fired(self, placed: Placed) -> bool:
        """The rule replaced the case's root; a root with effects remains, unread."""
        return placed.root.parent is None or not placed.root.results[0].uses
