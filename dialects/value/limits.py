"""Bounds on what a module may ask for, checked before anything of that size is made."""

MAX_TENSOR_BYTES = 2**32 - 1
"""Bytes of one tensor in its layout: HTP addresses main memory with 32 bits."""

MAX_TEXT_ELEMENTS = 2**26
"""Elements that one number of a text represents."""

MAX_FOLDED = 2**27
"""Bytes that an import, or one folding of a lowering, computes beyond the constants it is given."""

MAX_PARAM = 2**16
"""Numbers of an integer param, which are read one by one; a Split has one for each cut."""

MAX_BITS = 128
"""Bits of an integer type in text; the widest that xDSL has a name for."""

MAX_DIGITS = 400
"""Digits of a number in text: the largest f64 has 309, written out."""

MAX_RANK = 64
"""Dims of a shape in text: the parser looks at all that follow for each."""

MAX_NESTING = 64
"""Brackets inside brackets in text, well within the recursion of the parser and the printer."""

MAX_ALIASED = 2**23
"""Characters that all uses of aliases in a text repeat: aliases of aliases grow by powers."""

MAX_COMMAND = 2**13
"""Characters of a RUN line, with those that it goes on in: some checks take the square of them."""

ANY_KEY = 2**30
"""Keys between a query of an attention and the farthest key that it may attend to: all of them."""
