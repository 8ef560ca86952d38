# make run    opens the table: the real one on a Pi with camera and buttons, else the demo table (http://localhost:8000).
#             Options of `companion run` go into ARGS: make run ARGS="--port 8080"
# make test   checks everything: lint, format, types, tests.
# make clean  forgets the set-up, so that the next call does it anew.
#
# The first call sets up what is missing, as root or with sudo: Debian's packages, and .venv with the project in it.

BIN := .venv/bin
ARGS ?=

.PHONY: run test clean

run: .venv/ready-to-run
	@$(BIN)/companion run $(ARGS)

test: .venv/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

.venv/ready-to-%: pyproject.toml scripts/setup
	@scripts/setup $*
	@touch $@

clean:
	rm -rf .venv *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
