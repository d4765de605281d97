# Everything sets itself up: a fresh clone needs CPython 3.11 or newer, a C compiler and cargo.
# `PYTHON=python3.12 make test` makes another Python the main one.

PYTHON ?= python3
FUZZ_SECONDS ?= 60
VENV := .venv/bin/python
CORE := cargo test --package octad-core
FAST := -m "not slow and not bench"
BEHAVIOUR := -m "not slow and not bench and not house"

export CARGO_BUILD_JOBS ?= 2
ifeq ($(OCTAD_TEST_DATA),)
ifneq ($(wildcard ../shared/.),)
export OCTAD_TEST_DATA := $(abspath ../shared)
endif
endif

.PHONY: build demo test test-all lint features wheel wheel-check bench bars counts fuzz clean

build:
	@$(PYTHON) tools/pythons.py build

demo: build
	@$(VENV) tools/demo.py

# The core, the main Python fully, every other Python's behaviour.
test: build
	$(CORE)
	$(VENV) -m pytest $(FAST)
	@$(PYTHON) tools/pythons.py suite

# The slow ones on top: slow tests, each instruction set, every lever off, the debug allocator,
# wheels.
test-all: test
	$(VENV) -m pytest -m slow
	$(CORE) --release
	for level in plain sse2 avx2; do \
		echo "=== OCTAD_SIMD=$$level ==="; \
		OCTAD_SIMD=$$level $(VENV) -m pytest $(BEHAVIOUR) || exit 1; \
	done
	for off in OCTAD_SHARED_KEYS=0 OCTAD_PUBLIC_API=1; do \
		echo "=== $$off ==="; \
		env $$off $(VENV) -m pytest $(BEHAVIOUR) || exit 1; \
	done
	PYTHONMALLOC=debug $(VENV) -m pytest $(BEHAVIOUR)
	$(MAKE) wheel-check

lint: build
	@$(PYTHON) tools/lint.py

# Rows of the feature table with the tests that show them, and the rows still without one.
features: build
	@$(VENV) tools/features.py

wheel:
	@$(PYTHON) tools/wheels.py build

# Each wheel in an empty environment.
wheel-check: wheel
	@$(PYTHON) tools/wheels.py check

bench: build
	@$(VENV) -m pip install --quiet --requirement bench/requirements.txt
	$(VENV) -m bench $(BENCH)

# Instruction counts on every Python; `make counts COUNTS=--update` keeps the new ones.
counts:
	@$(PYTHON) tools/pythons.py bench counts $(COUNTS)

# What octad is held to, on every Python.
bars:
	@$(PYTHON) tools/pythons.py bench bars $(BARS)

fuzz:
	@$(PYTHON) tools/fuzz.py --seconds $(FUZZ_SECONDS)

clean:
	rm -rf .venv .venv-3.* target fuzz/target dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/octad/*.so
