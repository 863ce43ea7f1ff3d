PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# -qq still prints errors.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
PYTEST_ARGS ?=
BENCH_ARGS ?=

DEMO_QUERY = \
	--base "Make = 'Toyota' AND \"Vehicle Style\" = 'Sedan' AND \"Transmission Type\" = 'AUTOMATIC'" \
	--where "Year >= 2017 AND MSRP <= 38500 AND \"highway MPG\" >= 34 AND \"Vehicle Size\" = 'Large'" \
	--weight Year=0.3 --weight MSRP=0.9 --weight "highway MPG=0.6" --weight "Vehicle Size=0.5"

.PHONY: help demo test test-fast test-nightly lint check format bench clean venv train-libraries spark-libraries

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.core ## repair one empty query over the sample cars
	@$(BIN)/concede repair --catalog sample:cars $(DEMO_QUERY)

test: $(VENV)/.dev ## run the tests; more arguments: make test PYTEST_ARGS='-k house'
	@$(BIN)/pytest -n 2 $(PYTEST_ARGS)

test-fast: $(VENV)/.dev ## run what is not marked slow, with few examples; under 3 minutes on 2 cores
	@$(BIN)/pytest -n 2 -m 'not slow' --hypothesis-profile=fast $(PYTEST_ARGS)

test-nightly: $(VENV)/.dev ## run the tests with 1,000 examples a property, drawn anew each time
	@$(BIN)/pytest -n 2 --hypothesis-profile=nightly $(PYTEST_ARGS)

lint: $(VENV)/.dev ## ruff, pyright, import-linter, the docs
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/mkdocs build --quiet --strict

check: lint test ## all that must pass before a commit

format: $(VENV)/.dev ## sort imports, apply safe fixes, format
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

bench: $(VENV)/.dev ## time ours beside other tools into docs/performance.md; 7 to 15 minutes
	@$(BIN)/concede bench throughput --markdown docs/performance.md $(BENCH_ARGS)

venv: $(VENV)/.dev ## create .venv with everything for development

train-libraries: $(VENV)/.dev ## add what trains language models (1 GB); its tests skip without
	@echo "installing the libraries of training into $(VENV)"
	@$(PIP) -e '.[train]'

spark-libraries: $(VENV)/.dev ## add Spark (400 MB, needs Java 17); its tests skip without
	@echo "installing Spark into $(VENV)"
	@$(PIP) -e '.[spark]'

clean: ## remove all that make has created
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "concede needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamps carry the time of the last install, so an unchanged tree costs nothing.
$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing into $(VENV)"
	@$(PIP) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing into $(VENV), with development tools"
	@$(PIP) -e '.[dev]'
	@touch $(VENV)/.core $@
