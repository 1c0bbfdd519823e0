# One word a chore. Every target sets up what it needs: a virtual environment in .venv with the pinned versions.
# Needs make, python3 (3.11 or newer) and python3-venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check --constraint constraints.txt
SOURCES := citeaudit agents tests benchmarks

VENV2 := .venv-pymupdf2

.PHONY: help demo test test-pymupdf2 lint format bench bench-index mutants package constraints clean
.DEFAULT_GOAL := help

help:
	@echo "make demo     audit the example manuscript that ships (no network once installed)"
	@echo "make test     run the whole test suite"
	@echo "make test-pymupdf2  the PDF tests with PyMuPDF 2, in a second environment"
	@echo "make lint     style, types, layers"
	@echo "make bench    score on SHARED=<folder with data/ and tools/>"
	@echo "make bench-index  measure the offline index on SHARED=<folder with data/>: an hour, 10 GB in WORK=<folder>"
	@echo "make mutants      change the rules one small thing at a time and count what the tests notice: an hour"
	@echo "make package  build wheel and sdist, install both apart, run the command"

$(VENV)/python:
	@command -v $(PYTHON) >/dev/null || { echo "python3 is missing: install Python 3.11 or newer (Debian: apt-get install python3)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: install Python 3.11 or newer, or name one with make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "python3-venv is missing: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/runtime: $(VENV)/python pyproject.toml constraints.txt
	@echo "installing citeaudit into $(VENV) ..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/dev: $(VENV)/runtime
	@echo "installing what tests and linters need into $(VENV) ..."
	@$(PIP) --editable '.[dev]'
	@touch $@

demo: $(VENV)/runtime
	@$(BIN)/citeaudit demo

test: $(VENV)/dev
	@$(BIN)/python -m pytest -q -m "not packaging" --cov --cov-report=term:skip-covered

# The PDF rooms must read the same with either line of PyMuPDF; all other versions are the pinned ones.
$(VENV2)/dev: $(VENV)/python pyproject.toml constraints.txt
	@echo "installing citeaudit with PyMuPDF 2 into $(VENV2) ..."
	@$(PYTHON) -m venv $(VENV2)
	@grep -v -i '^pymupdf' constraints.txt > $(VENV2)/constraints.txt
	@$(VENV2)/bin/python -m pip install --quiet --use-pep517 --disable-pip-version-check \
		--constraint $(VENV2)/constraints.txt --editable '.[dev]' 'pymupdf>=2,<3'
	@touch $@

test-pymupdf2: $(VENV2)/dev
	@$(VENV2)/bin/python -m pytest -q -m "not packaging" tests/pdf tests/extract/pdf tests/quotes tests/cli/test_quotes.py tests/cli/test_ground.py

lint: $(VENV)/dev
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

SHARED ?= ../shared
bench: $(VENV)/dev
	@test -d $(SHARED)/data || { echo "the scored material is not here: name its folder with make bench SHARED=DIR" >&2; exit 1; }
	$(BIN)/python benchmarks/baseline.py --shared $(SHARED)

WORK ?= /tmp/citeaudit-bench
bench-index: $(VENV)/dev
	@test -d $(SHARED)/data || { echo "the scored material is not here: name its folder with make bench-index SHARED=DIR" >&2; exit 1; }
	$(BIN)/python benchmarks/index_bench.py --shared $(SHARED) --work $(WORK)

mutants: $(VENV)/dev
	$(BIN)/python -m pip install --quiet -e '.[mutation]'
	$(BIN)/python benchmarks/mutants.py

package: $(VENV)/dev
	$(BIN)/python -m pytest -q -m packaging tests/packaging

constraints: $(VENV)/dev
	@{ sed -n '/^#/p' constraints.txt; $(BIN)/python -m pip list --format=freeze --exclude citeaudit --exclude pip --exclude setuptools --exclude editables; } > constraints.new
	@mv constraints.new constraints.txt

clean:
	rm -rf $(VENV) $(VENV2) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
