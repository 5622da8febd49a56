"""A module beside the patterns that are to rewrite it, as one text."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ....dialects.text.printer import ModulePrinter


def pdl_module_text(module: ModuleOp, patterns: str) -> str:
    """Return a module of two, `@patterns` and `@ir`; the given module stays unchanged."""
    copy, text = module.clone(), StringIO()
    copy.properties["sym_name"] = StringAttr("ir")
    ModulePrinter(text, print_generic_format=True).print_op(copy)
    return f"builtin.module {{\nbuiltin.module @patterns {{\n{patterns}}}\n{text.getvalue()}\n}}\n"
