"""The output targets `dot` and `model-explorer`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail
from ....dialects.faults.suggestions import listed
from .build import graphs
from .dot import as_dot
from .model_explorer import DATA, as_graph_json, as_node_data


@dataclass(frozen=True)
class DotTarget(Target):
    """The graph of each function in the language of Graphviz, at any level.

    Ops are clustered by the parts of their nodes' names; large constants are elided.
    Example: `htp-opt model.onnx -t dot -o model.dot`
    """

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(as_dot(graphs(module)))


@dataclass(frozen=True)
class ModelExplorerTarget(Target):
    """JSON of Model Explorer: the graphs, or `bytes`, `layout` or `memory` as node data for them.

    HtpError for other data, and for layouts or memories of a module without places.
    Example: `htp-opt lowered.mlir -t 'model-explorer{data=bytes}' -o bytes.json`
    """

    name = "model-explorer"

    data: str = "graph"

    def __post_init__(self) -> None:
        known = ("graph", *DATA)
        if self.data not in known:
            raise fail(self.name, f"data '{self.data}' is not known", listed(self.data, known))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        drawn = graphs(module)
        is_graph = self.data == "graph"
        text = as_graph_json("module", drawn) if is_graph else as_node_data(self.data, drawn)
        output.write(text)
