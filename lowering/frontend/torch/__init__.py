"""Block ops as PyTorch modules: true semantics in eager mode, one node each when exported.

`torch.onnx.export`, with both of its exporters, and `torch.export` see one op per module.
"""

from ....dialects.qti_aisw.choices import BufferMode as BufferMode
from ....dialects.qti_aisw.choices import Direction as Direction
from ....dialects.qti_aisw.choices import MaskMode as MaskMode
from .blocked import BLOCKED as BLOCKED
from .blocked import is_blocked as is_blocked
from .buffer import Buffer as Buffer
from .export import export_onnx as export_onnx
from .layers import StatefulLayers as StatefulLayers
from .layers import from_torch as from_torch
from .load import load_torch as load_torch
from .recurrent import StatefulGru as StatefulGru
from .recurrent import StatefulLstm as StatefulLstm
from .softmax import MaskedSoftmax as MaskedSoftmax
from .stateful import reset_states as reset_states
