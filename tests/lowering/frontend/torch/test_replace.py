"""use_block_ops: what it replaces gives the same numbers, and what stays has its reason."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import StatefulGru, load_torch, use_block_ops
from htp_mlir.runtime import Session
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

pytestmark = pytest.mark.needs("torch")

KEEP = torch.tensor([[True, True, False, False], [True, True, True, True]])


class Tagger(nn.Module):
    """A GRU, attention among the steps that are there, an LSTM of two layers, a classifier."""

    def __init__(self, hidden: int = 6) -> None:
        super().__init__()
        self.gru = nn.GRU(5, hidden, batch_first=True)
        self.lstm = nn.LSTM(hidden, hidden, 2, batch_first=True)
        self.classes = nn.Linear(hidden, 2)

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        self.gru.flatten_parameters()
        seen, _ = self.gru(x)
        scores = seen @ seen.transpose(1, 2)
        scores = scores.masked_fill(keep.logical_not()[:, None, :], float("-inf"))
        rows, _ = self.lstm(scores.softmax(-1) @ seen)
        return self.classes(rows)


def trained(module: nn.Module) -> nn.Module:
    """Train to tell whether the first number of a step is positive."""
    torch.manual_seed(3)
    optimiser = torch.optim.Adam(module.parameters(), 0.02)
    for _ in range(10):
        x = torch.randn(2, 4, 5)
        loss = nn.functional.cross_entropy(
            module(x, KEEP).flatten(0, 1), (x[..., 0] > 0).flatten().long()
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return module.eval()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_trained_model_answers_as_before_on_every_level() -> None:
    model = trained(Tagger())
    x = torch.randn(2, 4, 5)
    blocks, report = use_block_ops(model, (x, KEEP))
    assert [(part.path, part.op) for part in report.replaced] == [
        ("Tagger", "MaskedSoftmax"),
        ("gru", "StatefulGru"),
        ("lstm", "StatefulLstm"),
    ]
    assert report.left == ()
    x = torch.randn(2, 4, 5)
    expected = model(x, KEEP).detach().numpy()
    np.testing.assert_allclose(blocks(x, KEEP).detach().numpy(), expected, atol=1e-5)
    graph = load_torch(blocks, (x, KEEP))
    assert {"qti_aisw.MaskedSoftmax", "qti_aisw.StatefulGru"} <= {op.name for op in graph.walk()}
    for module in (graph, lower(graph)):
        (result,) = Session(module, check=True).run({"x": x.numpy(), "keep": KEEP.numpy()}).values()
        np.testing.assert_allclose(result, expected, atol=1e-5)


def test_a_model_with_block_ops_goes_on_training() -> None:
    blocks, _ = use_block_ops(Tagger(), (torch.randn(2, 4, 5), KEEP))
    assert blocks.training
    before = [weight.clone() for weight in blocks.parameters()]
    trained(blocks)
    assert not any(map(torch.equal, before, blocks.parameters()))


class Scores(nn.Module):
    """Shares of scores, by a function that puts a mask on."""

    def __init__(self, function: Callable[..., Tensor]) -> None:
        super().__init__()
        self.function, self.softmax = function, nn.Softmax(dim=-1)

    def forward(self, scores: Tensor, keep: Tensor) -> Tensor:
        return self.function(self, scores * 1.0, keep)


def additive(keep: Tensor) -> Tensor:
    return (1.0 - keep.float()) * -1e9


def in_place(self: Scores, s: Tensor, k: Tensor) -> Tensor:
    s = s + k.float() * 0  # Nothing can grow in place.
    s.masked_fill_(k.logical_not(), -1e4)
    return self.softmax(s)


MASKS = {
    "sum": lambda self, s, k: torch.softmax(s + additive(k), -1),
    "sum, mask first": lambda self, s, k: torch.add(additive(k), s).softmax(dim=-1),
    "difference": lambda self, s, k: (s - (1.0 - k.float()) * 1e4).softmax(-1),
    "masked_fill": lambda self, s, k: s.masked_fill(k.logical_not(), -torch.inf).softmax(-1),
    "masked_fill in place": in_place,
    "where": lambda self, s, k: nn.functional.softmax(torch.where(k, s, -torch.inf), dim=-1),
    "where, mask first": lambda self, s, k: self.softmax(torch.where(~k, torch.tensor(-1e9), s)),
    "where as a method": lambda self, s, k: self.softmax(s.where(k, torch.tensor(-1e9))),
    "in f64": lambda self, s, k: torch.softmax(s + additive(k), -1, dtype=torch.float64),
}
SHAPES = {
    "columns": ((2, 3, 4, 5), (5,)),
    "batch": ((2, 3, 4, 5), (2, 1, 1, 5)),
    "rows": ((2, 3, 4, 5), (4, 5)),
    "all": ((2, 3, 4, 5), (2, 3, 4, 5)),
    "batch of rank 3": ((2, 4, 5), (2, 1, 5)),
    "rank 2": ((2, 5), (2, 5)),
    "rank 5": ((2, 2, 3, 4, 5), (2, 1, 1, 1, 5)),
    "scores that broadcast": ((1, 5), (3, 5)),
}


@pytest.mark.one_per("function")
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("function", MASKS.values(), ids=MASKS)
def test_softmax_with_a_mask_is_replaced(
    function: Callable[..., Tensor], shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    torch.manual_seed(0)
    scores, keep = torch.randn(shapes[0]), torch.rand(shapes[1]) < 0.6
    keep[..., 0], keep[..., 1] = True, False
    module = Scores(function)
    blocks, report = use_block_ops(module, (scores, keep))
    assert [part.op for part in report.replaced] == ["MaskedSoftmax"]
    expected, result = module(scores, keep), blocks(scores, keep)
    assert result.dtype == expected.dtype
    torch.testing.assert_close(result, expected)


LEFT = {
    "its input is mul, which puts no mask on": lambda self, s, k: s.softmax(-1),
    "it is over dim 0, not over the last": lambda self, s, k: (s + additive(k)).softmax(0),
    "masked columns get -100, which is more than -10000": lambda self, s, k: s.masked_fill(
        k.logical_not(), -100.0
    ).softmax(-1),
    "holds -0.5, a mask 0 and -10000 or less": lambda self, s, k: (
        s + torch.full((4,), -0.5)
    ).softmax(-1),
    "masks nothing in the example": lambda self, s, k: (s + k.float() * 0.0).softmax(-1),
    "a row of the example is masked as a whole": lambda self, s, k: s.masked_fill(
        k | True, -torch.inf
    ).softmax(-1),
    "what stands in masked columns is no single number": lambda self, s, k: torch.where(
        k, s, s - 1e5
    ).softmax(-1),
    "torch.fx cannot trace its forward": lambda self, s, k: (
        (s + additive(k)).softmax(-1) if bool(k.any()) else s
    ),
    "its forward is another one in training": lambda self, s, k: nn.functional.dropout(
        (s + additive(k)).softmax(-1), 0.5, self.training
    ),
}


@pytest.mark.parametrize(("reason", "function"), LEFT.items(), ids=LEFT)
def test_what_is_no_mask_stays_for_a_reason(reason: str, function: Callable[..., Tensor]) -> None:
    module = Scores(function)
    blocks, report = use_block_ops(module, (torch.randn(2, 4), KEEP))
    assert report.replaced == ()
    assert type(blocks) is Scores
    (left,) = report.left
    assert reason in left.reason


def test_attention_in_one_call_is_named() -> None:
    module = nn.MultiheadAttention(4, 2)
    _, report = use_block_ops(module, torch.randn(3, 2, 1, 4).unbind())
    assert {part.kind for part in report.left} >= {"multi_head_attention_forward"}
    assert "write softmax(scores + mask)" in str(report)


class Packing(nn.Module):
    """An LSTM over packed sequences."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(5, 6)

    def forward(self, x: Tensor) -> Tensor:
        packed = pack_padded_sequence(x, torch.tensor([4, 2]))
        rows = self.lstm(packed)[0]
        assert isinstance(rows, PackedSequence)
        return rows.data


class Twice(nn.Sequential):
    """Calls its first part two times."""

    def forward(self, x: Tensor) -> Tensor:
        return self[0](self[0](x)[0])[0]


class Cell(nn.Sequential):
    """One step of a cell."""

    def forward(self, x: Tensor) -> Tensor:
        return self[0](x[0])


@pytest.mark.filterwarnings("ignore:LSTM with projections:UserWarning")
@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (Packing(), "lstm: LSTM stays: it is given a PackedSequence"),
        (Twice(nn.GRU(5, 5)), "0: GRU stays: it is called 2 times"),
        (nn.LSTM(5, 6, proj_size=3), "LSTM: LSTM stays: proj_size is 3"),
        (nn.RNN(5, 6), "RNN: RNN stays: there is no block op for it"),
        (Cell(nn.GRUCell(5, 6)), "0: GRUCell stays: it is one step"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_recurrent_layers_that_stay(module: nn.Module, reason: str) -> None:
    _, report = use_block_ops(module, (torch.randn(4, 2, 5),), stateful=True)
    assert report.replaced == ()
    assert reason in str(report)


def test_with_a_state_chunks_answer_as_the_whole_does() -> None:
    model, x = nn.GRU(5, 6), torch.randn(8, 2, 5)
    blocks, _ = use_block_ops(model, (x,), stateful=True)
    chunks = torch.cat([blocks(part)[0] for part in x.split(2)])
    torch.testing.assert_close(chunks, model(x)[0])


def test_a_layer_in_two_places_stays_one() -> None:
    shared = nn.GRU(5, 5)
    blocks, report = use_block_ops(Twice(shared, shared), (torch.randn(4, 2, 5),))
    assert len(report.replaced) == 1
    assert blocks[0] is blocks[1]
    assert sum(isinstance(part, StatefulGru) for part in blocks.modules()) == 1


def test_the_module_stays_as_it_was() -> None:
    model = Tagger()
    model.gru.eval().requires_grad_(False)
    blocks, _ = use_block_ops(model, (torch.randn(2, 4, 5), KEEP))
    assert type(model.gru) is nn.GRU
    assert (model.training, model.gru.training) == (True, False)
    frozen = [name for name, weight in blocks.named_parameters() if not weight.requires_grad]
    assert {name.split(".")[0] for name in frozen} == {"gru"}
    assert not blocks.gru.training


def test_a_module_that_answers_otherwise_is_refused() -> None:
    class Noisy(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x + torch.rand(())

    with pytest.raises(HtpError, match="Noisy: with block ops its outputs differ by"):
        use_block_ops(Noisy(), (torch.ones(2),))
