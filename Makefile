# `make help` lists what this does.

VENV := .venv
BIN := $(VENV)/bin
# Words separated by spaces. Passed through the environment: `&` and `?` of URLs are safe.
ARGS ?=
export ARGS
export PYTHON

.PHONY: help run test test-all test-deploy check bench simulate services services-stop install lock clean
.DEFAULT_GOAL := help

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp  ## news from URL to index and archive: make run ARGS="https://host/feed.xml pages.csv"
	@set -f; exec $(BIN)/story-indexer run $$ARGS

test: $(VENV)/dev.stamp  ## the quick tests, embedded: make test ARGS="-k warc"
	@set -f; exec $(BIN)/pytest $$ARGS

test-all: $(VENV)/dev.stamp  ## all tests: slow ones too, and those of real servers where they answer
	@set -f; exec $(BIN)/pytest --all -n auto --maxprocesses 4 --dist worksteal $$ARGS

test-deploy: $(VENV)/dev.stamp  ## the image and its stack, on a Docker swarm of its own, as root
	@$(BIN)/python -m scripts.docker start && \
	{ $(BIN)/pytest -v tests/docker/*_deploy.py; status=$$?; }; \
	$(BIN)/python -m scripts.docker stop; exit $${status:-1}

check: $(VENV)/dev.stamp  ## format, lint and types
	@status=0; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/mypy || status=1; \
	exit $$status

bench: $(VENV)/dev.stamp  ## each stage beside the alternatives: make bench ARGS="performance parsing", "pipeline", "feeds"
	@set -af; if [ -f .services/environment ]; then . ./.services/environment; fi; \
	exec $(BIN)/python -m benchmarks $$ARGS

simulate: $(VENV)/dev.stamp  ## 30 days of polling 2,000 made-up feeds, beside the rule in production
	@set -f; exec $(BIN)/python -m benchmarks.simulation $$ARGS

services:  ## install and start RabbitMQ, Elasticsearch, PostgreSQL and S3, for the tests
	@python=$$(sh scripts/python.sh) && exec "$$python" -m scripts.services start

services-stop:  ## stop them, and remove their data
	@python=$$(sh scripts/python.sh) && exec "$$python" -m scripts.services stop

install: $(VENV)/dev.stamp  ## the virtual environment, with what running and testing need

lock:  ## the locks from pyproject.toml: make lock ARGS=--upgrade
	@set -f; exec sh scripts/lock.sh $$ARGS

clean: services-stop  ## remove all that these commands made here
	@python=$$(sh scripts/python.sh) && "$$python" -m scripts.docker stop
	@rm -rf $(VENV) .services build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made.stamp: requirements-build.txt scripts/venv.sh
	@sh scripts/venv.sh $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/made.stamp requirements.txt pyproject.toml scripts/install.sh
	@sh scripts/install.sh $(VENV) requirements.txt
	@touch $@

# What testing needs holds all that running needs: neither is installed twice.
$(VENV)/dev.stamp: $(VENV)/made.stamp requirements-dev.txt pyproject.toml scripts/install.sh
	@sh scripts/install.sh $(VENV) requirements-dev.txt
	@touch $(VENV)/run.stamp $@
