"""The origin of a prepared graph's nodes: the node of the model, and the place in the user's code.

The place is the line of Python and the module, which PyTorch's exporter keeps in the metadata of
nodes.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from onnx import GraphProto, NodeProto
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, LocationAttr, StringAttr

from .....dialects.locations import Origin, inside, named
from ....importers.support.attributes import key_of

_FRAME = re.compile(r'File "(.+?)", line (\d{1,9})')
_OURS = Path(__file__).parents[2] / "torch"
_LIBRARY = re.compile(
    r"-packages[/\\]torch[/\\]|[/\\]torch[/\\](nn[/\\]|_)|"
    r"htp_mlir[/\\]lowering[/\\]frontend[/\\]torch[/\\]|" + re.escape(str(_OURS))
)
"""In the path of a file of PyTorch, installed or in its sources, or of the block ops as modules.

A user may have a folder torch.
"""


@dataclass(frozen=True)
class UserPlace:
    """`file:line` of the user's Python, and the path of the module; each is empty if unknown."""

    line: str = ""
    module: str = ""

    def __str__(self) -> str:
        """Return the place for the end of a name: ` in encoder.gru at net.py:7`."""
        return inside(self.module) + (f" at {self.line}" if self.line else "")

    @property
    def location(self) -> LocationAttr:
        """The place as a location, at the first column."""
        file, _, number = self.line.rpartition(":")
        at = UNKNOWN_LOC
        if file:
            at = FileLineColLoc(StringAttr(file), IntAttr(int(number)), IntAttr(1))
        return named(self.module, at) if self.module else at


def user_line(trace: str) -> str:
    """Return `file:line` of the innermost frame of a trace that is the user's; else empty."""
    frames = _FRAME.findall(trace)
    own = [frame for frame in frames if not _LIBRARY.search(frame[0])]
    return ":".join((own or frames)[-1]) if frames else ""


TRACE = "pkg.torch.onnx.stack_trace"
"""The key of the lines of Python, innermost last."""
SCOPES = "pkg.torch.onnx.name_scopes"
"""The key of the modules that a node is inside of, outermost first, and its name in the program."""
_SCOPE = re.compile(r"'([^'\n]*)'")


def scopes_of(node: NodeProto) -> list[str]:
    """Return the paths of the modules around a node, then its name; nothing where none are kept."""
    told = (entry.value for entry in node.metadata_props if entry.key == SCOPES)
    return _SCOPE.findall(next(told, ""))


def user_place(node: NodeProto) -> UserPlace:
    """Return the user's line of Python and the module that a node comes from."""
    traces = (entry.value for entry in node.metadata_props if entry.key == TRACE)
    return UserPlace(user_line(next(traces, "")), *scopes_of(node)[-2:-1])


def copy_place(source: NodeProto, node: NodeProto) -> None:
    """Give a node the place of another one, unless it has its own."""
    if user_place(node) == UserPlace():
        kept = [entry for entry in source.metadata_props if entry.key in (TRACE, SCOPES)]
        node.metadata_props.extend(kept)


def write_place(origin: Origin, node: NodeProto) -> None:
    """Write the place of an origin into a node."""
    if origin.position:
        file, line, _ = origin.position.rsplit(":", 2)
        node.metadata_props.add(key=TRACE, value=f'File "{file}", line {line}')
    if origin.module:
        scopes = ["", origin.module, origin.node]
        node.metadata_props.add(key=SCOPES, value=str(scopes))


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
