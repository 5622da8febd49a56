"""Answers of the language server: seconds after the last keystroke, memory, random edits.

`make bench-lsp` prints the tables; `--save FILE` puts them before the older ones in a file.
"""

import platform
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from os import getloadavg, sysconf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from htp_mlir.lowering.lsp.answers import completions, hover
from htp_mlir.lowering.lsp.run_lines import run_line_faults
from htp_mlir.runtime.installed.environment import environment
from report import run_benchmark

from tests.lowering.lsp.client import Client, WholeText

HEADING = """# Language server benchmark

What `make bench-lsp` printed, newest first. A keystroke is sent to the real server in a process,
and a request right behind it: milliseconds until the answer, over 50 keystrokes, and until the
faults of the text come, which wait 50 ms for another keystroke; `meanwhile` is while a text is
read for the first time. The last column is the time of the
processor for each keystroke, its answers and faults, which other work on the machine does not
change. Memory is the resident set of the server.
"""
CORPUS = Path(__file__).parents[2] / "corpus"
EDITS, RANDOM_EDITS = 50, 10_000
MEMORY_EDITS = (100, 1000, 2000, 3000)
T = "tensor<1x8x8x4xf32>"


def long_text(lines: int) -> str:
    """A function of this many lines."""
    body = [
        f"  %x{n} = htp.Add(%x{n - 1}, %x{max(n - 2, 0)}) : ({T}, {T}) -> {T}"
        if n % 3 == 0
        else f"  %x{n} = htp.Relu(%x{n - 1}) : ({T}) -> {T}"
        for n in range(1, lines - 2)
    ]
    head, end = f"func.func @main(%x0: {T}) -> {T} {{", f"  func.return %x{lines - 3} : {T}"
    return "\n".join([head, *body, end, "}", ""])


def many_functions(count: int) -> str:
    """Functions of 20 lines each."""
    return "".join(long_text(20).replace("@main", f"@f{number}") for number in range(count))


def milliseconds(call: Callable[[], object]) -> float:
    """Milliseconds of a call."""
    start = perf_counter()
    call()
    return (perf_counter() - start) * 1000


def processor(client: Client) -> float:
    """Milliseconds of the processor that the server has taken."""
    times = Path(f"/proc/{client.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    return sum(map(int, times.split()[11:13])) * 1000 / sysconf("SC_CLK_TCK")


def answers_of_reading(client: Client, text: str) -> Iterator[float]:
    """Milliseconds of answers while a text is read, until its faults come."""
    document = {"uri": client.uri, "languageId": "mlir", "version": 0, "text": text}
    client.tell("textDocument/didOpen", {"textDocument": document})
    while not any("publishDiagnostics" in note["method"] for note in client.notes):
        yield milliseconds(lambda: client.about("hover", 1, 10))


def rows(name: str, text: str, folder: Path) -> Iterator[str]:
    """Rows of the table of one text."""
    lines = text.split("\n")
    ops = [n for n, line in enumerate(lines) if re.match(r"\s*%[\w, %]+ = ", line)]
    chance = random.Random(0)
    with Client(folder / "model.mlir") as client:
        start = perf_counter()
        times = sorted(answers_of_reading(client, text))
        read = f"{name}, {len(lines):,} lines, read in {perf_counter() - start:.1f} s"
        yield f"| {read} | hover, meanwhile | {median(times):.0f} | {times[-1]:.0f} | |"

        def edits(method: str) -> Iterator[float]:
            """Type a comment behind an op, or a lone brace, ask, and take it away again."""
            for number in range(EDITS):
                at, typed = chance.choice(ops), " // x"
                end = len(lines[at])
                if method.endswith("brace"):
                    # In front of the op.
                    typed, end = "}{"[number % 2], 0
                start = perf_counter()
                client.type(at, end, end, typed)
                if method.startswith("faults"):
                    client.diagnostics()
                else:
                    client.about(method, at, lines[at].index("=") + 4)
                yield (perf_counter() - start) * 1000
                client.edit(at, end, end + len(typed), "")

        for method in ("completion", "hover", "documentSymbol", "faults", "faults, a brace"):
            before = processor(client)
            times = sorted(edits(method))
            each = (processor(client) - before) / EDITS / 2
            yield f"| {read} | {method} | {median(times):.0f} | {times[-1]:.0f} | {each:.0f} |"


def memory(text: str, folder: Path) -> str:
    """Memory before and after many edits that change an op, and change it back."""
    with Client(folder / "model.mlir") as client:
        client.open(text)
        at = next(n for n, line in enumerate(text.split("\n")) if "htp.Relu" in line)
        column = text.split("\n")[at].index("Relu")
        sizes = []
        for number in range(MEMORY_EDITS[-1] + 1):
            if number in MEMORY_EDITS:
                sizes.append(client.resident())
            old, new = ("Relu", "Neg") if number % 2 == 0 else ("Neg", "Relu")
            client.type(at, column, column + len(old), new)
            client.about("hover", at, column)
    shown = ", ".join(f"{size:.1f}" for size in sizes)
    return f"MiB after {', '.join(map(str, MEMORY_EDITS))} edits, each read: {shown}."


def random_edits(text: str) -> str:
    """Random edits, each with an answer at a random place; an exception ends the benchmark."""
    chance, live = random.Random(1), WholeText("model.mlir", environment([]).context())
    parts = ("%y", "(", ")", "{", "}", "\n", '"', "htp.Relu", "func.func", ":", T, "@main", "é", "")
    start = perf_counter()
    now = text
    for case in range(RANDOM_EDITS):
        now = text if case % 40 == 0 else now
        begin = chance.randrange(len(now) + 1)
        end = begin + chance.choice((0, 0, 1, 4, 40))
        now = now[:begin] + chance.choice(parts) + now[end:]
        live.update(now)
        run_line_faults(now, "model.mlir")
        line = chance.randrange(len(live.lines))
        column = chance.randrange(len(live.lines[line]) + 1)
        hover(live, line, column)
        list(completions(live, line, column)[1])
    seconds = perf_counter() - start
    what = f"{RANDOM_EDITS:,} random edits, each with a hover and a completion"
    return f"{what}: no exception, {seconds:.0f} s."


def report() -> str:
    """The section of this run."""
    largest = max(CORPUS.rglob("*.mlir"), key=lambda path: path.stat().st_size)
    corpus = largest.read_text(encoding="utf-8")
    lines = [f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC", ""]
    load = f"load average {getloadavg()[0]:.1f} on two cores"
    about = f"Python {platform.python_version()}, xDSL {version('xdsl')}, pygls {version('pygls')}"
    lines += [f"{about}; {load}.", ""]
    lines += ["| text | answer | median, ms | worst, ms | processor, ms |", "|---|---|---|---|---|"]
    texts = {
        largest.name: corpus,
        "a function": long_text(20_000),
        "1,000 functions": many_functions(1000),
    }
    for name, text in texts.items():
        with TemporaryDirectory() as folder:
            lines += rows(name, text, Path(folder))
    with TemporaryDirectory() as folder:
        lines += ["", memory(long_text(300), Path(folder)), "", random_edits(long_text(12)), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    run_benchmark("the language server", report, HEADING)
