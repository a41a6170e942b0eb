# Everything runs in .venv, which `.ci/venv` makes and keeps ready: nothing has to be activated.
# For GNU make 3.81 and later, any POSIX shell, and folders with spaces in their names.
# PYTHON=…  the Python to use, as a program, a path or a version (3.12); ARGS=…  more arguments for the
# command that is run; VENV=…  another folder than .venv.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Variables set for another project must not reach ours. Without bytecode on disk each of the many
# processes that the tests start would compile everything again.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

VENV ?= .venv
export VENV PYTHON
# -P: never import from the folder that make runs in.
RUN = $(VENV)/bin/python -P
# Three times the cores of a small machine: most of the time a test waits for a screen or a peer.
WORKERS ?= 6
# The tests of a file share what they start. The files go in the order of their names: sorted by the
# number of their tests, those that take longest would come last, when nothing is left beside them.
SPREAD = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
BABEL = $(RUN) -m babel.messages.frontend

.PHONY: help play serve cluster test check check-all format format-check lint types contracts wheel wheel-check release \
        compiled test-compiled soak mutants bench bench-terminal messages language clean runtime dev

help: ## list what make can do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "make %-13s %s\n", $$1, $$2}'

play: runtime ## open the menu (ARGS="--bots 3" starts a match at once)
	@$(VENV)/bin/clocktowers solo $(ARGS)

serve: runtime ## run a server (ARGS="--host 0.0.0.0" lets others in)
	@$(VENV)/bin/clocktowers-server serve $(ARGS)

cluster: dev ## run a PostgreSQL and three servers of one lobby on this machine
	@$(RUN) -m tests.stage.cluster

test: dev ## run the tests (ARGS="--chance 1": with other random numbers; "--late 100": late)
	$(RUN) -m pytest $(SPREAD) $(ARGS)

check: format-check lint types contracts test wheel-check ## everything that must pass before a commit

check-all: check ## the same, and the tests compiled and on every other Python from 3.11 that is here
	@sh .ci/all-pythons

format: dev ## rewrite the code in the project's layout
	$(RUN) -m ruff check --select I --fix
	$(RUN) -m ruff format

format-check: dev ## is the code in the project's layout?
	$(RUN) -m ruff format --check

lint: dev ## look for likely mistakes
	$(RUN) -m ruff check

types: dev ## check the types, strictly
	$(RUN) -m mypy --strict

contracts: dev ## check who imports whom
	$(VENV)/bin/lint-imports

wheel: dev ## build dist/*.whl
	$(RUN) -m build --no-isolation --wheel

wheel-check: dev ## build the wheel, install it elsewhere and play a match with it
	$(RUN) -m tests.packaging.wheel_check

release: dev ## the same with the last commit, built twice and equal; sdist and both wheels go to dist/
	$(RUN) -m tests.packaging.release

compiled: dev ## compile the core, install it in .venv-compiled, and say what it gained
	$(RUN) -m tests.packaging.compiled
	$(RUN) -m bench.compiled

test-compiled: ## run the tests with what `make compiled` installed
	.venv-compiled/bin/python -P -m pytest $(SPREAD) $(ARGS)

soak: dev ## the long tests, and all others with other random numbers and on a slow machine
	$(RUN) -m pytest -m soak -n $(WORKERS) --dist worksteal $(ARGS)
	for number in 1 2; do $(RUN) -m pytest $(SPREAD) --chance $$number || exit; done
	$(RUN) -m pytest $(SPREAD) --chance 3 --late 100

mutants: dev ## are planted faults still caught? (ARGS="server/store" plants in one room)
	$(RUN) -m pip install --quiet --no-input --disable-pip-version-check --editable '.[mutants]'
	$(RUN) -m tests.mutants $(ARGS)

bench: dev ## measure the server
	$(RUN) -m bench.load $(ARGS)

bench-terminal: dev ## measure what the client sends to a terminal
	$(RUN) -m bench.terminal_bytes $(ARGS)

messages: dev ## bring catalogues, manual pages and completions up to date with the code
	$(call catalogues,clocktowers,clocktowers_tui)
	$(call catalogues,clocktowers-server,server)
	$(RUN) -m tests.packaging.pages

language: dev ## begin the catalogues of a language (CODE=fr)
	$(BABEL) init -D clocktowers -i clocktowers_tui/locale/clocktowers.pot -d clocktowers_tui/locale -l $(CODE)
	$(BABEL) init -D clocktowers-server -i server/locale/clocktowers-server.pot -d server/locale -l $(CODE)

# Those of a domain in a package. Guesses are marked fuzzy, for translators: compile leaves them out.
define catalogues
	$(BABEL) extract -F pyproject.toml --omit-header --sort-by-file --add-location=file --add-comments=TRANSLATORS: \
	    --strip-comment-tags -o $(2)/locale/$(1).pot $(2) protocol
	$(BABEL) update -D $(1) -i $(2)/locale/$(1).pot -d $(2)/locale \
	    --ignore-obsolete --ignore-pot-creation-date
	$(BABEL) compile -D $(1) -d $(2)/locale --statistics
endef

clean: ## remove what make and the tests made, .venv too
	rm -rf .venv .venvs .venv-compiled dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime:
	@sh .ci/venv runtime

dev:
	@sh .ci/venv dev
