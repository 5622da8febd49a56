"""Damaged packages: what loads is migrated, written, read back and put beside htp, or refused."""

from pathlib import Path
from random import Random

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages import Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.lowering.packages.migrate import migrate
from htp_mlir.lowering.packages.migrate.report import report

from ..def_package.mutations import damaged
from ..def_package.texts import ALIASES
from .by_hand import FAST

CASES = 80


def survives(path: Path, text: str) -> bool:
    """Load, migrate and use a text; False for a clean error."""
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        package, _ = load_cpp(path, name="Pkg")
        migration = migrate(package)
        assert report(migration)
        assert report(migration, in_python=True)
        path.write_text(write_cpp(migration.after))
        again, summary = load_cpp(path, name="Pkg")
        assert (again, summary.skipped) == (migration.after, ())
        Packages().extended(from_cpp(package))
    except HtpError:
        return False
    return True


@pytest.mark.slow
def test_damaged_packages(tmp_path: Path) -> None:
    survived = 0
    for seed in range(CASES):
        random = Random(seed)
        survived += survives(tmp_path / "a.cpp", damaged(random, random.choice((FAST, ALIASES))))
    assert survived > CASES / 2
