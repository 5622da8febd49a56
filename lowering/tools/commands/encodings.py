"""The command `htp encodings`: files of encodings in other versions, and tensors without any."""

from argparse import Namespace

from ....dialects.diagnostics import fail
from ....runtime.tools.flags import packages_in_use, parse_constants, parse_dims
from ....runtime.tools.loading import load_module
from ....runtime.tools.tool import write_text
from ...quantization.encodings import encodings_text, read_encodings
from ...quantization.fitting import without_encodings


def turn_encodings(arguments: Namespace) -> None:
    """Print the encodings of a file in a version, or the tensors of a model that have none."""
    if arguments.model is not None and arguments.encodings_version:
        remedy = "leave out the model to turn the file, or the version to list tensors"
        raise fail("--encodings-version", "is of no use with a model", remedy)
    encodings = read_encodings(arguments.encodings)
    if arguments.model is None:
        text = encodings_text(encodings, arguments.encodings_version or "2.0.0")
    else:
        module = load_module(
            arguments.model,
            dims=parse_dims(arguments.dim),
            constants=parse_constants(arguments.const),
            ctx=packages_in_use(arguments).context(),
        )
        text = "".join(f"{name}\n" for name in without_encodings(encodings, module))
    write_text(arguments.output_file or "-", text)
