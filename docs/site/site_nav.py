"""The order of the site's pages: sections, and the pages of each by name or folder."""

from collections.abc import Iterable

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("index.md", "install.md", "tour.md", "concepts.md", "overview.md"),
    "Tutorials": (
        "rules/first_rule.md",
        "passes/first_pass.md",
        "packages/first_package.md",
        "packages/own_kernels.md",
        "packages/profiling.md",
        "block_ops.md",
        "memory_report.md",
        "debugging.md",
        "testing.md",
        "from_gru_to_htp.md",
    ),
    "Guides": ("rules/", "passes/", "following_passes.md", "packages/", ""),
    "Examples": ("examples/",),
    "Reference": ("reference/README.md", "reference/"),
    "Measurements": ("models.md", "benchmarks/"),
    "About": (
        "faq.md",
        "comparison.md",
        "glossary.md",
        "decisions.md",
        "contributing.md",
        "changelog.md",
    ),
}
"""The pages of each section in their order. A folder ends in a slash; the empty one has the rest.

The longest of the names that a page's own begins with is the one that counts.
"""


def sections(pages: Iterable[str]) -> dict[str, list[str]]:
    """Sort pages into sections, each page into one; a section without pages is left out."""
    ranks = {claim: rank for rank, claim in enumerate(_claims())}
    placed: dict[str, list[str]] = {title: [] for title in SECTIONS}
    for page in sorted(pages, key=lambda page: (ranks[_claim(page)], page)):
        title = next(title for title, claims in SECTIONS.items() if _claim(page) in claims)
        placed[title].append(page)
    return {title: names for title, names in placed.items() if names}


def _claims() -> list[str]:
    return [claim for claims in SECTIONS.values() for claim in claims]


def _claim(page: str) -> str:
    return max((claim for claim in _claims() if page.startswith(claim)), key=len)
