"""How much the reader takes: beyond these it says so and stops, and never hangs."""

MAX_BYTES = 1_000_000
"""Of one file."""
MAX_EXPANDED = 50_000
"""Tokens that the macros of one source file may make."""
MAX_LOOKED_AT = 100_000_000
"""Tokens behind macro calls that lie between brackets which never close, all calls together."""
MAX_LINE = 50_000
"""Characters of a line with those that continue it; a preprocessor's time grows faster."""
MAX_MACRO_DEPTH = 40
MAX_INCLUDE_DEPTH = 16
MAX_INCLUDES = 16
"""Times that one source file may include the same other."""
MAX_INCLUDED = 1_000_000
"""Characters of all files that one source file includes."""
MAX_NESTING = 60
"""Forms inside forms in one rule."""
MAX_DIGITS = 40
MAX_SHIFT = 63
