"""Write the TextMate grammar of MLIR text: python docs/generate_grammar.py."""

import json
from pathlib import Path

from htp_mlir.dialects.text.lexer import ROWS

FILE = Path(__file__).parent / "editors" / "mlir.tmLanguage.json"


def grammar() -> str:
    """Return the grammar."""
    patterns = [{"match": row[0], "name": f"{row[2]}.mlir"} for row in ROWS]
    about = {"name": "MLIR", "scopeName": "source.mlir", "fileTypes": ["mlir"]}
    return json.dumps({**about, "patterns": patterns}, indent=2) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(grammar(), encoding="utf-8")
