"""Writes the corpus of this version: `python -m tests.corpus`.

Files that are there stay; see `add`.
"""

from .folders import add, folder
from .making import corpus

if __name__ == "__main__":
    new, others = add(corpus(), folder())
    print(f"{folder().name}: {len(new)} new files; {len(others)} stay as they were written")
