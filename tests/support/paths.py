"""Where files of the repository lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
ATTENTION = EXAMPLES / "attention_package"
SPOTTER = EXAMPLES / "keyword_spotter"
SPOTTER_MODEL = SPOTTER / "model.onnx"
"""The keyword spotter, of about a hundred ops."""
