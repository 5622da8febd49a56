"""The user's places of nodes, in the metadata in which PyTorch's exporter keeps them."""

import re

from onnx import NodeProto

from .....dialects.locations import Origin
from ....importers.graph.user_line import UserPlace, user_line

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
