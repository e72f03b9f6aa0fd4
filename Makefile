# make check ROOM=matching | test | test-fast | test-plain | test-works-with | test-min | test-new | test-versions
# make sanitize | lint | demo | examples | results | bench | docs | references | dist | clean
#
# Each target creates the virtual environment .venv if it is missing and installs what it needs,
# again only after setup.py, constraints.txt or a C file changed. PYTHON selects the interpreter
# for .venv, JOBS the number of processes that run tests.

PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
# Python compiles a module when it is first imported: many that are installed never are.
PIP_OPTIONS := --quiet --disable-pip-version-check --no-compile
# Reads dependency groups.
PIP := "pip>=25.1"
PIP_INSTALL := $(BIN)/python -m pip install $(PIP_OPTIONS) -c constraints.txt
# With two processes on two cores, more threads in each only wait for one another.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python $(if $(COVERAGE),-m coverage run) -m pytest -q \
    -n $(JOBS) --dist worksteal
# Compile each module once, whatever the environment says, not in every process that imports it.
export PYTHONDONTWRITEBYTECODE =
RECIPE := setup.py pyproject.toml constraints.txt $(wildcard skpara/_core/*.[ch])
ENCODERS := $(addprefix tests/encoders/test_,paragram.py base.py training.py parallel.py)
MIN_TESTS := tests/test_contract.py tests/fusion $(ENCODERS) tests/siamese tests/metrics \
    $(addprefix tests/,features/test_lexical.py test_values.py test_pairs.py) \
    $(addprefix tests/saving/test_,persistence.py model_file.py)
WORKS_TESTS := tests/examples/test_guides.py tests/research/test_mteb_results.py \
    tests/encoders/test_interop.py tests/scale/test_spark.py tests/test_dask_cluster.py
# Pages and scripts have a target of their own, and a cluster is started with the other packages.
# "make lint" runs what only looks at the source: types of scripts, wording, regular expressions.
OF_SOURCE := $(addprefix tests/,typing/test_scripts.py test_wording.py test_patterns.py)
OF_PACKAGE := tests $(addprefix --ignore=,tests/examples tests/research tests/test_dask_cluster.py $(OF_SOURCE))

SANITIZED := tests/core tests/features/test_kernels.py tests/text/test_vocabulary.py
SANITIZER := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: check demo test test-fast test-plain test-works-with test-min test-new test-versions sanitize examples results bench \
    lint docs references dist clean system
.DELETE_ON_ERROR:

demo: .venv/.package system
	$(BIN)/skpara demo

# One room in a minute: style, types, its quick tests and examples, and the direction of imports.
check: .venv/.package
	$(BIN)/ruff check skpara/$(ROOM) tests/$(ROOM)
	$(BIN)/mypy skpara/$(ROOM)
	$(PYTEST) -m "not slow" tests/$(ROOM) tests/test_import.py tests/examples/test_docstrings.py \
	    -k "not test_docstrings or skpara.$(ROOM)"

# COVERAGE=1 also measures which of the package's lines run, in processes that tests start, too.
test: .venv/.package system
	$(if $(COVERAGE),$(BIN)/python -m coverage erase)
	$(PYTEST) $(OF_PACKAGE)
	$(if $(COVERAGE),$(BIN)/python -m coverage combine -q)
	$(if $(COVERAGE),$(BIN)/python -m coverage report --skip-covered --fail-under=98)

# Without the tests that are marked as slow.
test-fast: .venv/.package
	$(PYTEST) $(OF_PACKAGE) -m "not slow"

# The wheel alone, in a new environment: all commands, and the examples of README and guide that
# need nothing else.
test-plain: .venv/.dist
	rm -rf build
	$(BIN)/python -m build --wheel --outdir build/plain
	$(BIN)/python .ci/check_dist.py --dist build/plain --pythons $(PYTHON)

# The examples of docs/works_with.rst and docs/moving.rst, with the packages that they are about,
# skpara.scale on Spark, which needs Java, and a cluster of Dask.
test-works-with: .venv-works/.package
	SKPARA_REQUIRE_PACKAGES=1 OMP_NUM_THREADS=1 .venv-works/bin/python -m pytest -q \
	    -n $(JOBS) --dist worksteal $(WORKS_TESTS)

# Tests of what depends on scikit-learn, with the oldest versions that setup.py allows.
test-min: .venv-min/.package
	OMP_NUM_THREADS=1 .venv-min/bin/python -m pytest -q -n $(JOBS) --dist worksteal $(MIN_TESTS)

# The same with the newest versions that exist today, whatever constraints.txt says.
test-new: .venv-new/.package
	OMP_NUM_THREADS=1 .venv-new/bin/python -m pytest -q -n $(JOBS) --dist worksteal $(MIN_TESTS)

# Quick tests of the wheel with the versions of the table in the script, each in a new environment.
test-versions: .venv/.package
	$(BIN)/python .ci/versions.py $(if $(ONLY),--only $(ONLY))

# A copy whose modules in C are compiled with gcc's sanitizers: calls of the tests that break the
# bounds of arrays must be refused before anything outside them is read or written.
sanitize: .venv/.package
	rm -rf build/sanitized
	mkdir -p build/sanitized
	cp -r --parents skpara tests setup.py pyproject.toml README.md build/sanitized
	find build/sanitized -name "*.so" -delete
	cd build/sanitized && CFLAGS="$(SANITIZER)" LDFLAGS="$(SANITIZER)" \
	    ../../$(BIN)/python setup.py -q build_ext --inplace
	cd build/sanitized && OMP_NUM_THREADS=1 PYTHONPATH="$$PWD" \
	    LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	    ../../$(BIN)/python -m pytest -q -s -p no:cacheprovider $(SANITIZED)

# What README, pages, docstrings and gallery show, and the scripts of research beside the package:
# the published commands on tiny made-up data, and their parts.
examples: .venv/.package system
	$(PYTEST) docs tests/examples tests/research --ignore=tests/examples/test_guides.py

# The tables of docs/results: make results DATA=... [ONLY="NAME ..."] [TEACHER=...] [FORCE=1]
results: .venv/.package system
	$(BIN)/python examples/results.py $(if $(DATA),--data "$(DATA)") \
	    $(if $(TEACHER),--teacher "$(TEACHER)") $(if $(ONLY),--only $(ONLY)) \
	    $(if $(FORCE),--force)

# Speed and memory, with goals, compared with examples/benchmarks/baseline.json:
# make bench DATA=... [ONLY="encode pipeline growth"] [TEACHER=...] [FULL=1] [UPDATE=1]
bench: .venv/.package
	$(BIN)/python examples/benchmarks/bench.py $(if $(DATA),--data "$(DATA)") \
	    $(if $(ONLY),--only "$(ONLY)") $(if $(TEACHER),--model "$(TEACHER)") \
	    $(if $(FULL),--full) $(if $(UPDATE),--update)

lint: .venv/.package
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell docs skpara *.md
	$(BIN)/python -m pytest -q $(OF_SOURCE)

# INTERSPHINX=1 make docs also links to the pages of other projects, which needs a network.
docs: .venv/.package
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

# Whether what the pages and docstrings refer to exists. No example of the gallery runs.
references: .venv/.package
	$(BIN)/python -m sphinx -W --keep-going -q -b dummy -D plot_gallery=0 docs docs/_build/references

# An sdist, and the wheel that is built from it: one for all versions of Python. Both are installed
# and tried in clean environments, under each of Python 3.11 to 3.14 that is found.
# On Linux, auditwheel names the oldest systems that the wheel runs on; package indexes take no other.
dist: .venv/.dist
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	if [ "$$(uname)" = Linux ]; then \
	    PATH="$$PWD/$(BIN):$$PATH" auditwheel repair --wheel-dir dist dist/*-linux_*.whl && \
	    rm dist/*-linux_*.whl; \
	fi
	$(BIN)/python .ci/check_dist.py

clean:
	rm -rf .venv .venv-works .venv-min .venv-new build dist *.egg-info docs/_build docs/generated skpara-demo
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find skpara tests examples docs -name __pycache__ -type d -exec rm -rf {} +
	find skpara -name '*.so' -delete

# Apertium is a Debian package: install it if possible, else print that it is missing.
system:
	@.ci/system_packages.sh

define make_venv
	$(BIN)/python -m venv $(1)
	$(1)/bin/python -m pip install $(PIP_OPTIONS) $(PIP)
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
	    > $$($(1)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/of_venv.pth
endef

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.package: $(RECIPE) | .venv/bin/python
	@echo "Installing skpara and what its tests need into .venv (once; a few minutes)"
	$(PIP_INSTALL) $(PIP)
	$(PIP_INSTALL) -e ".[networks,plot,interop,nltk,translate]" \
	    --group test --group dev --group docs
	@touch $@

# These two see the packages of .venv behind their own, so that torch and others are not installed
# twice.
.venv-works/.package: .venv/.package
	$(call make_venv,.venv-works)
	.venv-works/bin/python -m pip install $(PIP_OPTIONS) -c constraints.txt -e . \
	    --group test-works-with
	@touch $@

.venv-min/.package: .venv/.package constraints-min.txt
	$(call make_venv,.venv-min)
	sed -n 's/\(.*==\).*/^\1/p' constraints-min.txt > .venv-min/old.txt
	grep -vf .venv-min/old.txt constraints.txt > .venv-min/rest.txt
	.venv-min/bin/python -m pip install $(PIP_OPTIONS) \
	    -c .venv-min/rest.txt -c constraints-min.txt -e . --group test
	@touch $@

.venv-new/.package: $(RECIPE)
	$(PYTHON) -m venv .venv-new
	.venv-new/bin/python -m pip install $(PIP_OPTIONS) $(PIP)
	.venv-new/bin/python -m pip install $(PIP_OPTIONS) -e . --group test
	@touch $@

# Not the package itself: what is built must not depend on it.
.venv/.dist: constraints.txt | .venv/bin/python
	$(PIP_INSTALL) $(PIP)
	$(PIP_INSTALL) --group dist
	@touch $@
