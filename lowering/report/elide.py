"""Printing for reading: constants of many elements as a handle."""

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from ...dialects.text.printer import ELIDED, Handles, is_splat


def elided(limit: int) -> Handles:
    """Return a choice of handles: `__elided__` for data of more than `limit` elements, no splats.

    The text is for people: a constant is there with its type, without its data.
    """

    def handle_of(dense: DenseIntOrFPElementsAttr) -> str | None:
        return ELIDED if len(dense) > limit and not is_splat(dense) else None

    return handle_of
