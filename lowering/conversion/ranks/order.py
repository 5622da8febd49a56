"""An order of dims as a sequence of moves of at most four blocks.

Algorithm: greedy block moves. A move cuts the dims into four runs and orders these; of all moves
the one is taken behind which most neighbours of the result stand side by side. A move can always
join two of them, so each one leaves a shorter order. Cost: 24 orders of each choice of three cuts.
For [0, 2, 4, 1, 3],

    (a)(b)(c)(d e) -> (a c)(b d)(e) -> a c e b d

takes two moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations

Order = tuple[int, ...]


def first_move(order: Sequence[int], blocks: int) -> tuple[Order, Order]:
    """Return the first of the moves that an order takes, and the order that is left."""
    moves = _moves(len(order), blocks)
    choices = ((move, tuple(move.index(dim) for dim in order)) for move in moves)
    # The best move leaves the fewest runs of neighbours, that is, the most that lies together.
    return min(choices, key=lambda pair: sum(b != a + 1 for a, b in pairwise(pair[1])))


def _moves(rank: int, blocks: int) -> Iterator[Order]:
    for cuts in combinations(range(1, rank), blocks - 1):
        runs = [range(low, high) for low, high in pairwise((0, *cuts, rank))]
        for ordered in permutations(runs):
            yield tuple(dim for run in ordered for dim in run)
