"""Programs that call every integer intrinsic of the table on the same vectors: here and on Hexagon.

Both are operands of one C text, which the headers of either side compile, and print all results.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from htp_mlir.lowering.packages.compiled.compiler_errors import DEVICE

ROUNDS = 24
"""Rows of operands for each intrinsic: random ones, and some of edge values."""
_ROW = re.compile(r"^HVX\((\w), (\w+), \(([^)]*)\), \"([^\"]*)\"", re.MULTILINE)
_SIZES = {"V": 128, "W": 256, "Q": 128, "R": 4, "D": 8}
_EDGES = (0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF)
_HERE_ONLY = {"Q6_R_vextract_VR"}
"""Rows whose register is a byte offset that the compiler's header wants aligned."""


@dataclass(frozen=True)
class Intrinsic:
    """A row of the table."""

    result: str
    name: str
    parameters: tuple[str, ...]
    meaning: str

    @property
    def is_float(self) -> bool:
        """Whether it reads or gives floats."""
        return bool(re.search(r"qf|sf|hf", self.name))

    def call(self, n: int) -> str:
        """The call with the operands of round `n`."""
        operands = []
        for index, kind in enumerate(self.parameters):
            at = (5 * n + index) % ROUNDS
            vector, other = f"vector({at})", f"vector({(at + 7) % ROUNDS})"
            immediate = self.name.endswith("I") and index == len(self.parameters) - 1
            operands.append(
                str(n % 8)
                if immediate
                else {
                    "V": vector,
                    "W": f"Q6_W_vcombine_VV({vector}, {other})",
                    "Q": f"Q6_Q_vcmp_gt_VbVb({vector}, {other})",
                    "R": f"scalar({at})",
                    "D": f"wide({at})",
                }[kind]
            )
        return f"{self.name}({', '.join(operands)})"


def table() -> list[Intrinsic]:
    """The rows of the table."""
    text = (DEVICE / "hvx.h").read_text()
    return [
        Intrinsic(result, name, tuple(p.split()[0] for p in params.split(",") if p), meaning)
        for result, name, params, meaning in _ROW.findall(text)
    ]


def integer_rows() -> list[Intrinsic]:
    return [row for row in table() if not row.is_float and row.name not in _HERE_ONLY]


def data() -> bytes:
    """The operands: random bytes, and rounds in which each byte is an edge value."""
    rng = np.random.default_rng(7)
    random = rng.integers(0, 256, (ROUNDS, 128), np.uint8)
    random[ROUNDS // 2 :] = rng.choice(np.array(_EDGES, np.uint8), (ROUNDS - ROUNDS // 2, 128))
    # Small numbers, as indices and amounts are.
    random[::6] &= 0x3F
    return random.tobytes()


def program(rows: list[Intrinsic], on_hexagon: bool) -> str:
    """The text of the program for one side."""
    numbers = ",".join(map(str, data()))
    size = ROUNDS * sum(_SIZES[row.result] for row in rows)
    return "\n".join(
        [
            _HEXAGON if on_hexagon else _HERE,
            f"static unsigned char data[] __attribute__((aligned(128))) = {{{numbers}}};",
            f"static unsigned char out[{size}] __attribute__((aligned(128)));",
            _HELPERS,
            *(_function(row) for row in rows),
            "static void all(void) {",
            *(f"    call_{row.name}();" for row in rows),
            "}",
            (_HEXAGON_MAIN if on_hexagon else _MAIN),
        ]
    )


def _function(row: Intrinsic) -> str:
    stores = {
        "V": "keep({})",
        "W": "HVX_VectorPair p = {}; keep(Q6_V_lo_W(p)); keep(Q6_V_hi_W(p))",
        "Q": "keep(Q6_V_vand_QR({}, -1))",
        "R": "int r = {}; keep_bytes(&r, 4)",
        "D": "long long r = {}; keep_bytes(&r, 8)",
    }
    lines = [f"    {{ {stores[row.result].format(row.call(n))}; }}" for n in range(ROUNDS)]
    return "\n".join(
        [f"__attribute__((noinline)) static void call_{row.name}(void) {{", *lines, "}"]
    )


def results(rows: list[Intrinsic], printed: bytes) -> Iterator[tuple[Intrinsic, bytes]]:
    """What was printed, by row."""
    at = 0
    for row in rows:
        size = ROUNDS * _SIZES[row.result]
        yield row, printed[at : at + size]
        at += size


def run_here(rows: list[Intrinsic], folder: Path) -> bytes:
    """Compile and run the program with our header."""
    source = folder / "here.cpp"
    source.write_text(program(rows, on_hexagon=False))
    command = ["g++", "-std=c++17", "-O1", "-w", "-I", str(DEVICE), str(source), "-o"]
    subprocess.run([*command, str(folder / "here")], check=True)
    return subprocess.run([str(folder / "here")], check=True, capture_output=True).stdout


def run_on_hexagon(rows: list[Intrinsic], folder: Path, tools: tuple[str, str, str]) -> bytes:
    """Compile and run the program with clang's header, under qemu."""
    clang, lld, qemu = tools
    (folder / "there.c").write_text(program(rows, on_hexagon=True))
    flags = "--target=hexagon-unknown-linux-musl -mcpu=hexagonv68 -mhvx -mhvx-length=128b -O1"
    compiled = [clang, *flags.split(), "-ffreestanding", "-w", "-c", "there.c", "-o", "there.o"]
    subprocess.run(compiled, check=True, cwd=folder)
    linked = [lld, "-m", "hexagonelf", "-static", "there.o", "-o", "there.elf"]
    subprocess.run(linked, check=True, cwd=folder)
    ran = [qemu, "-cpu", "v67", "./there.elf"]
    return subprocess.run(ran, check=True, capture_output=True, cwd=folder).stdout


_HERE = '#include <cstdio>\n#include "hvx.h"'
_HEXAGON = (
    "#include <hexagon_types.h>\n#include <hexagon_protos.h>\n#include <hvx_hexagon_protos.h>"
)
_HELPERS = """
static unsigned char *next = out;
static HVX_Vector vector(int n) { return *(HVX_Vector *)(data + 128 * n); }
static int scalar(int n) { return *(int *)(data + 128 * n + 4); }
static long long wide(int n) { return *(long long *)(data + 128 * n + 8); }
static void keep_bytes(const void *at, int n) {
    for (int i = 0; i < n; i++) *next++ = ((const unsigned char *)at)[i];
}
__attribute__((noinline)) static void keep(HVX_Vector v) { keep_bytes(&v, 128); }
"""
_MAIN = "int main() { all(); fwrite(out, 1, next - out, stdout); }"
_HEXAGON_MAIN = """
static int system_call(int number, int a, int b, int c) {
    register int r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c;
    register int r6 __asm__("r6") = number;
    __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r6) : "memory");
    return r0;
}
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
    for (__SIZE_TYPE__ i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int c, __SIZE_TYPE__ n) {
    for (__SIZE_TYPE__ i = 0; i < n; i++) ((volatile char *)to)[i] = c;
    return to;
}
__attribute__((noinline)) void program(void) {
    all();
    for (unsigned char *at = out; at < next;) at += system_call(64, 1, (int)at, next - at);
    system_call(93, 0, 0, 0);
}
__attribute__((naked)) void _start(void) { __asm__("r29 = and(r29, #-128)\\n call program"); }
"""
