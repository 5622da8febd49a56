"""Tables of the offset search: what it reads, what it knows after each decision, and scratch."""

from typing import NamedTuple

Numbers = list[int]
Table = list[list[int]]


class Tensors(NamedTuple):
    """The tensors to pack: the size, and the first and last section of time, of each.

    Those that tensor i meets are `met[met_from[i]:met_from[i + 1]]`.
    """

    size: Numbers
    first: Numbers
    last: Numbers
    met_from: Numbers
    met: Numbers
    rank: Numbers


class SearchState(NamedTuple):
    """The facts after a number of decisions: [decisions][tensor], reasons with words on top.

    `rest` is the offset at which a tensor rests on what is placed, `least` its least offset;
    `lifted` is 1 where it is known not to be at its rest; `placed` is its decision, or 0.
    """

    rest: Table
    least: Table
    lifted: Table
    placed: Table
    why: list[Table]
    why_lifted: list[Table]
    chosen: Numbers


class SearchTables(NamedTuple):
    """`order`: tensors by least offset; `tops`: a bound per section; `span`: sections to check."""

    order: Numbers
    tops: Numbers
    span: Numbers
    conflict: Numbers
