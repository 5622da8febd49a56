"""Modules of every form: arguments, results, symbolic dims, and the faults of all of these."""

from typing import Any

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch
from htp_mlir.lowering.frontend.torch.programs import translation
from htp_mlir.runtime import Session
from torch import Tensor, nn
from torch.export import Dim
from xdsl.dialects.builtin import ModuleOp

from ....support.roundtrip import parse

pytestmark = pytest.mark.needs("torch")


class Forms(nn.Module):
    """Keyword arguments, numbers, nested results, None, inputs that are returned, aliases."""

    def forward(self, x: Tensor, *, y: Tensor, times: float, flag: bool, count: int) -> Any:
        z = x * times if flag else x
        z = z.repeat(count, 1)
        best, place = z.max(1)
        return {"z": z, "parts": (x, None, z.view(-1)), "again": z}, [best, place], y, x.shape[0]


def outputs(module: ModuleOp, feeds: dict[str, Tensor]) -> dict[str, np.ndarray[Any, Any]]:
    """Run a module at the graph level and lowered, and compare; return its results."""
    arrays = {name: tensor.numpy() for name, tensor in feeds.items()}
    graph, lowered = (Session(each, check=True).run(arrays) for each in (module, lower(module)))
    for name, array in graph.items():
        np.testing.assert_allclose(lowered[name], array, rtol=1e-6, atol=1e-6)
    return graph


def test_arguments_and_results_of_every_form() -> None:
    x, y = torch.randn(2, 3), torch.randint(9, (2,))
    options = {"times": 1.5, "flag": True, "count": 2}
    module = load_torch(Forms(), (x,), {"y": y, **options})
    outs = outputs(module, {"x": x, "y": y})
    assert [*outs] == [
        "0.z",
        "0.parts.0",
        "0.parts.2",
        "0.again",
        "getitem",
        "getitem_1",
        "y",
        "output_8",
    ]
    results, (best, place), _, rows = Forms()(x, y=y, **options)
    wanted = [results["z"], x, results["parts"][2], results["again"], best, place, y, rows]
    for out, expected in zip(outs.values(), wanted, strict=True):
        np.testing.assert_allclose(out, np.asarray(expected), rtol=1e-6)


class Wide(nn.Module):
    """Numbers of 64 bits on the way, and of 16."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randn(3, dtype=torch.float64))
        self.narrow = nn.Linear(3, 2, dtype=torch.bfloat16)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return (x.double() * self.weight).float(), self.narrow(x.bfloat16()).float()


def test_numbers_of_other_widths_run_at_the_graph_level() -> None:
    x, model = torch.randn(2, 3), Wide()
    outs = Session(load_torch(model, (x,)), check=True).run({"x": x.numpy()}).values()
    # The last digits of f32, and of bf16, which has 8 bits.
    for out, wanted, digits in zip(outs, model(x), (1e-6, 1e-2), strict=True):
        np.testing.assert_allclose(out, wanted.detach().numpy(), rtol=digits, atol=digits)


class Twice(nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        y = x.relu()
        return y, y, y.detach()


def test_a_result_that_is_returned_twice_has_two_names() -> None:
    outs = outputs(load_torch(Twice(), (torch.randn(3),)), {"x": torch.tensor([1.0, -1.0, 2.0])})
    assert len(outs) == 3
    assert all(out.tolist() == [1, 0, 2] for out in outs.values())


class Layers(nn.Module):
    """Results whose names differ by numbers that the printer also gives."""

    def forward(self, x: Tensor) -> Tensor:
        a, b = x.topk(2)
        c, d = a.topk(1)
        return c + d + b.sum()


def test_text_reads_back_with_names_of_its_own() -> None:
    module = load_torch(Layers(), (torch.randn(3, 4),))
    assert str(parse(str(module))) == str(module)


class Rows(nn.Module):
    """Shapes that follow from the batch."""

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        rows = x.shape[0]
        places = torch.arange(rows * 2, dtype=torch.float32).view(rows, 2)
        return (x.view(rows * 2, -1).sum(1).view(rows, 2) + places) / rows + y


BATCH = Dim("batch", max=16)
EXAMPLE = torch.randn(4, 6), torch.randn(4, 1)
SHAPES = {"x": {0: BATCH}, "y": {0: BATCH}}


@pytest.mark.one_per
@pytest.mark.parametrize("dims", [{"batch": 3}, {"x:0": 3}, {"y:0": 1}])
def test_symbolic_dims_get_their_sizes(dims: dict[str, int]) -> None:
    module = load_torch(Rows(), EXAMPLE, dynamic_shapes=SHAPES, dims=dims)
    [rows] = dims.values()
    x, y = torch.randn(rows, 6), torch.randn(rows, 1)
    [out] = outputs(module, {"x": x, "y": y}).values()
    np.testing.assert_allclose(out, Rows()(x, y).numpy(), rtol=1e-5, atol=1e-6)


FAULTS = {
    "open": ({}, "dim 'batch' of input 'x': has no size"),
    "unknown": ({"batch": 2, "bach": 2}, "dim 'bach': is no symbolic dim of the module"),
    "outside": ({"batch": 20}, "dim 'batch': cannot have the size 20"),
    "negative": ({"batch": -1}, "dim 'batch': cannot have the size -1"),
    "two sizes": ({"batch": 2, "x:0": 3}, "dim 'x:0': is also 'batch', which has the size 2"),
}


@pytest.mark.one_per
@pytest.mark.parametrize("case", FAULTS)
def test_dims_without_a_size_are_refused(case: str) -> None:
    dims, line = FAULTS[case]
    with pytest.raises(HtpError) as raised:
        load_torch(Rows(), EXAMPLE, dynamic_shapes=SHAPES, dims=dims)
    assert raised.value.lines()[0] == line


def test_an_exported_program_has_symbolic_dims_too() -> None:
    program = torch.export.export(Rows(), EXAMPLE, dynamic_shapes=SHAPES)
    assert "tensor<5x6xf32>" in str(load_torch(program, dims={"batch": 5}))


class Faulty(nn.Module):
    """Faults of every kind."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("wide", torch.ones(2, dtype=torch.complex64))
        self.register_buffer("unused", torch.ones(2, dtype=torch.complex64))
        self.register_buffer("cast", torch.ones(2, dtype=torch.complex64))

    def forward(self, x: Tensor, y: Tensor, z: Tensor) -> tuple[Tensor, ...]:
        self.count.add_(1)
        z.add_(1)
        q, _ = torch.linalg.qr(x)
        return (
            q.relu() + torch.special.airy_ai(x),
            y + 1,
            x + self.wide,
            x.nonzero(),
            x * self.cast.real,
        )


@pytest.mark.slow
def test_all_faults_of_a_module_come_in_one_go() -> None:
    args = torch.ones(2, 2), torch.ones(2, dtype=torch.complex64), torch.ones(2)
    with pytest.raises(HtpError) as raised:
        load_torch(Faulty(), args)
    lines = [line.strip().split("; ")[0] for line in raised.value.lines()]
    heads = [line.partition(" at ")[0] for line in lines]
    assert heads[0] == "8 errors:"
    assert sorted(heads[1:]) == [
        "buffer 'count': is written by the module, and its state would be lost",
        "input 'y': has element type complex64",
        "input 'z': is written by the module, and its state would be lost",
        "node 'linalg_qr' (aten.linalg_qr.default)",
        "node 'nonzero' (aten.nonzero.default)",
        "node 'special_airy_ai' (aten.special_airy_ai.default)",
        "output 'add_1': has element type complex64",
        "output 'add_2': has element type complex64",
    ]


class Item(nn.Module):
    def forward(self, n: Tensor) -> Tensor:
        rows = n.item()
        torch._check(rows >= 2)
        torch._check(rows < 9)
        return torch.zeros(rows * 2, 3).sum(0)


def test_a_number_of_a_tensor_is_refused_by_name() -> None:
    with pytest.raises(HtpError) as raised:
        load_torch(Item(), (torch.tensor(3),))
    [line, remedy] = raised.value.lines()
    assert "(aten._local_scalar_dense.default)" in line
    assert line.endswith("it makes a number of a tensor that is not constant")
    assert remedy.strip() == "keep it a tensor"


class Even(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.view(-1, 2, 3)


def test_sizes_that_the_module_does_not_take_are_refused() -> None:
    shapes = {"x": {0: 2 * Dim("half", max=8)}}
    assert "tensor<3x2x3xf32>" in str(
        load_torch(Even(), (torch.ones(4, 3),), dynamic_shapes=shapes, dims={"half": 3})
    )
    with pytest.raises(HtpError, match="dim 'half'"):
        load_torch(Even(), (torch.ones(4, 3),), dynamic_shapes=shapes, dims={"half": 9})
    with pytest.raises(HtpError, match="dim 'x:0' of input 'x': has no size"):
        load_torch(Even(), (torch.ones(4, 3),), dynamic_shapes={"x": {0: Dim.AUTO}})


class Parity(nn.Module):
    """A branch that the export takes by the example's size."""

    def forward(self, x: Tensor) -> Tensor:
        return x + 1 if x.shape[0] % 2 else x - 1


def test_sizes_on_another_branch_are_refused() -> None:
    program = torch.export.export(
        Parity(), (torch.ones(4),), dynamic_shapes={"x": {0: Dim.DYNAMIC}}
    )
    assert "tensor<6xf32>" in str(load_torch(program, dims={"x:0": 6}))
    with pytest.raises(HtpError, match="dims: were exported on the condition"):
        load_torch(program, dims={"x:0": 7})


@pytest.mark.slow
def test_sizes_that_the_module_asserts_are_checked() -> None:
    program = torch.export.export(
        Even(),
        (torch.ones(4, 3),),
        dynamic_shapes={"x": {0: Dim.DYNAMIC}},
        prefer_deferred_runtime_asserts_over_guards=True,
    )
    assert "tensor<6x3xf32>" in str(load_torch(program, dims={"x:0": 6}))
    with pytest.raises(HtpError, match="Runtime assertion failed for expression"):
        load_torch(program, dims={"x:0": 7})


def test_a_module_that_cannot_be_exported_says_so() -> None:
    class Branch(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x + 1 if x.sum() > 0 else x

    with pytest.raises(HtpError, match=r"Branch: torch.export fails: "):
        load_torch(Branch(), (torch.ones(3),))


def test_the_module_stays_in_training() -> None:
    model = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(3).eval())
    load_torch(model, (torch.ones(2, 3),))
    assert [part.training for part in model] == [True, False]


def test_an_export_that_fails_otherwise_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("no way\nand more") from KeyError("inside")

    monkeypatch.setattr(translation._core, "export", broken)
    with pytest.raises(HtpError) as raised:
        load_torch(Even(), (torch.ones(4, 3),))
    first, _ = raised.value.lines()
    assert first == "program: torch.onnx.export fails: 'inside'"
