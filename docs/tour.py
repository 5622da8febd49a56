"""The tour as a marimo notebook: `marimo edit docs/tour.py`, or `python docs/tour.py` to run it."""

import marimo

__generated_with = "0.25.2"

app = marimo.App(width="medium", app_title="htp-mlir: the tour")


@app.cell
def imports():
    from pathlib import Path

    import marimo as mo
    import numpy as np
    from htp_mlir.lowering import load_module, lower
    from htp_mlir.runtime import Session

    return Path, Session, load_module, lower, mo, np


@app.cell
def read(Path, load_module, mo):
    folder = Path(__file__).parent / "examples" / "keyword_spotter"
    graph = load_module(str(folder / "model.onnx"))
    mo.md(f"""
# Tour of htp-mlir

A keyword spotter is read from ONNX: {sum(1 for _ in graph.walk())} ops of the graph level. It hears
one frame of audio per inference and remembers the past itself, in block ops with state.
""")
    return (graph,)


@app.cell
def choose(mo):
    kib = mo.ui.slider(steps=[32, 48, 64, 96, 128, 256, 1024], value=64, label="KiB of TCM")
    level = mo.ui.dropdown(["native", "placed", "allocated"], value="allocated", label="level")
    mo.vstack([mo.md("## Lower it: choose the memory and the level"), kib, level])
    return kib, level


@app.cell
def lower_it(graph, kib, level, lower, mo):
    lowered = lower(graph, soc="SM8650", tcm_bytes=kib.value * 1024, level=level.value)
    counts: dict[str, int] = {}
    for op in lowered.walk():
        counts[op.name] = counts.get(op.name, 0) + 1
    rows = [{"op": name, "count": count} for name, count in sorted(counts.items())]
    mo.vstack([mo.md("## The ops that run"), mo.ui.table(rows, selection=None)])
    return counts, lowered


@app.cell
def memory(counts, kib, mo):
    spills, fills = counts.get("htp.Spill", 0), counts.get("htp.Fill", 0)
    mo.md(f"""
## The memory

With {kib.value} KiB, {spills} tensors are spilled from TCM and {fills} filled again. A larger TCM
has fewer of both. `htp-opt -t memory-report` draws the whole plan.
""")


@app.cell
def compare(Session, graph, lowered, mo, np):
    before, after = Session(graph), Session(lowered, check=True)
    errors = []
    for frame in np.random.default_rng(0).standard_normal((5, 1, 1, 1, 40)).astype(np.float32):
        inputs = {"frame": frame, "reset": np.bool_(False)}
        expected, result = before.run(inputs), after.run(inputs)
        errors.append(max(float(np.max(np.abs(result[n] - expected[n]))) for n in expected))
    mo.md(f"""
## The numbers

Both levels ran on five frames, with their state kept in between and every access to memory checked.
The largest difference is {max(errors):.1e}.
""")
    return (errors,)


@app.cell
def agree(errors):
    # The largest result is below 10, so this is a relative error of about 1e-5.
    assert max(errors) < 1e-4, errors


if __name__ == "__main__":
    app.run()
