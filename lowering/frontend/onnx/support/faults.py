"""Faults of one node, which its importer raises."""

from __future__ import annotations


class NodeFault(Exception):
    """A fault of the node at hand, with a remedy."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


class UnknownInput(Exception):
    """An input comes from a node that has a fault of its own: nothing more to say here."""


Refusal = NodeFault | UnknownInput
