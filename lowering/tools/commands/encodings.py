"""The command `htp encodings`: files of encodings in other versions, and tensors without any."""

from argparse import Namespace

from ....runtime.tools.flags import packages_in_use, parse_constants, parse_dims
from ....runtime.tools.loading import load_module
from ....runtime.tools.tool import write_text
from ...quantization.encodings import encodings_text, read_encodings
from ...quantization.fitting import with_shapes, without_encodings


def turn_encodings(arguments: Namespace) -> None:
    """Print the encodings of a file in a version, or the tensors of a model that have none."""
    encodings, version = read_encodings(arguments.encodings), arguments.encodings_version
    if arguments.model is not None:
        module = load_module(
            arguments.model,
            dims=parse_dims(arguments.dim),
            constants=parse_constants(arguments.const),
            ctx=packages_in_use(arguments).context(),
        )
        names = [] if version else without_encodings(encodings, module)
        encodings = with_shapes(encodings, module)
    if arguments.model is None or version:
        text = encodings_text(encodings, version or "2.0.0")
    else:
        text = "".join(f"{name}\n" for name in names)
    write_text(arguments.output_file or "-", text)
