# Every target installs what it needs: `make demo` and `make test` work in a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
GPU := $(VENV)/gpu
TOOLS := $(VENV)/tools
DOCS := $(VENV)/docs
BENCH := $(VENV)/bench
FUZZ := $(VENV)/fuzz
BROWSER := $(VENV)/browser
RELEASE := $(VENV)/release
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo --non-interactive)
INSTALL := pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal
SPHINX := $(BIN)/python -m sphinx -W --keep-going -n
SEED ?= $(shell date +%s)

.PHONY: demo style types test check test-slow test-all test-random test-gpu bench fuzz signals notebook pretrained format lock clean release-check docs docs-links

demo: $(READY)
	$(BIN)/hyperskip demo

# All checks that a change must pass. With `make check test-all`, the fast tests run once.
check: style types test

style: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

# The fast tests.
test: $(READY) $(GPU) $(BROWSER)
	$(PYTEST)

# The tests marked slow. Tests with real data are skipped unless HYPERSKIP_CORPUS and HYPERSKIP_DATA are set.
test-slow: $(READY) $(GPU) $(TOOLS) $(DOCS) $(BROWSER)
	$(PYTEST) -m slow

# Every test, fast and slow.
test-all: test test-slow

# The fast tests in random order; `make test-random SEED=...` repeats an order. It measures branch coverage,
# which would make `make test` slower, and fails below `fail_under` in pyproject.toml. Seeds are not reset:
# spaCy would seed PyTorch between tests, even if a test has replaced it.
test-random: $(READY) $(GPU) $(BROWSER)
	$(PYTEST) -p randomly --randomly-seed $(SEED) --randomly-dont-reset-seed --cov --cov-report=
	$(BIN)/python tests/coverage_by_folder.py

# The GPU tests on a real GPU, with the PyTorch in the environment.
test-gpu: $(READY)
	TRITON_INTERPRET=0 $(BIN)/python -m pytest -m '' -k 'gpu or cuda'

# Compare hyperskip with fastText and gensim; `make bench ARGUMENTS=--help` lists the options.
bench: $(BENCH)/ready
	$(BENCH)/bin/python benchmarks/peers.py $(ARGUMENTS)

# Hostile input for every reader; `make fuzz ARGUMENTS=--help` lists the options.
fuzz: $(FUZZ)/ready
	$(FUZZ)/bin/python fuzzing/run.py $(ARGUMENTS)

# Signals at many moments of every long-running command; `make signals ARGUMENTS=--help` lists the options.
signals: $(READY)
	$(BIN)/python fuzzing/signals.py $(ARGUMENTS)

# Execute the notebook of the documentation again, and store its outputs.
notebook: $(READY)
	$(BIN)/python tests/notebook_runner.py

# Train vectors on a Wikipedia dump, or another text, and write them with their card to pretrained/NAME:
# make pretrained DUMP=enwiki-pages-articles.xml.bz2 NAME=wiki-en-100 DIMENSION=100
# For another text than Wikipedia, state the license of the vectors: LICENSE=...
# After an interruption, the same command resumes. A finished model is not trained again.
DIMENSION ?= 100
LICENSE ?= CC-BY-SA-4.0
TRAINED := pretrained/$(NAME).safetensors
pretrained: $(READY)
	@[ -n '$(DUMP)' ] && [ -n '$(NAME)' ] || { echo 'usage: make pretrained DUMP=FILE NAME=NAME [DIMENSION=100] [ARGUMENTS=...]' >&2; exit 2; }
	@case '$(NAME)' in *[!A-Za-z0-9_-]*) echo 'NAME must have letters, digits, hyphens and underscores only' >&2; exit 2;; esac
	mkdir -p pretrained
	@if [ -e '$(TRAINED)' ]; then echo '$(TRAINED) is finished; remove it to train again' >&2; fi
	[ -e '$(TRAINED)' ] || $(BIN)/hyperskip train '$(DUMP)' -o '$(TRAINED)' --dimension $(DIMENSION) --hierarchy --min-count 15 --resume
	$(BIN)/hyperskip publish '$(TRAINED)' -o 'pretrained/$(NAME)' --name '$(NAME)' --license '$(LICENSE)' $(ARGUMENTS)

# Build the packages, install them in bare environments, and use them there;
# `make release-check ARGUMENTS=--help` lists the options.
release-check: $(RELEASE)/ready
	rm -rf dist
	UV_DEFAULT_INDEX="$${UV_DEFAULT_INDEX:-$$($(RELEASE)/bin/pip config get global.index-url 2>/dev/null || true)}"; \
	[ -z "$$UV_DEFAULT_INDEX" ] || export UV_DEFAULT_INDEX; $(RELEASE)/bin/uv build --quiet --out-dir dist .
	$(RELEASE)/bin/python tests/release/check_wheel.py dist $(ARGUMENTS)

# The documentation site, in docs/_build/html. Warnings and broken internal links are errors.
docs: $(DOCS)
	$(SPHINX) docs docs/_build/html

# The links of the documentation to other sites; needs the network.
docs-links: $(DOCS)
	$(SPHINX) -b linkcheck docs docs/_build/links

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The versions and hashes of all packages that CI installs, for every supported version of Python.
# Versions change only if pyproject.toml requires it; `make lock ARGUMENTS=--upgrade` takes the newest.
lock:
	$(PYTHON) -m venv --clear $(VENV)/lock
	$(VENV)/lock/bin/$(INSTALL) uv
	$(VENV)/lock/bin/uv pip compile --quiet --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url $(ARGUMENTS) --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) demo docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hyperskip needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(INSTALL) --no-deps --require-hashes --requirement requirements.lock
	$(BIN)/$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $(READY)

# PyTorch and Triton, so that the GPU kernels are tested on any machine. If they cannot be installed, those
# tests are skipped.
$(GPU): requirements-gpu.lock $(READY)
	if $(BIN)/$(INSTALL) --requirement requirements-gpu.lock; \
	then touch $(GPU); else echo 'PyTorch or Triton could not be installed: GPU tests are skipped.' >&2; fi

# The programs that exported vectors are tested with. If they cannot be installed, those tests are skipped.
$(TOOLS): requirements-tools.lock $(GPU)
	if $(BIN)/$(INSTALL) --requirement requirements-tools.lock; \
	then touch $(TOOLS); else echo 'The programs to export to could not be installed: their tests are skipped.' >&2; fi

# The programs that build the documentation. The reference of hyperskip.torch needs PyTorch.
$(DOCS): requirements-docs.lock $(GPU)
	$(BIN)/$(INSTALL) --requirement requirements-docs.lock
	touch $(DOCS)

# Chromium, so that the explorer is tested in a real browser: the shell without windows, which takes half the
# time, or else the whole browser. If none can be installed, those tests are skipped.
APT_INSTALL := $(SUDO) apt-get install --yes -qq --no-install-recommends
$(BROWSER): $(READY)
	if command -v chromium-headless-shell >/dev/null || { $(SUDO) apt-get update -qq && $(APT_INSTALL) chromium-headless-shell fonts-dejavu-core >/dev/null; } \
		|| command -v chromium >/dev/null || command -v chromium-browser >/dev/null || $(APT_INSTALL) chromium fonts-dejavu-core >/dev/null; \
	then touch $(BROWSER); else echo 'Chromium could not be installed: browser tests are skipped.' >&2; fi

# A separate environment: the programs that build packages are not in requirements.lock.
$(RELEASE)/ready: Makefile
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/$(INSTALL) uv==0.13.8 twine==7.0.0
	touch $(RELEASE)/ready

# A separate environment: the programs to compare with are not in requirements.lock.
$(BENCH)/ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/$(INSTALL) --no-deps --require-hashes --requirement requirements.lock
	$(BENCH)/bin/$(INSTALL) --editable '.[bench]' || \
		{ echo 'If fasttext failed: it is compiled from source, which requires a C++ compiler (g++ or clang++).' >&2; exit 1; }
	touch $(BENCH)/ready

# A separate environment: atheris is available for few systems and versions of Python.
$(FUZZ)/ready: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(FUZZ)
	$(FUZZ)/bin/$(INSTALL) --no-deps --require-hashes --requirement requirements.lock
	$(FUZZ)/bin/$(INSTALL) --no-build-isolation --editable '.[fuzz]' || \
		{ echo 'If atheris failed: it has wheels for CPython on Linux; try: make fuzz PYTHON=python3.12' >&2; exit 1; }
	touch $(FUZZ)/ready
