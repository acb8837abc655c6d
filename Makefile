# One environment, one gate. `make run` and `make test` are all that a fresh machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ADDRESS ?= 127.0.0.1:8000
# Folders of recordings for `make importers-report`.
SESSIONS ?= tests/importers/handmade
# On this machine itself cookies travel in clear; settings refuse that anywhere else.
LOCAL := SMISTA_HTTPS=off DJANGO_RUNSERVER_HIDE_WARNING=true
MANAGE := $(LOCAL) $(BIN)/python manage.py

.PHONY: setup run test check bench fuzz importers-report openapi format

setup: $(VENV)/ready

$(VENV)/ready: requirements.txt requirements-dev.txt
	@command -v $(PYTHON) >/dev/null || { echo "python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit("python 3.11 or newer is needed; name it with PYTHON=...") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: setup
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) demo
	@echo
	@echo "Open this link; it signs you in, once:"
	@$(MANAGE) sign_in_link --at http://$(ADDRESS)
	@echo
	@$(MANAGE) db_worker --no-reload --interval 2 >/dev/null & worker=$$!; \
	$(MANAGE) runserver --noreload $(ADDRESS) & server=$$!; \
	trap 'kill $$worker $$server 2>/dev/null' INT TERM EXIT; wait $$server

test: setup
	@$(BIN)/python tools/gate.py

check: setup
	@$(BIN)/python tools/gate.py --static

bench: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	@$(LOCAL) $(BIN)/python -m benchmarks

fuzz: setup
	@$(BIN)/python -m tools.fuzz_globs --decisions 500000
	@SMISTA_API_CASES=400 $(BIN)/python -m pytest -n 2 tests/api/test_schema.py

importers-report: setup
	@$(BIN)/python -m tools.importers_report $(SESSIONS)

openapi: setup
	@$(MANAGE) shell --no-imports -c "from selection.api.docs import schema_text; print(schema_text(), end='')" > docs/openapi.json

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
