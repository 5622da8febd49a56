"""Graph-level modules as ONNX models and files."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from onnx import ModelProto
from onnx.external_data_helper import set_external_data
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.diagnostics import counted, fail
from ....dialects.locations import origins_of
from ....runtime.files.atomic import Parts
from ....runtime.program.boundary import inputs_of, main_function, outputs_of
from ....runtime.program.preparation import require_weights
from ...frontend.onnx import source_of
from ...importers.support.registry import BLOCK_OPS
from ...quantization.encodings import Encoding, Encodings, encodings_text
from ...quantization.fitting import tensor_names
from .before import Before
from .model import model_of
from .writer import Writer

EXTERNAL = 1 << 30
"""Bytes of weights, at most, that are inside the file of a model."""
_MOST = (1 << 31) - (1 << 26)
"""The same where a larger number is given: protobuf writes no file of 2 GiB."""
_VERSION = "2.0.0"
"""The version of files of encodings: the first that has zero points of signed integers."""
_LEAST = 1024
"""Bytes from which on a tensor goes into a file of weights."""


@dataclass(frozen=True)
class Saved:
    """A model that was written, and the nodes of its source that are in it as they were."""

    model: ModelProto
    before: Before
    kept: int
    encodings: Encodings
    renamed: Mapping[str, str]
    """The names of outputs that have one of an input in the module."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """The count of encodings of values inside a node, which have no names, by its name."""

    def __str__(self) -> str:
        """Say what changed: the block ops, what became of the source, outputs with other names."""
        nodes = self.model.graph.node
        blocks = Counter(node.op_type for node in nodes if node.domain == BLOCK_OPS)
        parts = [", ".join(f"{count} {op}" for op, count in blocks.items())]
        parts += self._edits() if self.before.source else [counted(len(nodes), "node")]
        number = len(self.encodings.activations) + len(self.encodings.params)
        if number and self.before.source is None:
            parts.append(counted(number, "encoding"))
        parts += [f"output {name} is {new}" for name, new in self.renamed.items()]
        if self.left_out:
            inside = ", ".join(f"{count} in {name}" for name, count in self.left_out.items())
            parts.append(f"encodings inside nodes left out: {inside}")
        return "; ".join(filter(None, parts))

    def _edits(self) -> Iterator[str]:
        """Yield counts of nodes beside those of the source, and inputs that came or went."""
        graph = self.model.graph
        replaced, ours = len(self.before.nodes) - self.kept, len(graph.node) - self.kept
        same = "as it was" if self.kept == 1 else "as they were"
        change = f"{counted(replaced, 'node')} replaced by {ours}, {self.kept} {same}"
        yield change if replaced or ours else f"{counted(self.kept, 'node')} {same}"
        inputs = {value.name for value in graph.input}
        known = {*self.before.inputs} - {*self.before.initializers}
        yield from (f"{name} is a new input" for name in sorted(inputs - known))
        yield from (f"{name} is no input any more" for name in sorted(known - inputs))

    def files(
        self, path: Path, external: int = EXTERNAL, encodings: str | Path = ""
    ) -> dict[str | Path, Parts]:
        """Return the content of the model's file, and of those of large weights and encodings."""
        files: dict[str | Path, Parts] = {}
        if encodings and Path(encodings).absolute() == path.absolute():
            raise fail(str(path), "is named for the model and its encodings", "name two files")
        if encodings:
            files[encodings] = [encodings_text(self.encodings, _VERSION).encode()]
        tensors = [t for t in self.model.graph.initializer if len(t.raw_data) >= _LEAST]
        if sum(len(tensor.raw_data) for tensor in tensors) > min(external, _MOST):
            data, offset = path.with_name(f"{path.name}.data"), 0
            files[data] = [tensor.raw_data for tensor in tensors]
            for tensor in tensors:
                size = len(tensor.raw_data)
                set_external_data(tensor, data.name, offset, size)
                tensor.ClearField("raw_data")
                offset += size
        return {path: [self.model.SerializeToString()], **files}


def saved(module: ModuleOp, *, floats: bool = False, opset: int | None = None) -> Saved:
    """Return the model of a graph-level module; HtpError with each op that ONNX cannot say.

    A module of an ONNX model is that model, edited: its nodes, names and metadata stay wherever
    the module still says the same. With `floats` no node quantises, and what these would say is in
    the encodings. A module of no ONNX model becomes one of an `opset`.
    """
    require_weights(module, "the model would have random ones")
    function = main_function(module)
    before = Before(source_of(module), opset)
    inputs, outputs = inputs_of(function), outputs_of(function)
    writer = Writer(before, tensor_names(module) if floats else None)
    names = writer.write(function, list(inputs), list(outputs))
    ends = [
        [(name, writer.spec(value)) for name, value in zip(each, values, strict=True)]
        for each, values in ((inputs, inputs.values()), (names, outputs.values()))
    ]
    model = model_of(writer.draft, before, *ends)
    kept = sum(node.kept for node in writer.draft.nodes)
    renamed = {old: new for old, new in zip(outputs, names, strict=True) if old != new}
    owners = (value.owner for value in writer.inside if isinstance(value.owner, Operation))
    nodes = (next((each.node for each in origins_of(op) if each.node), op.name) for op in owners)
    left_out = dict(sorted(Counter(nodes).items()))
    return Saved(model, before, kept, _encodings(writer), renamed, left_out)


def _encodings(writer: Writer) -> Encodings:
    """Return the encodings of the tensors of a model, by their names."""
    draft = writer.draft
    read = [tensor for node in draft.nodes for tensor in (*node.inputs, *node.outputs) if tensor]
    activations, params = dict[str, Encoding](), dict[str, Encoding]()
    for tensor in read:
        spec = draft.encodings.get(tensor)
        if spec is not None and tensor.name not in writer.biases:
            is_param = tensor.data is not None or tensor.name in writer.statics
            part = params if is_param else activations
            part[tensor.name] = Encoding(spec.dtype, spec.quant)
    return Encodings(activations, params)
