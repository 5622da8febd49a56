"""Transformers over images."""

import torch
from torch import Tensor, nn

from .attention import Attention, Block
from .classifiers import IMAGE
from .entry import DYNAMO, SCRIPT, Entry, conv, floats, mlp, tokens


class ViT(nn.Module):
    """Patches, a class token, positions, PyTorch's own encoder layers."""

    def __init__(self, act: str = "gelu", *, norm_first: bool = True):
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 8, 8)
        self.first = nn.Parameter(torch.randn(1, 1, 16))
        self.positions = nn.Parameter(torch.randn(1, 17, 16))
        layer = nn.TransformerEncoderLayer(
            16, 2, 32, 0.0, act, batch_first=True, norm_first=norm_first
        )
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(16), enable_nested_tensor=False)
        self.head = nn.Linear(16, 10)

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.first.expand(y.shape[0], -1, -1), y], 1) + self.positions
        return self.head(self.encoder(y)[:, 0])


class Swin(nn.Module):
    """Attention in windows that are shifted, with a table of relative positions."""

    def __init__(self, width: int = 8, window: int = 4):
        super().__init__()
        self.window, self.patches = window, nn.Conv2d(3, width, 4, 4)
        self.block = Block(width, 2, fused=False)
        grid = torch.stack(torch.meshgrid(*2 * [torch.arange(window)], indexing="ij")).flatten(1)
        apart = (grid[:, :, None] - grid[:, None]) + window - 1
        self.register_buffer("places", apart[0] * (2 * window - 1) + apart[1])
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, 2))

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x).permute(0, 2, 3, 1)
        n, h, w, c = y.shape
        m = self.window
        y = torch.roll(y, (-m // 2, -m // 2), (1, 2))
        y = y.view(n, h // m, m, w // m, m, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, m * m, c)
        bias = self.table[self.places.view(-1)].view(m * m, m * m, -1).permute(2, 0, 1)
        y = self.block(y, bias[None])
        y = y.view(n, h // m, w // m, m, m, c).permute(0, 1, 3, 2, 4, 5).reshape(n, h, w, c)
        return torch.roll(y, (m // 2, m // 2), (1, 2)).mean((1, 2))


class MobileViT(nn.Module):
    """Attention among the same places of all patches, between convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = conv(3, 8, 3, nn.SiLU, stride=4)
        self.block, self.join = Block(8, 2, nn.SiLU, fused=False), conv(16, 8, 3, nn.SiLU)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        n, c, h, w = x.shape
        y = x.reshape(n * c * (h // 2), 2, w // 2, 2).transpose(1, 2)
        y = y.reshape(n, c, h * w // 4, 4).transpose(1, 3).reshape(n * 4, h * w // 4, c)
        y = self.block(y).view(n, 4, h * w // 4, c).transpose(1, 3)
        y = y.reshape(n * c * (h // 2), w // 2, 2, 2).transpose(1, 2).reshape(n, c, h, w)
        return self.join(torch.cat([x, y], 1))


class Detr(nn.Module):
    """Queries that attend to an image; classes and boxes of each."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.queries = nn.Conv2d(3, 16, 8, 8), nn.Parameter(torch.randn(6, 1, 16))
        self.decoder = nn.TransformerDecoderLayer(16, 2, 32, 0.0)
        self.classes, self.boxes = nn.Linear(16, 5), mlp(16, 16, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.stem(x).flatten(2).permute(2, 0, 1)
        y = self.decoder(self.queries.expand(-1, x.shape[0], -1), memory).transpose(0, 1)
        return self.classes(y), self.boxes(y).sigmoid()


class Segformer(nn.Module):
    """Keys and values of a smaller image; a depthwise convolution in the feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.attention = nn.Conv2d(3, 8, 7, 4, 3), Attention(8, 2)
        self.reduce, self.norm = nn.Conv2d(8, 8, 2, 2), nn.LayerNorm(8)
        self.widen, self.narrow = nn.Linear(8, 16), nn.Linear(16, 8)
        self.depthwise = nn.Conv2d(16, 16, 3, padding=1, groups=16)

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x)
        n, c, h, w = y.shape
        memory = self.norm(self.reduce(y).flatten(2).transpose(1, 2))
        y = y.flatten(2).transpose(1, 2)
        y = y + self.attention(self.norm(y), memory)
        wide = self.widen(self.norm(y)).transpose(1, 2).view(n, -1, h, w)
        wide = nn.functional.gelu(self.depthwise(wide)).flatten(2).transpose(1, 2)
        return (y + self.narrow(wide)).transpose(1, 2).view(n, c, h, w)


class Mixer(nn.Module):
    """An MLP over the tokens, then one over the channels."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 8, 8, 8)
        self.tokens, self.channels = mlp(16, 32, 16, act=nn.GELU), mlp(8, 16, 8, act=nn.GELU)
        self.norms = nn.ModuleList(nn.LayerNorm(8) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = y + self.tokens(self.norms[0](y).transpose(1, 2)).transpose(1, 2)
        return (y + self.channels(self.norms[1](y))).mean(1)


class Clip(nn.Module):
    """Cosine similarity of an image and of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.image, self.table, self.text = ViT(), nn.Embedding(8, 16), Block(16, 2)
        self.project, self.scale = nn.Linear(16, 10), nn.Parameter(torch.tensor(2.0))

    def forward(self, image: Tensor, text: Tensor) -> Tensor:
        seen = nn.functional.normalize(self.image(image), dim=-1)
        read = self.project(self.text(self.table(text)).amax(1))
        return self.scale.exp() * seen @ nn.functional.normalize(read, dim=-1).T


def vit_relu() -> nn.Module:
    return ViT("relu", norm_first=False)


ENTRIES = [
    Entry("vit", ViT, IMAGE, SCRIPT, 17),
    Entry("vit", ViT, IMAGE, DYNAMO, 23),
    Entry("vit_f16", vit_relu, IMAGE, DYNAMO, 20, half=True),
    Entry("swin", Swin, IMAGE, DYNAMO, 20),
    Entry("swin", Swin, IMAGE, SCRIPT, 17),
    Entry("mobilevit", MobileViT, IMAGE, SCRIPT, 17),
    Entry("detr", Detr, IMAGE, DYNAMO, 20),
    Entry("segformer", Segformer, IMAGE, DYNAMO, 23),
    Entry("mixer", Mixer, (floats(1, 3, 32, 32),), SCRIPT, 20),
    Entry("clip", Clip, (*IMAGE, tokens(3, 6)), DYNAMO, 18),
]
