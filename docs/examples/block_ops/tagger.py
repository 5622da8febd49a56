"""A model with a GRU and a masked softmax gets block ops, and is lowered."""

import torch
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch, use_block_ops
from htp_mlir.runtime import Session
from torch import Tensor, nn


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(5, 6, batch_first=True)
        self.cell = nn.GRUCell(6, 6)

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        rows, _ = self.gru(x)
        scores = rows @ rows.transpose(1, 2)
        scores = scores.masked_fill(keep.logical_not()[:, None, :], float("-inf"))
        return self.cell((scores.softmax(-1) @ rows)[:, -1])


model = Tagger().eval()
x, keep = torch.randn(2, 4, 5), torch.tensor([[True, True, False, False], [True] * 4])
blocks, report = use_block_ops(model, (x, keep))
print(report)

session = Session(lower(load_torch(blocks, (x, keep))))
(result,) = session.run({"x": x.numpy(), "keep": keep.numpy()}).values()
assert abs(result - model(x, keep).detach().numpy()).max() < 1e-5
