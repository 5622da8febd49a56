"""Rules and places as reports about packages say them."""

from ...dialects.value import LayoutKind, Memory
from ..rules import Rule, TensorProperties, priority_name


def rule_line(rule: Rule) -> str:
    """Return a rule by its pass group and its label."""
    return f"{priority_name(rule.priority)}: {rule.label}"


def place_text(layout: LayoutKind | None, memory: Memory | None) -> str:
    """Return a layout and a memory; None where nothing is said of it."""
    words = [layout.value] if layout else []
    words += [f"in {memory.value}"] if memory else []
    return " ".join(words) or "anywhere"


def tag_line(row: TensorProperties, tag: str) -> str:
    """Return a tensor and where its op wants it."""
    return f"{tag}: {place_text(row.layout(tag), row.memory(tag))}"
