# make demo   see it work        make check   before a change and after it        make help   the rest
#
# All that is needed beforehand: Python 3.11 or newer (with venv), git, make. Everything else lands in .venv.

VENV := .venv
ARGS ?=
WORKERS ?= 2
EXTRAS := dev

# The first that is new enough and can make a virtual environment: run, not only found, since `python3` may be
# an old one and a version manager's shim may lead nowhere. Choose another with `make test PYTHON=...`.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
NEW_ENOUGH := import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in $(CANDIDATES); do \
	$$python -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo $$python && break; done)

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

# What the environment was made from: another pyproject.toml or another Python makes a new one.
KEY := $(firstword $(shell cat pyproject.toml | cksum))-$(EXTRAS)-$(subst /,_,$(subst :,_,$(PYTHON)))
READY := $(VENV)/ready-$(KEY)

# Another project's packages must not leak in.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo check docs test unit e2e soak day blame-soak check-soak jitter loosen-soak authority-soak team fuzz differential mutants mutation bench accuracy agents lint format typecheck venv clean

help: ## List what `make` can do
	@echo 'Usage: make TARGET [PYTHON=python3.12] [ARGS="..."]'
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

demo: $(READY) ## Play a session against the real server (ARGS="--repo PATH" for a repository of yours)
	@$(BIN)/intentls demo $(ARGS)

check: lint typecheck unit ## Run this first: lint, types and the tests that need no server process

test: lint typecheck ## Everything CI checks: lint, types, floors, all tests, full branch coverage of the core (40 minutes on two cores)
	@$(BIN)/python -m pytest -n $(WORKERS) -m 'not no_cover' --cov --cov-report= tests/core
	@$(BIN)/coverage report --fail-under=100 >$(VENV)/core-coverage.txt || { \
		echo 'The core is not wholly covered:'; cat $(VENV)/core-coverage.txt; exit 1; } >&2
	@$(BIN)/python -m pytest -n $(WORKERS) -m no_cover

unit: $(READY) ## Only the tests that need no server process (ARGS="-k ledger" to pick)
	@$(BIN)/python -m pytest -n $(WORKERS) --ignore=tests/e2e --ignore=tests/clients $(ARGS)

e2e: $(READY) ## Only the tests that drive a real server process
	@$(BIN)/python -m pytest tests/e2e tests/clients $(ARGS)

soak: $(READY) ## 1,000 random kills, every kill point, 7,200 power losses, 8 servers x 500 writes, 1,000 hooks of the compiled client, 200 edits beside busy processes, 300 signed histories, each step of a confined run, 20,000 hulls, 300 claims by 50 clients on hosts of their own, storms over the database (KILLS=100, ARGS="-k soak" for less)
	@INTENTLS_LONG=1 INTENTLS_KILLS=$(or $(KILLS),1000) $(BIN)/python -m pytest -s tests/faults tests/store/journal tests/concurrency tests/faces/hook/test_compiled_client.py tests/e2e/test_same_under_load.py tests/branches/test_signed_histories.py tests/confinement/test_kills.py tests/core/intents/test_hull.py tests/store/sessions/coordination $(ARGS)

day: $(READY) ## 24 hours of an editor and four agents in 100,000 messages: nothing may grow (REQUESTS=20000 for less)
	@INTENTLS_DAY=$(or $(REQUESTS),100000) $(BIN)/python -m pytest -s tests/endurance $(ARGS)

blame-soak: $(READY) ## 200 histories of 120 random edits, moves and git rewrites, and as many of an open document: is each line its author's? (SEEDS=1000 for more)
	@INTENTLS_KEPT_BLAME_SEEDS=500 INTENTLS_KEPT_BLAME_HISTORIES=500 INTENTLS_BLAME_SEEDS=$(or $(SEEDS),200) INTENTLS_BLAME_STEPS=120 $(BIN)/python -m pytest -n $(WORKERS) tests/attribution $(ARGS)

fuzz: $(READY) ## Coverage-guided fuzzing, each entrance for SECONDS=60 (ARGS="ledger protocol" to pick; Linux)
	@$(BIN)/python -m pip install --quiet --editable '.[fuzz]'
	@$(BIN)/python -m tests.fuzz.harnesses $(or $(SECONDS),60) $(ARGS)

jitter: $(READY) ## The tests with other schedules: processes sleep and stall where others look (ARGS="tests/faces/hook", SEED=7 to repeat a run)
	@INTENTLS_JITTER=$(or $(SEED),$(shell date +%s)) $(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

check-soak: $(READY) ## 200 generated branches in real repositories, with planted violations (BRANCHES=1000 for more)
	@INTENTLS_BRANCHES=$(or $(BRANCHES),200) $(BIN)/python -m pytest -n $(WORKERS) tests/branches/test_branch_check_histories.py $(ARGS)

loosen-soak: $(READY) ## 1,000 generated branches that loosen or change one thing each (LOOSENED=5000 for more)
	@INTENTLS_LOOSENED=$(or $(LOOSENED),1000) $(BIN)/python -m pytest -n $(WORKERS) tests/branches/test_loosened_branches.py $(ARGS)

authority-soak: $(READY) ## 2,000 random programs of agents, people, git and faults, judged by a model (PROGRAMS=200 for less)
	@AUTHORITY_PROGRAMS=$(or $(PROGRAMS),2000) $(BIN)/python -m pytest -n $(WORKERS) tests/authority $(ARGS)

team: $(READY) ## 200 weeks of a team: no conflict of ours between any two branches (WEEKS=20; REPOS=PATH:PATH replays histories)
	@$(if $(REPOS),,INTENTLS_WEEKS=$(or $(WEEKS),200) $(BIN)/python -m pytest -n $(WORKERS) tests/team $(ARGS))
	@$(if $(REPOS),REPOS=$(REPOS) $(BIN)/python -m tests.team.replay)

differential: $(READY) ## Globs against minimatch (200,000 pairs, needs npm) and .intentignore against git (60,000)
	@INTENTLS_LONG=1 $(BIN)/python -m pytest -s tests/core/differential $(ARGS)

mutants: $(READY) ## 20,000 behaviour mutants, none of which may pass for a refactor or documentation, and sources that are being typed (MUTANTS=100000)
	@INTENTLS_LONG=1 INTENTLS_MUTANTS=$(or $(MUTANTS),20000) INTENTLS_BROKEN=1000 $(BIN)/python -m pytest -s -n $(WORKERS) tests/core/mutation/test_mutants.py tests/core/mutation/test_branch_model.py tests/core/mutation/test_broken_sources.py tests/core/mutation/refactorings $(ARGS)

mutation: $(READY) ## Random mutants of the rooms that guard: does a test fail for each? (hours for all; ARGS="saves --sample 60" to pick)
	@$(BIN)/python -m pip install --quiet --editable '.[mutation]'
	@$(BIN)/python -m tests.mutation_testing $(ARGS)

bench: $(READY) ## Every performance target beside its peer, 45 minutes (ARGS=append for a row, ARGS=--missing, --quick; peers need npm)
	@$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@$(BIN)/python -m benchmarks $(ARGS)

accuracy: $(READY) ## How right classes and blame are, on public releases and commits: half an hour, needs PyPI, npm, Debian, GitHub (ARGS="classes" for a part)
	@$(BIN)/python -m accuracy $(ARGS)

agents: $(READY) ## The real agent programs from npm against a scripted model, half an hour (ARGS="-k codex", AGENTS=codex,gemini)
	@INTENTLS_AGENTS=$(or $(AGENTS),all) $(BIN)/python -m pytest tests/agents $(ARGS)

docs: $(READY) ## Build the documentation into site/; a broken link fails
	@$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lint: $(READY) ## Style, mistakes, formatting, and that imports only go down
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports --no-logo

format: $(READY) ## Mend what can be mended: import order, formatting
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

typecheck: $(READY) ## mypy --strict
	@$(BIN)/mypy

venv: $(READY) ## Only make the virtual environment

$(READY):
	@test -n "$(PYTHON)" || { \
		echo 'No Python 3.11 or newer with venv found. Install one (Debian: apt-get install python3-venv)'; \
		echo 'or name it: make PYTHON=/path/to/python3.12'; exit 1; } >&2
	@echo 'Making $(VENV) with $(PYTHON), once ...'
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	@touch $@

clean: ## Remove the virtual environment and every cache
	rm -rf $(VENV) .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist site .cache tests/artifacts
	rm -rf client-vscode/node_modules client-vscode/bundled client-vscode/schemas client-vscode/dist
	find server tests -name __pycache__ -type d -prune -exec rm -rf {} +
