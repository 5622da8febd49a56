"""Main memory or TCM: the fewest bytes between the two, within the room."""

from dataclasses import replace

from htp_mlir.dialects.value.spec import (
    CROUTON_DDR,
    CROUTON_TCM,
    FLAT_DDR,
    FLAT_TCM,
    LayoutKind,
    Place,
)
from htp_mlir.lowering.planner.placement.layouts import (
    Move,
    PlacementOp,
    PlacementOption,
    PlacementTensor,
)
from htp_mlir.lowering.planner.placement.places import TcmBudget
from htp_mlir.lowering.planner.placement.plan import plan

ROOM = TcmBudget(tensor=50_000, op=100_000)
LARGE, SMALL = 60_000, 10_000
D, T = FLAT_DDR, FLAT_TCM
TAKE = Move((SMALL,), joins=False, in_place=frozenset({LayoutKind.FLAT}))


def item(size: int, place: Place | None = None, *, constant: bool = False) -> PlacementTensor:
    return PlacementTensor({LayoutKind.FLAT: size, LayoutKind.CROUTON: size}, place, constant)


def fixed(reads: tuple[int, ...], makes: tuple[int, ...], *places: Place) -> PlacementOp:
    """An op that says where everything lies."""
    return PlacementOp(reads, makes, (tuple((place,) for place in places),), (False,) * len(places))


def open_(
    reads: tuple[int, ...], result: int, move: Move | None, *ways: PlacementOption
) -> PlacementOp:
    """An op that leaves all memories open, flat if nothing else is said."""
    count = len(reads) + 1
    return PlacementOp(reads, (result,), ways or (((D, T),) * count,), (True,) * count, move)


def test_a_slice_goes_straight_to_the_op_in_tcm() -> None:
    items = [item(LARGE, D), item(SMALL), item(SMALL)]
    planned = plan(items, [open_((0,), 1, TAKE), fixed((1,), (2,), T, T)], ROOM)
    assert planned.places[0] == (D, T)


def test_a_slice_for_main_memory_stays_there() -> None:
    items = [item(LARGE, D), item(SMALL), item(SMALL)]
    planned = plan(items, [open_((0,), 1, TAKE), fixed((1,), (2,), D, D)], ROOM)
    assert planned.places[0] == (D, D)


def test_a_whole_tensor_is_not_copied_for_slices_of_it() -> None:
    items = [item(LARGE // 2, D), *(item(SMALL) for _ in range(12))]
    takes = [open_((0,), part, TAKE) for part in range(1, 7)]
    uses = [fixed((part,), (part + 6,), T, T) for part in range(1, 7)]
    assert {places[0] for places in plan(items, [*takes, *uses], ROOM).places[:6]} == {D}


def test_what_an_op_goes_over_at_each_step_is_copied_once() -> None:
    items = [item(SMALL, D, constant=True), item(SMALL)]
    for passes, place in ((1, D), (16, T)):
        step = PlacementOp((0,), (1,), (((D, T), (T,)),), (True, False), passes=(passes,))
        assert plan(items, [step], ROOM).places[0] == (place, T)


def test_open_ops_between_ops_in_tcm_make_no_round_trip() -> None:
    items = [item(SMALL, D), *(item(SMALL) for _ in range(4))]
    planned = plan(
        items,
        [
            fixed((0,), (1,), T, T),
            open_((1,), 2, TAKE),
            open_((2,), 3, None),
            fixed((3,), (4,), T, T),
        ],
        ROOM,
    )
    assert planned.places[1:3] == ((T, T), (T, T))


def test_a_result_above_its_share_stays_out_though_its_readers_want_tcm() -> None:
    items = [item(LARGE, D), item(LARGE), item(LARGE)]
    planned = plan(items, [open_((0,), 1, None), fixed((1,), (2,), T, T)], ROOM)
    assert planned.places[0] == (D, D)


def test_a_slice_above_its_share_goes_to_tcm_where_it_is_read_there_anyhow() -> None:
    items = [item(2 * LARGE, D), item(LARGE), item(SMALL)]
    large = Move((LARGE,), joins=False, in_place=frozenset({LayoutKind.FLAT}))
    for reader, place in ((fixed((1,), (2,), T, T), T), (open_((1,), 2, None), D)):
        assert plan(items, [open_((0,), 1, large), reader], ROOM).places[0] == (D, place)


def test_a_result_of_just_its_share_goes_to_tcm() -> None:
    items = [item(LARGE, D), item(ROOM.tensor), item(SMALL)]
    planned = plan(items, [open_((0,), 1, None), fixed((1,), (2,), T, T)], ROOM)
    assert planned.places[0] == (D, T)


def test_what_an_op_holds_together_has_room() -> None:
    """Of three tensors in TCM the largest leaves, not the result."""
    items = [*(item(size) for size in (45_000, 40_000)), item(30_000), item(SMALL)]
    steps = [
        fixed((), (0,), T),
        fixed((), (1,), T),
        open_((0, 1), 2, None),
        fixed((2,), (3,), T, T),
    ]
    assert plan(items, steps, ROOM).places[2] == (D, T, T)


def test_scratch_has_room_beside_them() -> None:
    """Both operands and the result fit together, and with some scratch; not with more of it."""
    items = [item(40_000), item(30_000), item(20_000), item(SMALL)]
    places = []
    for scratch in (0, 6_144, 8_192):
        op = replace(open_((0, 1), 2, None), scratch=scratch)
        steps = [fixed((), (0,), T), fixed((), (1,), T), op, fixed((2,), (3,), T, T)]
        places.append(plan(items, steps, ROOM).places[2])
    assert places == [(T, T, T), (T, T, T), (D, T, T)]


def test_parts_go_to_main_memory_before_they_are_joined_there() -> None:
    """Joining in place needs no copy, and the parts need not wait in TCM."""
    join = Move((SMALL, SMALL), joins=True, in_place=frozenset({LayoutKind.FLAT}))
    items = [item(SMALL), item(SMALL), item(2 * SMALL)]
    steps = [fixed((), (0,), T), fixed((), (1,), T), open_((0, 1), 2, join), fixed((2,), (), D)]
    assert plan(items, steps, ROOM).places[2] == (D, D, D)


def test_a_join_that_is_read_in_tcm_is_made_there_whatever_it_takes() -> None:
    join = Move((SMALL, LARGE), joins=True, in_place=frozenset({LayoutKind.FLAT}))
    items = [item(SMALL), item(LARGE), item(SMALL + LARGE), item(SMALL)]
    steps = [fixed((), (0,), T), fixed((), (1,), D), open_((0, 1), 2, join)]
    assert plan(items, [*steps, fixed((2,), (3,), T, T)], ROOM).places[2][2] == T
    assert plan(items, [*steps, fixed((2,), (3,), D, D)], ROOM).places[2][2] == D


def test_a_result_that_overwrites_an_operand_takes_no_room() -> None:
    items = [item(45_000), item(45_000), item(45_000), item(SMALL)]
    makers = [fixed((), (0,), T), fixed((), (1,), T)]
    for onto, place in ((frozenset({0}), T), (frozenset[int](), D)):
        add = replace(open_((0, 1), 2, None), onto=onto)
        planned = plan(items, [*makers, add, fixed((2,), (3,), T, T)], ROOM)
        assert planned.places[2][0] == place


def test_parts_that_are_joined_by_a_copy_are_read_where_they_are() -> None:
    join = Move((SMALL, SMALL), joins=True, in_place=frozenset())
    items = [item(SMALL), item(SMALL), item(2 * SMALL)]
    steps = [fixed((), (0,), T), fixed((), (1,), T), open_((0, 1), 2, join), fixed((2,), (), D)]
    assert plan(items, steps, ROOM).places[2] == (T, T, D)


def test_a_tensor_is_where_its_layout_changes() -> None:
    """In TCM, where both forms fit there: only the result of the change moves."""
    for size, place in ((SMALL, T), (LARGE, D)):
        items = [item(size, D), item(size), item(size)]
        source = open_((0,), 1, None, ((D,), (D, T)))
        crouton = fixed((1,), (2,), CROUTON_DDR, CROUTON_DDR)
        planned = plan(items, [source, crouton], replace(ROOM, tensor=LARGE))
        assert planned.places[0] == (D, place)
        assert planned.converted == size


def test_what_several_ops_read_is_copied_once() -> None:
    for readers, place in ((1, D), (2, T)):
        items = [item(SMALL, D, constant=True), *(item(SMALL) for _ in range(readers))]
        steps = [
            PlacementOp((0,), (n + 1,), (((D, T), (T,)),), (True, False)) for n in range(readers)
        ]
        assert plan(items, steps, ROOM).places[0] == (place, T)


def test_layouts_come_first_then_memories() -> None:
    ways = (((D, T), (D, T)), ((CROUTON_DDR, CROUTON_TCM),) * 2)
    items = [item(SMALL), item(SMALL), item(SMALL)]
    steps = [
        fixed((), (0,), CROUTON_TCM),
        open_((0,), 1, None, *ways),
        fixed((1,), (2,), CROUTON_TCM, CROUTON_TCM),
    ]
    planned = plan(items, steps, ROOM)
    assert planned.places[1] == (CROUTON_TCM, CROUTON_TCM)
    assert planned.converted == 0


def test_without_room_the_only_kernel_is_taken_all_the_same() -> None:
    items = [item(LARGE, D), item(LARGE)]
    only = open_((0,), 1, None, ((T,), (T,)))
    assert plan(items, [only], ROOM).places == ((T, T),)


def test_where_one_of_two_has_room_it_is_what_is_made_in_tcm() -> None:
    """No minimum cut knows "one of two": the kernel that reads it there comes first."""
    items = [item(SMALL, D), item(SMALL, D), item(SMALL), item(SMALL)]
    make = open_((0,), 2, None)
    kernels = ((T,), (D,), (T,)), ((D,), (T,), (T,))
    planned = plan(items, [make, open_((1, 2), 3, None, *kernels)], ROOM)
    assert planned.places == ((D, T), (D, T, T))


def test_a_view_of_what_is_made_in_tcm_is_there_before_a_constant() -> None:
    view = Move((LARGE // 2,), joins=False, in_place=frozenset({LayoutKind.FLAT}))
    items = [
        item(LARGE // 2, D),
        item(LARGE // 2),
        item(LARGE // 2),
        item(LARGE // 2, D, constant=True),
        item(LARGE // 2),
    ]
    kernels = ((D,), (D,), (D, T)), ((D,), (T,), (D, T)), ((T,), (D,), (T,)), ((T,), (T,), (T,))
    steps = [
        open_((0,), 1, None, ((D,), (T,))),
        open_((1,), 2, view),
        open_((2, 3), 4, None, *kernels),
    ]
    planned = plan(items, steps, replace(ROOM, op=LARGE + 10_000))
    assert planned.places == ((D, T), (T, T), (T, D, T))


def test_a_large_operand_of_many_ops_is_copied_once() -> None:
    items = [item(LARGE, D, constant=True), *(item(SMALL) for _ in range(4))]
    steps = [PlacementOp((0,), (n,), (((D, T), (T,)),), (True, False)) for n in range(1, 5)]
    assert {places[0] for places in plan(items, steps, ROOM).places} == {T}
    assert plan(items[:2], steps[:1], ROOM).places[0] == (D, T)
