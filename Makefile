# `make` alone lists the targets.  What they share is one environment, .venv, and two stamps in it: `base` is the package
# alone (play, serve), `full` is every extra (test, lint, proof, bench, proto, golden).  A stamp that holds costs nothing
# and asks nothing of the network.  STRICT=1 turns every skip for a missing tool into a failure.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv play test lint check proof bench strength simulation openspiel serve proto golden node tsc clean

BIN := .venv/bin
PY := $(BIN)/python
BASE := .venv/.base
FULL := .venv/.full
MESSAGES := proto/python/rivalry/.stamp
NODE := clients/typescript
STRICT ?=
JOBS ?= auto
ARGS ?=
export STRICT
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where Python may not keep what it compiled, every process that a test or a measurement starts compiles it all again.
unexport PYTHONDONTWRITEBYTECODE

help: ## this list
	@echo "rivalry: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile

venv: $(FULL) $(MESSAGES) ## everything that tests, lint, bench and proof use, into .venv

play: $(BASE) $(MESSAGES) ## watch four bots, each its own process, play Ethnos through an arena over gRPC
	@$(BIN)/rivalry match --game ethnos --bot greedy --bot hoarder --bot random --bot first --watch $(ARGS)

test: $(FULL) $(MESSAGES) node ## the tests (ARGS="-k word" for some); about five minutes on two cores
	@$(PY) -m pytest -n $(JOBS) --maxprocesses 8 --dist worksteal $(ARGS)

lint: $(FULL) $(MESSAGES) tsc ## formatting, types, import directions, the schema
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd proto && ../$(BIN)/buf lint
	@if [ -e proto/baseline.binpb ]; then set -x; cd proto && ../$(BIN)/buf breaking --against baseline.binpb; fi

check: test lint ## test, then lint: what has to hold before a commit is shared

proof: $(FULL) $(MESSAGES) node ## the long proofs, at most 40 minutes; goes on where it stopped
	@$(PY) tests/proof/run.py $(ARGS)

bench: $(FULL) $(MESSAGES) ## the speed goals (ARGS="--goal G1 --json")
	@$(BIN)/rivalry bench $(ARGS)

strength: compile ## how strong the built-in bots are, with intervals: an hour, goes on where it stopped
	@PYTHONPATH=build/compiled $(PY) tests/proof/run.py --only strength --only search $(ARGS)

simulation: $(FULL) $(MESSAGES) ## how often intervals miss and verdicts are wrong between equal bots: 15 minutes
	@$(PY) tests/proof/run.py --only evaluation $(ARGS)

openspiel: $(FULL) $(MESSAGES) ## every game of OpenSpiel through conformance, as a table: ten minutes (ARGS="chess go")
	@$(PY) -m rivalry_openspiel.table $(ARGS)

compile: $(FULL) $(MESSAGES) ## the engine, compiled by mypyc into build/compiled: PYTHONPATH=build/compiled plays with it
	@$(PY) engine/compile.py && $(PY) tests/compiled/digests.py --games 52

test-compiled: compile ## the tests of engine, wire and bots against the compiled engine
	@PYTHONPATH=build/compiled $(PY) -m pytest -n $(JOBS) --maxprocesses 8 tests/engine tests/wire tests/bots tests/golden $(ARGS)

serve: $(BASE) $(MESSAGES) ## an arena that waits for bots and operators (ARGS="--port 7000")
	@$(BIN)/rivalry serve $(ARGS)

proto: $(FULL) ## generate the message modules from the .proto files, whether or not one changed
	@rm -f $(MESSAGES)
	@$(MAKE) --no-print-directory $(MESSAGES)

golden: $(FULL) $(MESSAGES) ## write the golden games again; refuses when the rules version should have been raised
	@$(PY) tests/golden/make.py $(ARGS)

clean: ## back to a fresh clone, .venv included; records stay
	rm -rf .venv dist build proto/python/rivalry $(NODE)/node_modules $(NODE)/dist .proof
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment.  `full` includes `base`, so a play after a test installs nothing.

$(BASE): pyproject.toml
	@python=$$(.ci/prerequisites) && if ! [ -x $(PY) ]; then "$$python" -m venv .venv; fi
	@echo "installing rivalry into .venv"
	@$(PY) -m pip install --quiet --editable .
	@touch $(MESSAGES) $@

$(FULL): pyproject.toml
	@python=$$(.ci/prerequisites --develop) && if ! [ -x $(PY) ]; then "$$python" -m venv .venv; fi
	@echo "installing rivalry with what tests, lint, bench and proof use into .venv"
	@$(PY) -m pip install --quiet --editable '.[dev,bench,openspiel,pettingzoo,mcp,llm,tournament,ladder]'
	@$(PY) tests/wheelhouse.py .venv/wheelhouse
	@touch $(MESSAGES) $(BASE) $@

# The message modules: offline where grpcio-tools is in .venv, else through the build of the package.

SCHEMA := $(shell find proto/rivalry -name '*.proto') proto/generate.py

$(MESSAGES): $(SCHEMA) | $(if $(wildcard $(FULL)),$(FULL),$(BASE))
	@if $(PY) -c 'import grpc_tools' 2>/dev/null; then $(PY) proto/generate.py; \
	else echo "generating the messages anew"; $(PY) -m pip install --quiet --no-deps --editable .; fi
	@touch $@

# Node: for the TypeScript bot alone.  The stamp of its packages is the file that npm itself writes when it has installed
# them, so that an `npm ci` by hand counts.

node:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE)/dist/.stamp; else \
		echo "skipped: the TypeScript bot needs Node 20 or newer and npm: sudo apt install nodejs npm" >&2; \
		[ -z "$(STRICT)" ]; \
	fi

$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json
	@echo "installing what the TypeScript bot uses"
	@cd $(NODE) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(NODE)/dist/.stamp: $(NODE)/package-lock.json $(NODE)/tsconfig.json $(shell find $(NODE)/src -name '*.ts') | \
		$(NODE)/node_modules/.package-lock.json
	@cd $(NODE) && node_modules/.bin/tsc
	@touch $@

tsc: node
	@if [ -e $(NODE)/node_modules/.bin/tsc ]; then set -x; cd $(NODE) && node_modules/.bin/tsc --noEmit; fi
