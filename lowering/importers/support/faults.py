"""Faults of one node, which its importer raises."""

_CHANGE = "change it in the model, or express the node in other ops"
MAKE_CONSTANT = "make it an initializer, or fix an input: htp-opt --const NAME=VALUE"
"""The remedy for what has to be known when a model is imported."""


class NodeFault(Exception):
    """A fault of the node at hand, with a remedy."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy or _CHANGE


class UnknownInput(Exception):
    """An input comes from a node that has a fault of its own: nothing more to say here."""


Refusal = NodeFault | UnknownInput


def require(condition: bool, problem: str, remedy: str = "") -> None:
    """Raise a NodeFault, which names the node at hand, unless the condition holds."""
    if not condition:
        raise NodeFault(problem, remedy)


def counted_axis(axis: int, rank: int) -> int:
    """Return the attribute `axis`, counted from the front; NodeFault where no dim is there."""
    require(-rank <= axis < rank, f"attribute 'axis' is {axis}, the rank is {rank}")
    return axis % rank
