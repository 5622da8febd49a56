"""Limits of the reader, which stops beyond them with a message and never hangs."""

MAX_BYTES = 1_000_000
"""Bytes of one file."""
MAX_EXPANDED = 50_000
"""Tokens that the macros of one source file may make."""
MAX_LOOKED_AT = 100_000_000
"""Tokens, of all calls together, behind macro calls whose brackets never close."""
MAX_LINE = 50_000
"""Characters of a line with those that continue it; a preprocessor's time grows faster."""
MAX_MACRO_DEPTH = 40
MAX_INCLUDE_DEPTH = 16
MAX_KIT_DEPTH = 100
MAX_INCLUDES = 16
"""Times that one source file may include the same other."""
MAX_INCLUDED = 1_000_000
"""Characters of all files that one source file includes, and of the directives of the kit's."""
MAX_NESTING = 60
"""Forms inside forms in one rule."""
MAX_DIGITS = 40
MAX_SHIFT = 63
