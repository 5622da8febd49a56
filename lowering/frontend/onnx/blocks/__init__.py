"""Block ops for writers of ONNX models: functions that append them, and masks in their forms.

A block op is one node of the domain `qti_aisw`; its body goes along, so that ONNX Runtime runs the
model, too, without state. An input is the name of a value of the model, or an array.
"""

from ....importers.graph.masks import MASKED as MASKED
from ....importers.graph.masks import from_additive as from_additive
from ....importers.graph.masks import from_compressed as from_compressed
from ....importers.graph.masks import from_lengths as from_lengths
from ....importers.graph.masks import from_uncompressed as from_uncompressed
from ....importers.graph.masks import to_additive as to_additive
from ....importers.graph.masks import to_compressed as to_compressed
from ....importers.graph.masks import to_lengths as to_lengths
from ....importers.graph.masks import to_uncompressed as to_uncompressed
from .append import GruOutputs as GruOutputs
from .append import LstmOutputs as LstmOutputs
from .append import append_buffer as append_buffer
from .append import append_masked_softmax as append_masked_softmax
from .append import append_outputs as append_outputs
from .append import append_stateful_gru as append_stateful_gru
from .append import append_stateful_lstm as append_stateful_lstm
from .functions import FUNCTIONS as FUNCTIONS
from .functions import add_functions as add_functions
