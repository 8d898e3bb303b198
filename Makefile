# make demo and make test are all a user needs; both make the virtual environment first.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
DEMO := .venv/.demo
CORE := $(wildcard ttcrawl/core/*.cpp ttcrawl/core/*.hpp ttcrawl/core/*.pyi)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: reference release venv demo test test-slow test-machines test-long check docs sanitize fuzz soak bench notebooks clean

venv: $(INSTALLED)

$(INSTALLED): setup.py pyproject.toml $(CORE) | $(BIN)/python
	$(PIP) -e '.[test]'
	@touch $(DEMO) $@

# What a crawl, its report and its figures need, and no more.
$(DEMO): setup.py pyproject.toml $(CORE) | $(BIN)/python
	@echo "installing ttcrawl and the libraries of its reports into .venv; one minute, depending on the network" >&2
	$(PIP) -e '.[report]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "ttcrawl needs Python 3.11 or later; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { echo "$(PYTHON) cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv

demo: $(DEMO)
	$(BIN)/ttcrawl demo

# Tests that read how the program is written, not what it does: they belong to make check.
GATE := tests/test_house.py tests/test_simplicity.py tests/vocabulary/test_literals.py

# Four or five at a time: most of them wait for a crawl that waits. Those that measure run alone. Thousands of processes
# import the same modules: their bytecode is kept, also where the environment says otherwise.
test test-slow test-machines test-long: export PYTHONDONTWRITEBYTECODE =
# In CI, pytest would end with the whole values of what differs, pages of them, where the names of failed tests belong.
unexport CI BUILD_NUMBER
# Their files are in memory where it has room (4 GB): thousands of small databases would wait for the disk.
test: export PYTEST_DEBUG_TEMPROOT = $(shell df --output=avail /dev/shm 2>/dev/null | awk 'NR > 1 && $$1 > 4000000 {print "/dev/shm"}')
test: $(INSTALLED)
	$(BIN)/python -m pytest -m "not slow" $(GATE:%=--ignore=%) -p tests.support.forks.plugin --forks 5 \
	  -o tmp_path_retention_policy=failed

# Forty minutes; the documentation sites need Debian packages: see tests/real.
test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -m "slow and not alone and not machines and not long" -n 4 --dist worksteal
	$(BIN)/python -m pytest -m "slow and alone and not long"

# More failures of machines, also over Ray; test-slow has one of each kind without Ray, and one over it.
test-machines: $(INSTALLED)
	$(BIN)/python -m pytest -m machines -n 2

# What takes minutes of processor time: laws of growth, a year of visits, a large site in the browser, a million pages.
# More kills, seeds and orders of what test-slow has a few of.
test-long: $(INSTALLED)
	$(BIN)/python -m pytest -m "long and not alone" -n 2
	$(BIN)/python -m pytest -m "long and alone"

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -m "not slow" -q $(GATE)

# The compiled core with all warnings as errors, then its tests under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: $(INSTALLED)
	$(BIN)/python -m tests.core.sanitize

# config.ini, what the manual repeats from the program, and the promised names, after a change of a key, a format or a
# column. Lines that are gone from tests/promises break a promise: see docs/stability.md.
reference: $(INSTALLED)
	$(BIN)/python docs/reference.py
	$(BIN)/python -m tests.promises

# The manual as a site in build/docs; every warning, such as a link to nowhere, is an error. Then it is checked as a site.
docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/ttcrawl check build/docs -d build/docs-crawl --no-external --fail-on warning --progress none \
	  --skip missing-label  # the theme has a switch that nobody sees

# Fuzzing, from the bytes of servers to the output of every command: see tests/fuzz/soak. Then tokens beside trees.
MINUTES ?= 10
SEED ?= 1
fuzz: $(INSTALLED)
	$(BIN)/python -m tests.fuzz.soak --minutes $(MINUTES) --seed $(SEED)
	$(BIN)/python -m tests.core.soak --minutes $(MINUTES) --seed $(SEED)

# 5,000 hosts crawled for HOURS, killed, with a full disk and a wrong clock; goes on where it was ended: see tests/soak.
HOURS ?= 24
SOAK ?= build/soak
soak: $(INSTALLED)
	nice -n 19 $(BIN)/python -m tests.soak $(SOAK) --hours $(HOURS)

# Over demo-crawl, after make demo: into build/notebooks.
notebooks: $(INSTALLED)
	$(BIN)/python analysis/run.py

# Sdist, wheels, manual and Containerfile in build/release, checked in clean environments; nothing is published.
release: $(INSTALLED)
	$(PIP) -e '.[release]'
	$(BIN)/python .ci/release.py

bench: $(INSTALLED)
	$(PIP) -e '.[bench]'
	$(BIN)/python -m benchmarks.docs
	$(BIN)/python -m benchmarks.duplicates --pages 100000
	$(BIN)/python -m benchmarks.frontier
	$(BIN)/python -m benchmarks.generators
	$(BIN)/python -m benchmarks.languages
	$(BIN)/python -m benchmarks.mirror
	$(BIN)/python -m benchmarks.owner
	$(BIN)/python -m benchmarks.pages
	-$(BIN)/python -m benchmarks.parse
	-$(BIN)/python -m benchmarks.politeness
	$(BIN)/python -m benchmarks.quality
	$(BIN)/python -m benchmarks.repeats
	$(BIN)/python -m benchmarks.rings
	$(BIN)/python -m benchmarks.search
	$(BIN)/python -m benchmarks.topic
	$(BIN)/python -m benchmarks.topical
	$(BIN)/python -m benchmarks.urls

clean:
	rm -f ttcrawl/core/*.so
	rm -rf .venv .venv-bench .venv-lychee .venv-pywb .venv-axe build *.egg-info demo-crawl* bench-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
