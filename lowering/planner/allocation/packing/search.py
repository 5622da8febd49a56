"""Exact offset packing by tree search with conflict-directed backjumping.

The search finds a packing within a capacity, or shows that there is none. It looks for packings in
which no tensor can move down: each is on the ground or on another one. A decision takes a tensor
under which nothing else fits and leaves it where it rests. If that fails, the tensor is lifted: it
is on one of the tensors not yet placed. Each least offset keeps its reason, the decisions that it
follows from; a contradiction goes back to the last decision in its reason.

Cost: exponential in the worst case, limited by a number of placements; each placement looks at
every tensor once, and the tables take tensors squared times reasons.

Example: capacity 3, A (1 byte, step 0), B (1, steps 0-1), C (2, step 1). A is placed at 0, then B
on it at 1: C would be on B at 2 and end at 4. The reason is B's decision, so B is lifted: it is on
C, at 2 or above. C is placed at 0 and B at 2. Without a decision left there would be no packing.

Everything is in integers and nested sequences, so that these functions run as they are on lists,
and compiled on arrays. Resting tensors and bounds per section of time are ideas of MiniMalloc
(Moffitt, ASPLOS 2023); going back by reasons is conflict-directed backjumping (Prosser, 1993).
"""

from typing import Any

from .search_state import Numbers, SearchState, SearchTables, Tensors

FOUND = 1
IMPOSSIBLE = 0
GAVE_UP = 2

BITS = 62
"""Decisions kept in one word of a reason: words stay positive in 64 bits."""


def search_tuples(
    tensors: tuple[Numbers, ...],
    state: tuple[Any, ...],
    tables: tuple[Numbers, ...],
    capacity: int,
    effort: int,
    by_rest: int,
) -> tuple[int, int, int]:
    """Search in plain tuples of the fields: machine code kept on disk names no class that way."""
    return search(
        Tensors(*tensors), SearchState(*state), SearchTables(*tables), capacity, effort, by_rest
    )


def search(
    tensors: Tensors,
    state: SearchState,
    scratch: SearchTables,
    capacity: int,
    effort: int,
    by_rest: int,
) -> tuple[int, int, int]:
    """FOUND, IMPOSSIBLE or GAVE_UP after `effort` placements, the placements, and the level."""
    level = 0
    placements = 0
    while True:
        # Bounds: raise least offsets, and go back at a contradiction.
        if lift(tensors, state, scratch, capacity, level) or overfull(
            tensors, state, scratch, capacity, level
        ):
            level = go_back(tensors, state, scratch)
            if level < 0:
                return IMPOSSIBLE, placements, 0
            continue
        # Decision: place one tensor at its rest.
        tensor = choose(tensors, state, level, by_rest)
        if tensor < 0:
            return FOUND, placements, level
        if placements == effort:
            return GAVE_UP, placements, level
        placements += 1
        level += 1
        place(tensors, state, scratch, tensor, level)


def lift(
    tensors: Tensors, state: SearchState, scratch: SearchTables, capacity: int, level: int
) -> int:
    """Raise lifted tensors to the lowest top of those that may carry them; 1 at a contradiction."""
    changed = True
    while changed:
        changed = False
        for tensor in range(len(tensors.size)):
            if state.lifted[level][tensor] == 0 or state.placed[level][tensor] > 0:
                continue
            carried = lowest_top(tensors, state, tensor, level, capacity)
            if carried <= state.least[level][tensor]:
                continue
            changed = True
            state.least[level][tensor] = carried
            explain_lift(tensors, state, tensor, level, carried)
            widen(scratch.span, tensors.first[tensor], tensors.last[tensor])
            if carried + tensors.size[tensor] > capacity:
                for word in range(len(scratch.conflict)):
                    scratch.conflict[word] = state.why[level][tensor][word]
                return 1
    return 0


def lowest_top(tensors: Tensors, state: SearchState, tensor: int, level: int, capacity: int) -> int:
    """Find the lowest top of unplaced tensors that meet this one; beyond capacity without any."""
    lowest = 2 * capacity + 1
    for index in range(tensors.met_from[tensor], tensors.met_from[tensor + 1]):
        other = tensors.met[index]
        if state.placed[level][other] == 0:
            top = state.least[level][other] + tensors.size[other]
            if top < lowest:
                lowest = top
    return lowest


def explain_lift(
    tensors: Tensors, state: SearchState, tensor: int, level: int, carried: int
) -> None:
    """Write the reason: the lift itself, and the tops of all that it meets."""
    reason = state.why[level][tensor]
    for word in range(len(reason)):
        reason[word] = state.why_lifted[level][tensor][word]
    for index in range(tensors.met_from[tensor], tensors.met_from[tensor + 1]):
        other = tensors.met[index]
        if tensors.size[other] >= carried:
            continue
        placed = state.placed[level][other]
        if placed > 0:
            reason[placed // BITS] |= 1 << (placed % BITS)
        else:
            for word in range(len(reason)):
                reason[word] |= state.why[level][other][word]


def widen(span: Numbers, first: int, last: int) -> None:
    """Extend the sections to check by those from `first` to `last`."""
    if first < span[0]:
        span[0] = first
    if last > span[1]:
        span[1] = last


def overfull(
    tensors: Tensors, state: SearchState, scratch: SearchTables, capacity: int, level: int
) -> int:
    """Return 1 where the unplaced tensors of a section do not fit above their least offsets."""
    sort(scratch.order, state.least[level])
    low, high = scratch.span[0], scratch.span[1]
    for section in range(low, high + 1):
        scratch.tops[section] = 0
    for tensor in scratch.order:
        if state.placed[level][tensor] > 0:
            continue
        least, size = state.least[level][tensor], tensors.size[tensor]
        for section in range(max(low, tensors.first[tensor]), min(high, tensors.last[tensor]) + 1):
            scratch.tops[section] = max(scratch.tops[section], least) + size
            if scratch.tops[section] > capacity:
                explain_overfull(tensors, state, scratch, capacity, level, section)
                return 1
    return 0


def sort(order: Numbers, keys: Numbers) -> None:
    """Sort by insertion: the order hardly changes from one decision to the next."""
    for index in range(len(order)):
        tensor = order[index]
        place_at = index
        while place_at > 0 and keys[order[place_at - 1]] > keys[tensor]:
            order[place_at] = order[place_at - 1]
            place_at -= 1
        order[place_at] = tensor


def explain_overfull(
    tensors: Tensors,
    state: SearchState,
    scratch: SearchTables,
    capacity: int,
    level: int,
    section: int,
) -> None:
    """Write the reason: the least offsets of those above the last gap of the section."""
    for word in range(len(scratch.conflict)):
        scratch.conflict[word] = 0
    top = 0
    for tensor in scratch.order:
        if state.placed[level][tensor] > 0 or not (
            tensors.first[tensor] <= section <= tensors.last[tensor]
        ):
            continue
        if top <= state.least[level][tensor]:
            top = state.least[level][tensor]
            for word in range(len(scratch.conflict)):
                scratch.conflict[word] = 0
        for word in range(len(scratch.conflict)):
            scratch.conflict[word] |= state.why[level][tensor][word]
        top += tensors.size[tensor]
        if top > capacity:
            return


def choose(tensors: Tensors, state: SearchState, level: int, by_rest: int) -> int:
    """Choose the tensor to place next, the lowest or the first in rank; -1 where all are placed."""
    best = -1
    for tensor in range(len(tensors.size)):
        rest = state.rest[level][tensor]
        if (
            state.placed[level][tensor] > 0
            or state.lifted[level][tensor] > 0
            or state.least[level][tensor] > rest
        ):
            continue
        if best >= 0:
            if by_rest > 0 and rest != state.rest[level][best]:
                if rest > state.rest[level][best]:
                    continue
            elif tensors.rank[tensor] > tensors.rank[best]:
                continue
        if nothing_fits_under(tensors, state, tensor, level):
            best = tensor
    return best


def nothing_fits_under(tensors: Tensors, state: SearchState, tensor: int, level: int) -> bool:
    """Say whether each unplaced tensor that meets this one must be above it."""
    rest = state.rest[level][tensor]
    for index in range(tensors.met_from[tensor], tensors.met_from[tensor + 1]):
        other = tensors.met[index]
        top = state.least[level][other] + tensors.size[other]
        if state.placed[level][other] == 0 and top <= rest:
            return False
    return True


def place(
    tensors: Tensors, state: SearchState, scratch: SearchTables, tensor: int, level: int
) -> None:
    """Leave a tensor at its rest as decision `level`; those that it meets then rest on it."""
    copy_level(state, level)
    state.chosen[level] = tensor
    state.placed[level][tensor] = level
    top = state.rest[level][tensor] + tensors.size[tensor]
    scratch.span[0], scratch.span[1] = tensors.first[tensor], tensors.last[tensor]
    for index in range(tensors.met_from[tensor], tensors.met_from[tensor + 1]):
        other = tensors.met[index]
        if state.placed[level][other] > 0:
            continue
        widen(scratch.span, tensors.first[other], tensors.last[other])
        if state.rest[level][other] < top:
            state.rest[level][other] = top
            state.lifted[level][other] = 0
        if state.least[level][other] < top:
            state.least[level][other] = top
            state.why[level][other][level // BITS] |= 1 << (level % BITS)


def copy_level(state: SearchState, level: int) -> None:
    """Start a decision from the facts before it."""
    for tensor in range(len(state.rest[level])):
        state.rest[level][tensor] = state.rest[level - 1][tensor]
        state.least[level][tensor] = state.least[level - 1][tensor]
        state.lifted[level][tensor] = state.lifted[level - 1][tensor]
        state.placed[level][tensor] = state.placed[level - 1][tensor]
        for word in range(len(state.why[level][tensor])):
            state.why[level][tensor][word] = state.why[level - 1][tensor][word]
            state.why_lifted[level][tensor][word] = state.why_lifted[level - 1][tensor][word]


def go_back(tensors: Tensors, state: SearchState, scratch: SearchTables) -> int:
    """Undo the last decision of the conflict and lift its tensor; the level, or -1 without one."""
    decision = last_decision(scratch.conflict)
    if decision == 0:
        return -1
    level = decision - 1
    tensor = state.chosen[decision]
    scratch.conflict[decision // BITS] &= ~(1 << (decision % BITS))
    state.lifted[level][tensor] = 1
    for word in range(len(scratch.conflict)):
        state.why_lifted[level][tensor][word] = (
            scratch.conflict[word] | state.why[level][tensor][word]
        )
    scratch.span[0], scratch.span[1] = tensors.first[tensor], tensors.last[tensor]
    return level


def last_decision(reason: Numbers) -> int:
    """Find the highest bit of a reason; 0 without any: decisions count from 1."""
    for word in range(len(reason) - 1, -1, -1):
        if reason[word] != 0:
            for bit in range(BITS - 1, -1, -1):
                if (reason[word] >> bit) & 1:
                    return word * BITS + bit
    return 0
