"""The kernels of native ops and the evaluators of graph ops that programs use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...dialects.faults.arguments import a
from .evaluators import Evaluator, StatefulEvaluator
from .kernel import Kernel
from .registry import KernelRegistry


@dataclass(frozen=True)
class Library:
    """Kernels by op (`htp.Add`), evaluators by the mnemonic of the graph op (`Conv2d`)."""

    kernels: KernelRegistry
    graph: Mapping[str, Evaluator]
    stateful: Mapping[str, StatefulEvaluator]

    def extended(self, *sets: Iterable[Kernel], cpp: Iterable[str] = ()) -> Library:
        """Add the kernels of user packages; without any, return the library itself.

        `cpp` are the packages that are written in C++.
        """
        return replace(self, kernels=self.kernels.extended(sets, cpp)) if sets else self


LIBRARY = a("a library", Library, remedy="give that of packages: .library")
"""The kind of an argument that is a library."""
