"""Encodings of tensors, and their files."""

from .encoding import ACTIVATIONS as ACTIVATIONS
from .encoding import ENCODINGS as ENCODINGS
from .encoding import Blocks as Blocks
from .encoding import Encoding as Encoding
from .encoding import Encodings as Encodings
from .encoding import activation_dtype as activation_dtype
from .encoding import grid as grid
from .encoding import levels as levels
from .encoding import reach as reach
from .encoding import symmetric as symmetric
from .files import encodings_text as encodings_text
from .files import read_encodings as read_encodings
from .files import read_entries as read_entries
from .files import write_encodings as write_encodings
