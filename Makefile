# make demo | quick | test | test-rest | test-all | check | docs | fuzz | soak | conformance | wheel | clean
# make bench | bench-block-ops | bench-lsp | bench-memory | bench-packing | bench-peak | bench-sizes | bench-start | bench-text
# Each makes the virtual environment that it needs.
# EXTRAS=,torch installs PyTorch, too.
PYTHON ?= python3
EXTRAS ?=
VENV := .venv
BIN := $(VENV)/bin
DEMO := $(VENV)/.demo
READY := $(VENV)/.ready
WHOLE := $(VENV)/.whole
SITE := $(VENV)/.site
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

# Without kept bytecode every process, of the tests and of the tools that they start, compiles all files.
unexport PYTHONDONTWRITEBYTECODE

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal

.PHONY: demo quick test test-rest test-all check docs fuzz soak conformance wheel clean
.PHONY: bench bench-block-ops bench-lsp bench-memory bench-packing bench-peak bench-sizes bench-start bench-text

demo: $(DEMO)
	$(BIN)/python docs/examples/keyword_spotter/demo.py

quick: $(READY)
	$(PYTEST) -m "not slow"

test: check
	$(PYTEST) -m "not exhaustive"

# What `make test` skips or leaves out, where nothing may be absent.
test-rest: $(WHOLE)
	$(PYTEST) -m "needs or exhaustive" --whole

test-all: $(WHOLE) check
	$(PYTEST) --whole

check: $(READY)
	rm -rf build/types && mkdir -p build/types/htp_mlir
	ln -s $(addprefix ../../../,dialects runtime lowering tests package/__init__.py) build/types/htp_mlir
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

wheel: $(READY)
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation -w dist .

docs: $(SITE)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(READY)
	$(BIN)/python tests/benchmarks/bench_runtime.py

fuzz: $(READY)
	FUZZ_CASES=10000 $(BIN)/python -m pytest -q tests/lowering/packages/def_package/test_fuzz.py
	$(BIN)/python -m tests.fuzz texts
	$(BIN)/python -m tests.fuzz models
	for name in arrays tensors plans journals nets summaries encodings definitions lists packages programs written; do $(BIN)/python -m tests.fuzz $$name || exit 1; done

# Sessions that all use OpenBLAS's threads wait for one another.
soak: $(READY)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.soak

conformance: $(READY)
	$(BIN)/python -m tests.conformance -j 2 --save docs/benchmarks/conformance.md

bench-block-ops: $(READY)
	$(BIN)/python tests/benchmarks/bench_block_ops.py --save docs/benchmarks/block_ops.md

bench-lsp: $(WHOLE)
	PYTHONPATH=.:tests/benchmarks $(BIN)/python tests/benchmarks/lsp/bench_lsp.py --save docs/benchmarks/lsp.md

bench-packing: $(READY)
	$(BIN)/python tests/benchmarks/bench_packing.py --save docs/benchmarks/packing.md

bench-peak: $(READY)
	PYTHONPATH=tests/benchmarks $(BIN)/python tests/benchmarks/memory/bench_peak.py --save docs/benchmarks/peak.md

bench-memory: $(READY)
	$(BIN)/python tests/benchmarks/bench_memory.py --resume build/bench_memory.jsonl --save docs/benchmarks/memory.md

bench-sizes: $(READY)
	PYTHONPATH=.:tests/benchmarks $(BIN)/python tests/benchmarks/memory/bench_sizes.py

bench-start: $(READY)
	$(BIN)/python tests/benchmarks/bench_start.py --sizes --save docs/benchmarks/start.md

bench-text: $(READY)
	$(BIN)/python tests/benchmarks/bench_text.py --save docs/benchmarks/text.md

$(DEMO): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[demo]'
	touch $@

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[test$(EXTRAS)]'
	touch $(DEMO) $@

$(WHOLE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[test-all]'
	touch $(DEMO) $(READY) $(SITE) $@

$(SITE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info report.html
