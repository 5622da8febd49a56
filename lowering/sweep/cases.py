"""The cases of a sweep and their outcomes, which go to other processes as text.

Axes span the cases: models, SoCs, TCM sizes and options; rules and seeds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from itertools import product
from pathlib import Path
from shlex import join, quote
from typing import ClassVar, TypeVar

from xdsl.utils.arg_spec import parse_pipeline

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.faults.arguments import MANY, PATH, SIZE, WHOLE, a, arguments, many, size_of
from ...dialects.version import VERSION
from ...runtime.files.json_object import JsonObject
from ...runtime.passes.notation import plain
from ...runtime.tools.pipeline import make_pipeline
from ..packages.loading import load_packages, source_of
from ..passes.lower import Lower
from ..rules.definition.rule import Rule
from ..soc import check_tcm_options, soc


@dataclass(frozen=True, kw_only=True)
class Case:
    """A piece of work of a sweep, and the op packages that it needs.

    `folder` is the absolute folder where relative names of files begin, `digest` the sha256 of the
    files that are read: a case whose files have changed is another one.
    """

    AXES: ClassVar[tuple[str, ...]]
    """The fields that say in a table which case it is."""

    packages: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    folder: str = ""
    digest: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files that the case reads, for its digest."""
        return tuple(source.rpartition("=")[2] for source in self.packages)

    @property
    def command(self) -> str:
        """The command that repeats the case alone."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """The name of the case in a journal: the same for the same work of the same version."""
        values = {**json.loads(self.text()), "folder": "", "version": VERSION}
        return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:32]

    def text(self) -> str:
        """Return the case as JSON on one line, from which `case_of` makes it again."""
        return json.dumps({"kind": type(self).__name__, **asdict(self)})

    def path(self, name: str) -> Path:
        """Return where a file of the case is, as it was named where this process can see it so."""
        return Path(name) if Path(self.folder) == Path.cwd() else Path(self.folder, name)

    def digest_of_files(self) -> str:
        """Return the sha256 of the files as they are now; folders and modules count by name."""
        total = sha256()
        for name in self.files:
            path = self.path(name)
            total.update(path.read_bytes() if path.is_file() else name.encode())
        return total.hexdigest()

    def _package_flags(self) -> list[str]:
        sources = [word for name in self.packages for word in ("--package", name)]
        return [*sources, *(word for name in self.include for word in ("-I", name))]


@dataclass(frozen=True, kw_only=True)
class Lowering(Case):
    """A model to lower for a SoC and a TCM size, in bytes; `options` are others of htp-lower.

    `dims` and `constants` are `NAME=SIZE` and `NAME=VALUE`, as the flags `--dim` and `--const`.
    """

    AXES = ("model", "soc", "tcm_bytes", "options")

    model: str
    soc: str
    tcm_bytes: int
    options: str = ""
    dims: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        return (self.model, *super().files)

    @property
    def pipeline(self) -> str:
        """The pass with its options, as `-p` takes it."""
        options = f"soc={self.soc} tcm-bytes={self.tcm_bytes} {self.options}".rstrip()
        return f"htp-lower{{{options}}}"

    @property
    def command(self) -> str:
        flags = [word for dim in self.dims for word in ("--dim", dim)]
        flags += [word for value in self.constants for word in ("--const", value)]
        words = [*self._package_flags(), *flags]
        return f"{join(['htp-opt', self.model, *words])} -p {quote(self.pipeline)}"


@dataclass(frozen=True, kw_only=True)
class RuleCheck(Case):
    """A rule to check on `cases` graphs that are drawn from a seed.

    Other processes know it by `definition`, its text; `rule` is its label for people.
    """

    AXES = ("rule", "seed", "cases")

    rule: str
    name: str
    place: str
    definition: str
    seed: int
    cases: int

    @property
    def command(self) -> str:
        words = [*self._package_flags(), "--package-rules", "all"]
        numbers = ["--seed", str(self.seed), "--cases", str(self.cases)]
        return join(["htp", "rules", "check", *words, "--rule", self.place, *numbers])


_KINDS: dict[str, Callable[..., Case]] = {kind.__name__: kind for kind in (Lowering, RuleCheck)}


def case_of(text: str) -> Case:
    """Make the case that a JSON text describes."""
    values = json.loads(text)
    make = _KINDS[values.pop("kind")]
    return make(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


Cell = int | float | str
"""A value in a table."""


class Status(StrEnum):
    """The end of a case; a rule is passed over where no graph for it can be run."""

    OK = "ok"
    FAULT = "fault"
    PASSED_OVER = "passed over"


@dataclass(frozen=True)
class Outcome:
    """The figures of a case, or the two lines of its fault; `seconds` of wall time."""

    status: Status
    figures: Mapping[str, int] = field(default_factory=dict[str, int])
    problem: str = ""
    remedy: str = ""
    seconds: float = 0.0

    @classmethod
    def fault(cls, error: HtpError) -> Outcome:
        """Make the outcome of a case that failed; of several faults the first counts."""
        problem, remedy, *_ = error.lines()
        return cls(Status.FAULT, {}, problem, remedy.strip())

    @classmethod
    def read(cls, text: str) -> Outcome:
        """Make the outcome that a JSON text describes; HtpError or ValueError where it is none."""
        read = JsonObject("", {"outcome": json.loads(text)}).inner("outcome")
        figures = read.inner("figures")
        numbers = {name: figures.whole(name) for name in figures.fields}
        said = read.text("problem"), read.text("remedy")
        return cls(Status(read.text("status")), numbers, *said, read.number("seconds"))

    def text(self) -> str:
        """Return the outcome as JSON on one line."""
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Row:
    """A case with its outcome."""

    case: Case
    outcome: Outcome

    def cells(self) -> dict[str, Cell]:
        """Return the row by the names of its columns."""
        outcome = self.outcome
        return {
            **{name: getattr(self.case, name) for name in self.case.AXES},
            "status": outcome.status.value,
            **outcome.figures,
            "seconds": round(outcome.seconds, 4),
            "problem": outcome.problem,
            "remedy": outcome.remedy,
            "command": self.case.command,
        }


C = TypeVar("C", bound=Case)

_RULES = many(a("a rule", Rule))
_LISTS = dict.fromkeys(("socs", "options", "dims", "constants", "packages", "include"), MANY)


@arguments(models=many(PATH), tcm_bytes=many(SIZE), **_LISTS)
def lowerings(
    models: Iterable[str | Path],
    *,
    socs: Sequence[str] = ("SM8650",),
    tcm_bytes: Sequence[int | str] = (),
    options: Sequence[str] = ("",),
    dims: Sequence[str] = (),
    constants: Sequence[str] = (),
    packages: Sequence[str] = (),
    include: Sequence[str] = (),
) -> list[Lowering]:
    """List the lowerings of each model for each SoC, TCM size and options, in this order.

    Without `tcm_bytes` each SoC has the size of its own. `options` are texts such as
    `tiling=false`, as the braces of htp-lower take them. HtpError for an unknown SoC, a bad option
    or size, and a file that is missing.
    """
    for text in options:
        config_of(text)
    sizes = [size_of("lowerings", "argument 'tcm_bytes'", size) for size in tcm_bytes]
    for size in sizes:
        check_tcm_options("--tcm", size)
    named = packages_by_path(packages)
    cases: list[Lowering] = []
    for model, chip in product(map(str, models), map(soc, socs)):
        if not Path(model).is_file():
            raise fail(model, "no such file", CHECK_PATH)
        for size, text in product(sizes or (chip.tcm_bytes,), options):
            case = Lowering(
                model=model,
                soc=chip.name,
                tcm_bytes=size,
                options=text,
                dims=tuple(dims),
                constants=tuple(constants),
                packages=named,
                include=tuple(include),
            )
            cases.append(case)
    return _with_digests(cases)


@arguments(rules=_RULES, seeds=many(WHOLE), cases=WHOLE, packages=MANY, include=MANY)
def rule_checks(
    rules: Iterable[Rule] | None = None,
    *,
    seeds: Iterable[int] = (0,),
    cases: int = 50,
    packages: Sequence[str] = (),
    include: Sequence[str] = (),
) -> list[RuleCheck]:
    """List the checks of each rule with each seed, on `cases` graphs each.

    The rules are those of `packages` and the installed ones, by default all. HtpError where a
    package cannot be loaded.
    """
    chosen = load_packages(*packages, include=include).rules if rules is None else rules
    named, folders, numbers = packages_by_path(packages), tuple(include), tuple(seeds)
    checks: list[RuleCheck] = []
    for rule, seed in product(chosen, numbers):
        # Two folders and the line: the rest of the path differs from machine to machine.
        place = "/".join(rule.place.rsplit("/", 2)[-2:])
        check = RuleCheck(
            rule=f"{rule.name} ({place})",
            name=rule.name,
            place=place,
            definition=str(rule),
            seed=seed,
            cases=cases,
            packages=named,
            include=folders,
        )
        checks.append(check)
    return _with_digests(checks)


def packages_by_path(sources: Sequence[str]) -> tuple[str, ...]:
    """Name packages in files by their absolute paths, so that other processes read the same."""
    named: list[str] = []
    for source in map(source_of, sources):
        path = Path(source.where)
        where = str(path.resolve()) if path.exists() else source.where
        named.append(where if source.name is None else f"{source.name}={where}")
    return tuple(named)


def _with_digests(cases: Sequence[C]) -> list[C]:
    """Note on cases the folder and the files as they are now; files of several are read once."""
    folder = str(Path.cwd())
    placed = [replace(case, folder=folder) for case in cases]
    digests = {case.files: case for case in placed}
    known = {files: case.digest_of_files() for files, case in digests.items()}
    return [replace(case, digest=known[case.files]) for case in placed]


_AXES = ("soc", "tcm_bytes", "level")
"""The options that are axes of their own, or that leave no plan to measure."""


def config_of(options: str) -> Lower:
    """Return htp-lower with options as its braces have them; HtpError for a bad or a taken one."""
    text = f"{Lower.name}{{{options}}}" if options.strip() else Lower.name
    (config,) = make_pipeline({Lower.name: lambda: Lower}, text).passes
    if not isinstance(config, Lower):
        raise TypeError(config)
    (spec,) = parse_pipeline(plain(text))
    for name in spec.parameters:
        if name.replace("-", "_") in _AXES:
            remedy = "use --soc and --tcm; a sweep measures the allocated level"
            raise fail(f"--options '{options}'", f"'{name}' is no option to vary here", remedy)
    return config
