"""`python -m tests.models.export`: writes the files of the models; needs the extra `torch`."""

import argparse
import inspect
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
import torch
from onnx import GraphProto, ModelProto
from torch import Tensor, nn

from . import FAMILIES
from .entry import DYNAMO, Entry

FOLDER = Path(__file__).parents[1] / "onnx"


def exported(entry: Entry) -> ModelProto:
    """Return the model as its exporter writes it, without texts that say where it was written."""
    torch.manual_seed(0)
    model = entry.build().eval()
    _draw_statistics(model)
    inputs = entry.inputs
    if entry.half:
        model, inputs = model.half(), tuple(map(_halved, inputs))
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "model.onnx"
        dynamo = entry.exporter == DYNAMO
        names = [*inspect.signature(model.forward).parameters]
        options = {"external_data": False} if dynamo else {"input_names": names}
        options["verbose"] = False
        torch.onnx.export(model, inputs, path, dynamo=dynamo, opset_version=entry.opset, **options)
        written = onnx.load(path)
    _drop_texts(written)
    return written


def _draw_statistics(model: nn.Module) -> None:
    """Give every batch norm means and variances of its own."""
    for layer in model.modules():
        if isinstance(layer, nn.BatchNorm2d | nn.BatchNorm1d):
            nn.init.normal_(layer.running_mean, 0, 0.1)
            nn.init.uniform_(layer.running_var, 0.5, 1.5)


def _halved(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.is_floating_point() else tensor


def _drop_texts(model: ModelProto) -> None:
    """Clear stack traces and the like: they are larger than the weights."""
    del model.metadata_props[:]
    graphs: list[GraphProto] = [model.graph]
    for function in model.functions:
        function.ClearField("doc_string")
        del function.metadata_props[:], function.value_info[:]
        for node in function.node:
            node.ClearField("doc_string")
            del node.metadata_props[:]
    for graph in graphs:
        graph.ClearField("doc_string")
        for item in (*graph.node, *graph.input, *graph.output, *graph.value_info, graph):
            item.ClearField("doc_string")
            del item.metadata_props[:]
        for node in graph.node:
            graphs += [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]


def entries(part: str) -> Iterator[tuple[str, Entry]]:
    """Yield the family and the entry of each model whose name holds `part`."""
    for family, listed in FAMILIES.items():
        yield from ((family, entry) for entry in listed if part in entry.name)


def _main() -> None:
    parser = argparse.ArgumentParser("tests.models.export", description=__doc__)
    parser.add_argument("--filter", default="", metavar="NAME", help="only names that hold this")
    logging.disable()
    for family, entry in entries(parser.parse_args().filter):
        folder = FOLDER / family
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{entry.name}.{entry.exporter}.onnx"
        onnx.save(exported(entry), path)
        print(f"{path.relative_to(FOLDER)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    _main()
