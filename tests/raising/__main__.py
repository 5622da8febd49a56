"""`python -m tests.raising`: spellings of ops in small exports, and which of them are raised."""

import argparse
from pathlib import Path

from .count import MODELS, page, spelling


def main() -> None:
    """Print the table; with `--save`, put it in the place of the one in a page."""
    parser = argparse.ArgumentParser("tests.raising", description=__doc__)
    parser.add_argument("--save", type=Path, metavar="PAGE", help="the page whose table to replace")
    arguments = parser.parse_args()
    table = page([spelling(path) for path in MODELS])
    print(table, end="")
    if arguments.save:
        text = arguments.save.read_text(encoding="utf-8").partition(MARK)[0]
        arguments.save.write_text(f"{text}{MARK}\n{table}", encoding="utf-8")


MARK = "## Spellings\n"
"""The heading above the table."""

if __name__ == "__main__":
    main()
