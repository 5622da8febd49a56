"""The screen for the options of a pass."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path

import xdsl.interactive.add_arguments_screen
from xdsl.interactive.add_arguments_screen import AddArguments
from xdsl.passes import ModulePass


class PassOptions(AddArguments):
    """xDSL's screen, with the options that have a plain default written out, to run or to edit."""

    CSS = "#argument_text_area { border-title-color: $text; border-subtitle-color: $text }"
    CSS_PATH = str(Path(xdsl.interactive.add_arguments_screen.__file__).with_suffix(".tcss"))

    def __init__(self, pass_type: type[ModulePass]) -> None:
        super().__init__(pass_type)
        self.argument_text_area.text = options_text(pass_type)
        names = (option.name.replace("_", "-") for option in fields(pass_type))
        self.argument_text_area.border_subtitle = f"{pass_type.name}: {', '.join(names)}"


def options_text(pass_type: type[ModulePass]) -> str:
    """Write the options of a pass with their defaults; those of no value are left out."""
    texts: list[str] = []
    for option in fields(pass_type):
        name = option.name.replace("_", "-")
        match option.default:
            case bool() as truth:
                texts.append(f"{name}={str(truth).lower()}")
            case int() | float() as number:
                texts.append(f"{name}={number}")
            case str() as word if word:
                texts.append(f'{name}="{word}"')
            case value if value is MISSING:
                texts.append(f'{name}=""')
            case _:
                pass
    return " ".join(texts)
