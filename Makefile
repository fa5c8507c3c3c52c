# What one does here. `make` lists the verbs. Needs git, make and Python 3.11 or newer; everything else is fetched.

PYTHON ?= python3
TOOLS := .tools
UV := $(shell command -v uv 2>/dev/null || echo $(TOOLS)/bin/uv)
RUN := $(UV) run --frozen --no-sync
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
SEED ?= $(shell git rev-parse --short HEAD 2>/dev/null || echo 1)
# seconds of all workers together, as noted in tests/costs.json (make test-all NOTE=--note-costs)
COMPILED_SECONDS ?= 130
PLAIN_SECONDS ?= 120
REST_COMPILED_SECONDS ?= 610
REST_PLAIN_SECONDS ?= 280
PYTEST = -n $(WORKERS) --dist worksteal --durations=20 --seed $(SEED) $(NOTE)
RULES := tests/core src/sutler/contract tests/contract tests/games tests/naive
export NUMBA_NUM_THREADS ?= 2
unexport PYTHONDONTWRITEBYTECODE # a container's: every process of the tests would read all its libraries from source again

.DEFAULT_GOAL := help
.PHONY: help env figures pictures browser database proxies play warm test test-rest test-all sample test-fast test-plain test-bounds mutants golden lint audit docs site bench bench-beside new-game clean

help: ## list these verbs
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

env: .venv/.made ## build the environment in .venv (with uv; fetched into .tools if there is none)

.venv/.made: pyproject.toml uv.lock
	@command -v git >/dev/null || { echo "git is needed"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed ($(PYTHON) is older)"; exit 1; }
	@command -v $(UV) >/dev/null || { echo "== fetching uv into $(TOOLS)"; $(PYTHON) -m venv $(TOOLS) && $(TOOLS)/bin/pip install --quiet uv; }
	@echo "== building the environment"
	@$(UV) sync --frozen --quiet || { echo "== once more, with the system's certificates"; UV_NATIVE_TLS=1 $(UV) sync --frozen --quiet; }
	@touch $@

browser: ## Chromium for the tests of the page; says what it needs where it may not install it
	@tools/browser.sh

database: ## PostgreSQL for the tests of several processes; says what it needs where it may not install it
	@tools/postgres.sh

proxies: ## nginx and Caddy for the tests of the manual for hosts; says what it needs where it may not install them
	@tools/proxies.sh

play: env ## open the table in the browser
	$(RUN) sutler serve --open --host $(HOST) --port $(PORT)

warm: env ## compile all rules now
	$(RUN) sutler warm

test: env browser database warm ## in ten minutes: of every test a case, compiled and as plain Python; make test SEED=… takes others
	@$(MAKE) --no-print-directory sample COMPILED="--within $(COMPILED_SECONDS)" PLAIN="--within $(PLAIN_SECONDS)"

test-rest: env browser database proxies warm ## eight minutes more: some of what `make test` leaves out, by SEED, the long tests too
	@$(MAKE) --no-print-directory sample COMPILED="--within $(COMPILED_SECONDS) --rest $(REST_COMPILED_SECONDS)" \
		PLAIN="--within $(PLAIN_SECONDS) --rest $(REST_PLAIN_SECONDS)"

test-all: env browser database proxies warm ## everything, before a release: compiled what needs it, then rules as plain Python
	@$(MAKE) --no-print-directory sample

sample:
	@echo "== compiled"
	$(RUN) pytest $(PYTEST) -rfER -m "not rules" $(COMPILED)
	@$(MAKE) --no-print-directory test-plain PLAIN="$(PLAIN)"

test-fast: env ## compiled, without the browser
	$(RUN) pytest -m "not browser"

test-plain: env ## all that plain Python runs of them: rules, contract, core and what counts a second time, warnings as errors
	@echo "== plain Python"
	SUTLER_PLAIN=1 $(RUN) pytest $(PYTEST) -m "not browser and not compiled" $(PLAIN) $(RULES)

test-bounds: env ## compiled with bounds checked: slower, and says where an index is out of range
	@echo "== compiled, bounds checked"
	NUMBA_BOUNDSCHECK=1 $(RUN) sutler warm
	NUMBA_BOUNDSCHECK=1 $(RUN) pytest -n $(WORKERS) --dist worksteal -m "not browser" tests/games tests/contract src/sutler/contract

mutants: env ## make mutants GAME=manor [SAMPLE=100]: change its rules one line at a time; which changes does no test notice?
	$(RUN) python tools/mutants.py "$(GAME)" --sample $(or $(SAMPLE),100)

golden: env ## print the golden games again; read the diff
	$(RUN) python tools/golden.py

lint: env ## ruff, plain words (CONTRIBUTING.md, Names) and mypy
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) python tools/words.py
	$(RUN) mypy

audit: env ## have the libraries of uv.lock known faults? (pip-audit; where its data cannot be reached that is said)
	$(RUN) python tools/audit.py

docs: env ## are the generated tables in docs/, the stubs of records and the catalogues of languages fresh?
	$(RUN) python tools/docs.py --check
	$(RUN) python tools/stubs.py --check
	$(RUN) python tools/languages.py --check
	NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build

figures: env warm ## run the commands whose figures stand in prose (docs/figures.toml): does each lie within its interval?
	for page in tutorial lab-compare impact lab bots learn; do $(RUN) python tools/prose.py docs/$$page.md --check || exit 1; done
	$(RUN) python studies/bot_figures.py --check

pictures: env browser warm ## take the documentation's pictures of the games again
	$(RUN) python tools/pictures.py

site: env ## the documentation as a site, in site/index.html
	NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build

bench: env ## how fast it is on this machine
	$(RUN) sutler bench

bench-beside: env ## what has changed in speed since the figures kept in benchmarks/: printed, not judged
	$(RUN) sutler bench --compare benchmarks/0.1.0.json --seconds 0.2

new-game: env ## make new-game GAME=name: copy the smallest game to begin from
	$(RUN) python tools/new_game.py "$(GAME)"

clean: ## take away what was built here
	rm -rf .venv $(TOOLS) dist site test-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
