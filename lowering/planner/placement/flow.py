"""Minimum cut of a network by push and relabel, from the sink to the source.

At first each arc into the sink is full: what it carries is a demand of its tail. A node meets its
demand from nodes that are nearer to the source, whose demand it becomes; where they have no room,
the node is farther from the source than it was thought to be. The distances are measured again
after as many changes as a quarter of the nodes. A demand that the source cannot reach stays. In the
end the source has been asked for the capacity of the cut, and the nodes that it still reaches are
on its side of every minimum cut.

Cost: O(n^3) for n nodes, in theory; near to the number of arcs for placements. Numbers are exact.

Example: source -> a -> sink with 5 and 3 bytes. The sink asks a for 3, a asks the source, which
gives 3 of its 5: the cut is 3, and a is on the side of the source.
"""

from collections.abc import Mapping

SOURCE, SINK = 0, 1
NODES_PER_MOVE = 4
"""The nodes per change of a distance, from which on all distances are measured again."""


def minimum_cut(
    count: int, capacities: Mapping[tuple[int, int], int]
) -> tuple[int, frozenset[int]]:
    """Find the capacity of the minimum cut, and the nodes that are on the source side of each one.

    Nodes are numbered below `count`; `capacities` are those of the arcs by tail and head.
    """
    flow = _Flow(count, capacities)
    flow.run()
    return flow.demand[SOURCE], frozenset(node for node in range(count) if flow.reached(node))


class _Flow:
    """Demands and distances of the nodes, and the room left in the arcs into each of them.

    Arc `arc ^ 1` is the same one the other way round.
    """

    def __init__(self, count: int, capacities: Mapping[tuple[int, int], int]) -> None:
        self.count = count
        self.demand = [0] * count
        self._tails: list[int] = []
        self._room: list[int] = []
        self._into: list[list[int]] = [[] for _ in range(count)]
        for (tail, head), capacity in capacities.items():
            back = capacities.get((head, tail), 0)
            if tail < head or (head, tail) not in capacities:
                self._into[head].append(len(self._tails))
                self._into[tail].append(len(self._tails) + 1)
                self._tails += tail, head
                self._room += capacity, back

    def _measure(self) -> None:
        """Count the steps from the source to each node; as many as there are nodes is too far."""
        self._first = [0] * self.count
        self._distance = distance = [self.count] * self.count
        distance[SOURCE] = 0
        queue = [SOURCE]
        for node in queue:
            for arc in self._into[node]:
                head = self._tails[arc]
                if self._room[arc ^ 1] and distance[head] == self.count:
                    distance[head] = distance[node] + 1
                    queue.append(head)

    def reached(self, node: int) -> bool:
        """Tell whether the source still reaches a node."""
        return self._distance[node] < self.count

    def run(self) -> None:
        """Meet all demands that the source reaches."""
        # Each arc into the sink is used in full; the nodes before it are asked for that.
        asked = [self._tails[arc] for arc in self._into[SINK]]
        for arc in self._into[SINK]:
            self._carry(arc, self._room[arc])
        self._measure()
        moves = 0
        while asked := [node for node in asked if 0 < self._distance[node] < self.count]:
            following: list[int] = []
            for node in asked:
                if not self._meet(node, following):
                    self._move_away(node)
                    following.append(node)
                    moves += 1
            asked = following
            if moves * NODES_PER_MOVE > self.count:
                self._measure()
                moves = 0
        self._measure()

    def _meet(self, node: int, asked: list[int]) -> bool:
        """Ask the nodes one step nearer to the source; False where they have too little room."""
        arcs, nearer = self._into[node], self._distance[node] - 1
        for index in range(self._first[node], len(arcs)):
            arc = arcs[index]
            tail = self._tails[arc]
            if self._room[arc] and self._distance[tail] == nearer:
                if not self.demand[tail]:
                    asked.append(tail)
                amount = min(self.demand[node], self._room[arc])
                self.demand[node] -= amount
                self._carry(arc, amount)
                if not self.demand[node]:
                    self._first[node] = index
                    return True
        return False

    def _move_away(self, node: int) -> None:
        """Put a node one step behind the nearest node that it can ask."""
        tails = [self._tails[arc] for arc in self._into[node] if self._room[arc]]
        self._distance[node] = 1 + min(self._distance[tail] for tail in tails)
        self._first[node] = 0

    def _carry(self, arc: int, amount: int) -> None:
        """Let an arc carry more, which its tail must get."""
        self._room[arc] -= amount
        self._room[arc ^ 1] += amount
        self.demand[self._tails[arc]] += amount
