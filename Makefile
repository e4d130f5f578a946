# Every target sets up what it needs: `make demo` and `make test` work in a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
GPU := $(VENV)/gpu
BENCH := $(VENV)/bench
FUZZ := $(VENV)/fuzz
BROWSER := $(VENV)/browser
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo --non-interactive)
PARALLEL := -n auto --maxprocesses 4 --dist loadfile

.PHONY: demo test check test-slow test-gpu bench fuzz format lock clean

demo: $(READY)
	$(BIN)/hyperskip demo

test: $(READY) $(GPU) $(BROWSER)
	$(BIN)/python -m pytest $(PARALLEL)

check: $(READY) $(GPU) $(BROWSER)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q $(PARALLEL)

test-slow: $(READY) $(GPU)
	$(BIN)/python -m pytest -m slow

# The tests of the GPU on a real one, with whatever PyTorch there is in the environment.
test-gpu: $(READY)
	TRITON_INTERPRET=0 $(BIN)/python -m pytest -k 'gpu or cuda'

# hyperskip beside fastText and gensim; `make bench ARGUMENTS=--help` says what can be chosen.
bench: $(BENCH)/ready
	$(BENCH)/bin/python benchmarks/peers.py $(ARGUMENTS)

# Hostile input for every reader; `make fuzz ARGUMENTS=--help` says what can be chosen.
fuzz: $(FUZZ)/ready
	$(FUZZ)/bin/python fuzzing/run.py $(ARGUMENTS)

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The versions that CI tests with, from what pyproject.toml allows today. Those of requirements-gpu.lock,
# which are large, are chosen by hand.
lock:
	$(PYTHON) -m venv --clear $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet '.[dev]'
	$(VENV)/lock/bin/pip freeze --exclude hyperskip > requirements.lock

clean:
	rm -rf $(VENV) demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hyperskip needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)

# PyTorch and Triton, so that the kernels of the GPU are tested, on any machine; tests go without
# where they cannot be installed.
$(GPU): requirements-gpu.lock $(READY)
	if $(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock --requirement requirements-gpu.lock; \
	then touch $(GPU); else echo 'PyTorch or Triton could not be installed: tests of the GPU are skipped.' >&2; fi

# Chromium, so that the explorer is tested in a real browser; tests go without where it cannot be installed.
$(BROWSER): $(READY)
	if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install --yes -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; }; \
	then touch $(BROWSER); else echo 'Chromium could not be installed: tests in a browser are skipped.' >&2; fi

# An environment of its own: what we compare with is no part of requirements.lock or of the tests.
$(BENCH)/ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[bench]' || \
		{ echo 'If it was fasttext that failed: it is compiled from source, which takes a C++ compiler (g++ or clang++).' >&2; exit 1; }
	touch $(BENCH)/ready

# As above: atheris is there for few systems and versions of Python.
$(FUZZ)/ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(FUZZ)
	$(FUZZ)/bin/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[fuzz]' || \
		{ echo 'If it was atheris that failed: it has wheels for CPython on Linux; try: make fuzz PYTHON=python3.12' >&2; exit 1; }
	touch $(FUZZ)/ready
