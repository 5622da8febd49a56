"""Taps of a convolution that read padding alone are left out, and no others."""

from itertools import product

import pytest
from htp_mlir.lowering.patterns.groups import TAP_RULES
from htp_mlir.lowering.rules import Node, run_rules
from htp_mlir.runtime import Session

from tests.lowering.rules.kit import find
from tests.support.feeds import assert_same, feeds

from .raw_examples import windowed


def read(size: int, taps: int, window: tuple[int, ...]) -> list[bool]:
    """Tell of each tap whether its first and last place are neither both above nor both below."""
    stride, spacing, before, after = window
    count = (size + before + after - spacing * (taps - 1) - 1) // stride + 1
    firsts = (tap * spacing - before for tap in range(taps))
    return [first < size and first + stride * (count - 1) >= 0 for first in firsts]


@pytest.mark.parametrize("size", [1, 3, 7])
def test_outer_taps_that_read_padding_alone_are_left_out(size: int) -> None:
    fired = 0
    for taps, *window in product((1, 2, 3, 5), (1, 2), (1, 2, 9), (0, 1, 9), (0, 3, 9)):
        _, spacing, before, after = window
        own = read(size, taps, (*window,))
        if size + before + after <= spacing * (taps - 1) or not any(own):
            continue
        module = windowed("Conv2d", (1, size, size, 2), (taps, taps, 2, 3), (*window,))
        inputs = feeds(Session(module))
        wanted = Session(module).run(inputs)
        fired += run_rules(module, TAP_RULES).firings
        # A tap goes with the padding that is as far apart as taps are.
        left = Node(find(module, "Conv2d").operands[1]).shape[0]
        first, last = own.index(True), taps - 1 - own[::-1].index(True)
        spare = min(first, before // spacing) + min(taps - 1 - last, after // spacing)
        assert left == taps - spare, (taps, window)
        assert_same(Session(module).run(inputs), wanted)
    assert fired


def test_filters_of_which_no_tap_reads_the_image_stay() -> None:
    module = windowed("Conv2d", (1, 1, 1, 2), (4, 4, 2, 3), (9, 1, 4, 4))
    assert not any(read(1, 4, (9, 1, 4, 4)))
    assert not run_rules(module, TAP_RULES).firings
