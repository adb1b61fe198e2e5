# Two commands: `make demo` and `make test`. Everything else is a detail of these.
.DEFAULT_GOAL := help
PRESET ?= release
BUILD  := build
JOBS   ?= $(shell nproc)
FUZZ_SECONDS ?= 600
empty :=
space := $(empty) $(empty)

.PHONY: help setup build python test-python wheel demo test check test-sanitizers test-clang test-asan-ubsan test-asan test-ubsan test-tsan test-report test-attack fuzz bench bench-gplvm bench-rkm bench-harmonic bench-fits papers docs format tidy install clean

help:            ## show this list
	@grep -E '^[a-z-]+: .*##|^[a-z-]+:  *##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

setup:           ## install what is missing (Debian packages); says what it installs
	@tools/setup.sh

build: setup     ## build/bin/bochner and the library
	@cmake --preset $(PRESET) $(if $(wildcard .venv/bin/python),,-DBOCHNER_PYTHON=OFF) > $(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; rm -f $(BUILD).configure.log; exit 1; }
	@rm -f $(BUILD).configure.log
	@cmake --build $(BUILD) --parallel $(JOBS) --target bochner_program

python: build    ## the Python package, into .venv
	@tools/setup.sh python
	@cmake --preset $(PRESET) -DBOCHNER_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/.venv/bin/python > /dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target _core _core_stub
	@cmake --install $(BUILD) --component python --prefix $$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))') > /dev/null

test-python: python  ## its tests, the examples in its docs, and its types
	@.venv/bin/python -m pytest -q python/tests
	@.venv/bin/python -m mypy

.PHONY: sdist deb test-packages
wheel:           ## portable wheels in dist/, for the Pythons on PATH (PYTHONS="python3.11 ...")
	@tools/setup.sh packages
	@JOBS=$(JOBS) packaging/wheels.sh $(PYTHONS)

sdist:           ## the source distribution of the Python package, in dist/
	@tools/setup.sh packages
	@.venv-packages/bin/python -m build --sdist --outdir dist . > /dev/null

deb:             ## Debian packages in dist/: bochner and libbochner-dev, for x86-64-v3 (BOCHNER_ARCH)
	@tools/setup.sh packages
	@JOBS=$(JOBS) packaging/deb.sh

test-packages:   ## install what is in dist/ in empty systems, and use it (as root)
	@tools/setup.sh packages
	@packaging/test.sh

demo: build      ## makes tables with known truth, fits, judges itself; leaves run/
	@$(BUILD)/bin/bochner demo --out run

test: python     ## builds and runs every test
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure
	@$(MAKE) --no-print-directory test-python

# The parts that read files from others, under both sanitizers: part of .ci/run, hence few minutes.
SANITIZED := core tables store data
test-sanitizers: setup  ## the tests of core, tables, store and data under address and undefined behaviour sanitizers
	@tools/setup.sh clang
	@cmake --preset asan-ubsan > /dev/null
	@cmake --build build-asan-ubsan --parallel $(JOBS) --target $(SANITIZED:%=test_%)
	@ctest --test-dir build-asan-ubsan --parallel $(JOBS) --output-on-failure -R '^($(subst $(space),|,$(SANITIZED)))\.'

test-clang: setup  ## the suite with clang, every source compiled alone
	@tools/setup.sh clang
	@cmake --preset clang > /dev/null
	@cmake --build build-clang --parallel $(JOBS)
	@ctest --test-dir build-clang --parallel $(JOBS) --output-on-failure

PRESET_ASAN ?= asan-ubsan
test-asan-ubsan: setup  ## the whole suite under both sanitizers (PRESET_ASAN=asan-ubsan-gcc: with GCC)
	@tools/setup.sh clang
	@cmake --preset $(PRESET_ASAN) > /dev/null
	@cmake --build build-$(PRESET_ASAN) --parallel $(JOBS)
	@ctest --test-dir build-$(PRESET_ASAN) --parallel $(JOBS) --output-on-failure

test-asan test-ubsan test-tsan: test-%: setup  ## the suite under one sanitizer (asan and ubsan with clang: it compiles them faster)
	@tools/setup.sh clang
	@cmake --preset $* > /dev/null
	@cmake --build build-$* --parallel $(JOBS)
	@ctest --test-dir build-$* --parallel $(JOBS) --output-on-failure

test-report: build  ## the reports of all model families in Chromium; screenshots in build/report-pictures
	@tools/setup.sh browser
	@node --test report/tests/*.test.js
	@.venv-browser/bin/python -m pytest -q report/tests/browser --program $(BUILD)/bin/bochner --pictures $(BUILD)/report-pictures

test-attack: build  ## attack the program with hostile files, kills, signals, limits (20 minutes; a table at the end)
	@python3 tests/attack/verdict_test.py --quiet
	@python3 tests/attack/run.py --program $(BUILD)/bin/bochner

fuzz: setup      ## fuzz every reader for FUZZ_SECONDS each (default 600)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh

.PHONY: cuda cuda-bundle
cuda: build      ## the plugin for NVIDIA cards, build/lib/libbochner_cuda.so (needs nvcc of CUDA 13)
	@command -v nvcc > /dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "make cuda: nvcc is neither on the PATH nor in /usr/local/cuda/bin; install the CUDA 13 toolkit (cuda-nvcc, libcublas-dev, libcusolver-dev)" >&2; exit 1; }
	@cmake --preset $(PRESET) -DBOCHNER_CUDA=ON > /dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target bochner_cuda test_backend

cuda-bundle: cuda  ## what a machine with a card needs to test and time it, in build/cuda-bundle (docs/gpu.md)
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench_cuda
	@tools/cuda_bundle.sh $(BUILD) $(BUILD)/cuda-bundle

.PHONY: mpi test-mpi
mpi: build       ## the plugin for mpirun and srun, build/lib/libbochner_mpi.so (docs/cluster.md)
	@tools/setup.sh mpi
	@cmake --preset $(PRESET) -DBOCHNER_MPI=ON > /dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target bochner_mpi

test-mpi: mpi    ## runs of several processes against runs of one
	@ctest --test-dir $(BUILD) --output-on-failure -L mpi

bench: build     ## run every benchmark; prints ratios against a reference in the same run
	@cmake --build $(BUILD) --parallel $(JOBS) --target benchmarks
	@for b in $(BUILD)/bench/bench_*; do $$b || exit 1; done

bench-gplvm: build  ## the latent variable model against PyTorch (fetches torch into .venv-bench)
	@tools/setup.sh bench
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench_gplvm
	@bench/run_gplvm

bench-rkm: build    ## kernel PCA against scikit-learn (fetches it into .venv-bench)
	@tools/setup.sh bench
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench_rkm
	@bench/run_rkm

bench-harmonic: build  ## a step of harmonic GPs against GPyTorch (fetches it into .venv-bench)
	@tools/setup.sh bench
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench_harmonic
	@bench/run_harmonic

bench-fits: build   ## list the benchmarks of the defaults of `bochner fit` on real tables (fetches MOFA2 and UMAP into .venv-bench)
	@tools/setup.sh bench
	@python3 bench/fits

papers: build    ## tables and figures of a paper beside ours: make papers PAPER=000, 001, 003 or 004
	@tools/setup.sh bench
	@[ "$(PAPER)" != 001 ] || cmake --build $(BUILD) --parallel $(JOBS) --target bench_harmonic
	@.venv-bench/bin/python bench/papers/paper$(PAPER).py $(ARGS)

docs: python     ## this documentation as a site, build-docs/html/index.html: opens from disk, needs no network
	@tools/setup.sh docs
	@cmake --install $(BUILD) --component python --prefix $$(.venv-docs/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))') > /dev/null
	@.venv-docs/bin/python tools/build_site.py --program $(BUILD)/bin/bochner

format:          ## let clang-format lay out every source file
	@git ls-files '*.cpp' '*.hpp' '*.cu' | xargs clang-format -i

check:           ## format, includes, documents, requirements, versions, Python style: seconds, nothing is compiled
	@tools/setup.sh check
	@git ls-files '*.cpp' '*.hpp' '*.cu' | xargs clang-format --dry-run -Werror
	@python3 tools/check_includes.py
	@python3 tools/check_docs.py
	@python3 tools/check_requirements.py
	@python3 tools/check_version.py
	@.venv-check/bin/ruff check --quiet
	@echo "ruff: good"

tidy: setup      ## clang-tidy over the library (TIDY=src/kernels/rbf.cpp: over one file)
	@tools/setup.sh tidy
	@cmake --preset clang -B build-tidy > /dev/null
	@echo $(or $(TIDY),$(shell git ls-files 'src/*.cpp' 'cli/*.cpp')) | xargs -P $(JOBS) -n 1 clang-tidy -p build-tidy --quiet

install: build   ## install the library and the program (PREFIX=/usr/local)
	@cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)

clean:
	@rm -rf build build-* dist run
