"""Trials on the examples of ops: which dims belong together, and what a param says."""

from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.lowering.rules.soundness.schemas.examples import Relations, relations, shown
from htp_mlir.lowering.rules.soundness.schemas.related import OperandRow

PARAM = OperandRow(places=(0,))


def of(name: str, *params: tuple[int, int]) -> Relations:
    """The relations of an op whose last operands are params of one number, each in a range."""
    data = len(shown(NATIVE_OPS[name])) - len(params)
    rows = (*[OperandRow()] * data, *[PARAM] * len(params))
    return relations(NATIVE_OPS[name], rows, (*[()] * data, *[(reach,) for reach in params]))


def test_dims_that_have_to_be_equal_are_one_letter() -> None:
    # A row of codes, its scales, and the row that they decode to.
    known = of("DecodeWeights")
    (rows,) = (letter for letter in known.letters if (0, 2) in letter.operands)
    assert rows.operands == {(0, 2): 1, (2, 2): 1}
    assert rows.results == {(0, 2): 1}


def test_multiples_go_with_their_letter() -> None:
    # Four gates of a hidden size h: W [4 * h, n], R [4 * h, h].
    example = shown(NATIVE_OPS["Lstm"])
    rows = tuple(PARAM if own.dims == (1, 1, 1, 1) else OperandRow() for own in example)
    reach = tuple(((0, 2),) if row is PARAM else () for row in rows)
    (hidden,) = (
        letter
        for letter in relations(NATIVE_OPS["Lstm"], rows, reach).letters
        if (2, 3) in letter.operands
    )
    assert {hidden.operands[place] for place in ((1, 2), (2, 2))} == {4}
    assert hidden.operands[2, 3] == hidden.results[0, 3] == 1


def test_a_dim_that_may_be_one_broadcasts() -> None:
    # Of a mask that is added to the scores, and of nothing else in an Attention.
    params = (0, 1), (0, 1), (-1, 2), (-1, 2)
    free = of("Attention", *params).free
    assert {(3, 2), (3, 3)} <= free
    assert not {(0, 2), (0, 3), (1, 2), (2, 3)} & free


def test_the_number_of_a_param_is_a_dim_of_the_result() -> None:
    known = of("TopK", (1, 5), (0, 2))
    assert known.stated == {(1, 0): (0, 3)}
    assert (0, 3) in known.places


def test_a_number_that_cannot_change_is_fixed() -> None:
    # The groups of a transposed convolution, whose filters have the depth of the data.
    reaches = [(1, 4)] * 2, [(0, 3)] * 4, [(0, 2)] * 2, [(1, 4)]
    params = [OperandRow(places=tuple(range(len(each)))) for each in reaches]
    rows = (*[OperandRow()] * 3, *params)
    known = relations(NATIVE_OPS["TransposeConv2d"], rows, (*[()] * 3, *map(tuple, reaches)))
    assert known.fixed == {(6, 0): 1}
