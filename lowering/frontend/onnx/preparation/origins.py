"""The nodes of a model that the nodes of its prepared graph represent."""

from onnx import GraphProto, NodeProto
from xdsl.dialects.builtin import LocationAttr

from .....dialects.locations import named
from ....importers.support.attributes import key_of
from .user_places import copy_place, user_place

Owned = list[tuple[NodeProto, int]]
"""Prepared nodes, each with the index of the node of the model that it represents."""


def node_owners(original: GraphProto, prepared: GraphProto) -> tuple[Owned, dict[str, int]]:
    """Return the owners of the prepared nodes, and of the values that these read.

    A node belongs to the one that makes its output. What only a function, a body or the conversion
    of opsets makes belongs to the node that the next known value down the graph belongs to.
    """
    makers = {name: index for index, node in enumerate(original.node) for name in node.output}
    readers: dict[str, int] = {}
    owned: Owned = []
    for node in reversed(prepared.node):
        written = [makers[name] for name in node.output if name and name in makers]
        read = [readers[name] for name in node.output if name in readers]
        for owner in (written + read)[:1]:
            owned.append((node, owner))
            for name in node.input:
                readers.setdefault(name, owner)
    return owned, readers


def node_locations(original: GraphProto, prepared: GraphProto) -> dict[str, LocationAttr]:
    """Map the first output of each prepared node to the location of its node of the model.

    The location has the user's place where the exporter kept it; so gets the node.
    """
    owned, _ = node_owners(original, prepared)
    for node, index in owned:
        copy_place(original.node[index], node)
    owners = {index: original.node[index] for _, index in owned}
    locations = {index: location_of_node(node) for index, node in owners.items()}
    return {key_of(node): locations[index] for node, index in owned}


def location_of_node(node: NodeProto) -> LocationAttr:
    """Return the location of a node: its name, or its first output's, and the user's place."""
    return named(node.name or key_of(node), user_place(node).location)
