# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
SEED ?= 1
GAME ?= tricks-and-treats
RUNS ?= 1
SECONDS ?= 45
SETTING ?= standalone
OSV ?=

.PHONY: help install demo test lint check properties failovers chaos chaos-planted golden bench bench-peers bench-growth audit lock openapi clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

install: .venv/installed  ## the locked packages and this project, into .venv

.venv/installed: requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch .venv/installed

demo: install  ## a whole match with bots through the real API, verified
	$(BIN)/hallowstream demo --game $(GAME)

test: install  ## the test suite, with the coverage of the rules and the log
	$(BIN)/pytest -n 2 --dist worksteal --cov=games --cov=events --cov-report=term --cov-fail-under=100

lint: install  ## format, style, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test  ## all that CI asks for

properties: install  ## the large counts of random matches and mutations, from SEED on
	HALLOWSTREAM_MATCHES=2000 HALLOWSTREAM_SEED=$(SEED) $(BIN)/pytest -n 2 --timeout 0 \
	  tests/games/test_every_game.py
	HALLOWSTREAM_REPLAYS=200 HALLOWSTREAM_STEPS=5000 HALLOWSTREAM_SEED=$(SEED) \
	  $(BIN)/pytest -n 2 --timeout 0 \
	  tests/replay/test_every_game.py tests/services/test_undo_every_game.py
	HALLOWSTREAM_MUTATIONS=1000 HALLOWSTREAM_SEED=$(SEED) $(BIN)/pytest -n 2 --timeout 0 \
	  tests/replay/test_mutations.py

chaos: install  ## long runs under faults, checked: SEED=1 RUNS=20 SETTING=standalone|sentinel|cluster|all
	$(BIN)/python -m tests.faults --seed $(SEED) --runs $(RUNS) --setting $(SETTING) \
	  --seconds $(SECONDS)

chaos-planted: install  ## known bugs, planted one by one: the checker must find each
	HALLOWSTREAM_CHAOS=1 HALLOWSTREAM_SEED=$(SEED) $(BIN)/pytest --timeout 0 -v \
	  tests/faults/test_planted.py

failovers: install  ## every way in which a primary can be replaced, on real servers
	HALLOWSTREAM_FAILOVERS=1 $(BIN)/pytest --timeout 0 tests/events/test_failover.py
	HALLOWSTREAM_FAILOVERS=1 HALLOWSTREAM_FAILOVER_SERVER=valkey \
	  $(BIN)/pytest --timeout 0 tests/events/test_failover.py

golden: install  ## record the golden logs anew; the diff says which decisions changed
	$(BIN)/python -m tests.golden.make

bench: install  ## ratios against peers, in one run
	$(BIN)/python -m benchmarks

bench-peers: install  ## the same game on ours and on boardgame.io; needs node and npm
	$(BIN)/python -m benchmarks.versus

bench-growth: install  ## as matches, their logs and the workers grow in number
	$(BIN)/python -m benchmarks.growth

openapi: install  ## write docs/openapi.json and the generated tables anew
	$(BIN)/python -m services.docs

audit: install  ## known flaws of the locked packages, from the network: OSV=http://.../v1/query
	$(BIN)/pip install --quiet uv
	$(BIN)/uv tool run pip-audit --strict --disable-pip --require-hashes \
	  $(if $(OSV),--vulnerability-service osv --osv-url $(OSV)) \
	  -r requirements/run.txt -r requirements/build.txt -r requirements/dev.txt

lock: install  ## resolve the locked packages anew
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --python-version 3.11 --universal \
	  --generate-hashes --no-annotate --no-header -q -o requirements/dev.txt
	$(BIN)/uv pip compile pyproject.toml --extra archive --python-version 3.11 --universal \
	  --generate-hashes --no-annotate --no-header -q -o requirements/run.txt
	$(BIN)/uv pip compile --group build --python-version 3.11 --universal \
	  --generate-hashes --no-annotate --no-header -q -o requirements/build.txt

clean:
	rm -rf .venv .hallowstream
