# Makefile — the only makefile; non-recursive except that check-* start it again per CONF
#
#   make            build the tools into build/dev/bin and their data into build/share
#   make check      deps, build, model, all tests      make check T=gr-chunk/03   some of them
#   make help       every target in one line
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

include config.mk

CONF    ?= dev
VERSION := $(shell cat VERSION)
O       := build/$(CONF)
SHARE   := build/share
ifndef CONF_CFLAGS_$(CONF)
$(error CONF=$(CONF) is not known: dev clang asan tsan fault cov fuzz)
endif
ifdef CONF_CC_$(CONF)
CC := $(CONF_CC_$(CONF))
endif
ifneq ($(V),1)
Q := @
say = @printf '  %-8s%s\n' '$(1)' '$(2)';
else
say =
endif

# ---- flags ------------------------------------------------------------------------------
pkg_cflags = $(foreach p,$(1),$(shell $(PKG_CONFIG) --cflags $(p) 2>/dev/null))
pkg_libs   = $(foreach p,$(1),$(shell $(PKG_CONFIG) --libs $(p) 2>/dev/null || echo '$(FALLBACK_$(p))'))

TOOL_DIRS := $(sort $(patsubst tools/%/main.c,%,$(wildcard tools/*/main.c)))
ALGO_DIRS := $(sort $(patsubst tools/%/,%,$(dir $(wildcard tools/*/*.c))))
INSTALLED := $(filter-out gr-template,$(TOOL_DIRS))
# Include paths of every package: one set of compile flags, so that objects can be shared.
ALL_PKGS  := $(sort $(BASE_PKGS) $(foreach v,$(filter PKGS_%,$(.VARIABLES)),$($(v))))
WERROR_FLAG := $(if $(filter 1,$(WERROR)),-Werror)
BUILD_CFLAGS := $(STD) $(CONF_CFLAGS_$(CONF)) $(WARNINGS) $(WERROR_FLAG)
# Library headers are not ours to warn about: their folders are system folders.
BUILD_CPPFLAGS := -Icommon $(patsubst -I%,-isystem %,$(call pkg_cflags,$(ALL_PKGS)))
DEFINES := -DGR_VERSION='"$(VERSION)"' -DGR_BUILD='"$(notdir $(CC)) $(strip $(CONF_CFLAGS_$(CONF)) $(CFLAGS))"'
COMPILE = $(CC) $(BUILD_CPPFLAGS) $(DEFINES) $(CPPFLAGS) $(BUILD_CFLAGS) $(CFLAGS)
LINK    = $(CC) $(CONF_CFLAGS_$(CONF)) $(CFLAGS) $(LDFLAGS)
BASE_LIBS := -Wl,--as-needed $(call pkg_libs,$(BASE_PKGS)) -lm -lpthread

# What tool $(1) links besides its own archive.
uses_of     = $(USES_$(1)) $(foreach u,$(USES_$(1)),$(USES_$(u)))
archives_of = $(foreach u,$(1) $(call uses_of,$(1)),$(O)/lib/$(u).a)
libs_of     = $(BASE_LIBS) $(call pkg_libs,$(sort $(foreach u,$(1) $(call uses_of,$(1)),$(PKGS_$(u)))))

quote = '$(subst ','\'',$(1))'

# ---- all --------------------------------------------------------------------------------
BINS := $(TOOL_DIRS:%=$(O)/bin/%)
# T=gr-chunk/03 (see check) builds that tool alone: others may be half written.
ONLY := $(filter $(firstword $(subst /, ,$(T))),$(TOOL_DIRS))
ifneq ($(ONLY),)
BINS := $(O)/bin/$(ONLY)
endif
ifneq ($(filter unit/% fuzz/%,$(T)),)
BINS :=
endif
.PHONY: all bins share
all: bins share
bins: $(BINS)

# Objects are rebuilt when the flags change, not only when a source does. -Werror makes no
# other object.
FLAGS_NOW := $(filter-out -Werror,$(COMPILE)) | $(LINK)
ifneq ($(file <$(O)/flags),$(FLAGS_NOW))
.PHONY: $(O)/flags
endif
$(O)/flags:
	@command -v $(firstword $(CC)) >/dev/null || \
	 { echo 'make: no compiler $(firstword $(CC)) here: "make deps" installs what the build needs' >&2; exit 1; }
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s' $(call quote,$(FLAGS_NOW)) >$@

$(O)/%.o: %.c $(O)/flags config.mk VERSION
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<) $(COMPILE) $(CFLAGS_$*) -MMD -MP -c -o $@ $<

COMMON_OBJS := $(patsubst %.c,$(O)/%.o,$(wildcard common/*.c))
# A folder is newer when a file has come or gone: an archive must not keep what was deleted.
$(O)/libgr.a: $(COMMON_OBJS) common
	$(call say,AR,$@) rm -f $@; $(AR) rcs $@ $(COMMON_OBJS)

define archive_rule
OBJS_$(1) := $(patsubst %.c,$(O)/%.o,$(filter-out tools/$(1)/main.c,$(wildcard tools/$(1)/*.c)))
$(O)/lib/$(1).a: $$(OBJS_$(1)) tools/$(1)
	$(Q)mkdir -p $$(@D)
	$$(call say,AR,$$@) rm -f $$@; $(AR) rcs $$@ $$(OBJS_$(1))
endef
define tool_rule
$(O)/bin/$(1): $(O)/tools/$(1)/main.o $(call archives_of,$(1)) $(O)/libgr.a
	$(Q)mkdir -p $$(@D)
	$$(call say,LD,$$@) $$(LINK) -o $$@ $$^ $(call libs_of,$(1)) $$(LDLIBS)
endef
$(foreach t,$(ALGO_DIRS),$(eval $(call archive_rule,$(t))))
$(foreach t,$(TOOL_DIRS),$(eval $(call tool_rule,$(t))))

# ---- data: found by the tools at <bin>/../../share, installed as <bin>/../share/gr -------
DATA_DIRS  := $(patsubst data/%/,%,$(wildcard $(addsuffix /,data/vocab data/lexicon data/prompts)))
SHARE_LINKS := $(DATA_DIRS:%=$(SHARE)/%)
CLASSIFY_CSV := $(wildcard data/classify/queries.csv)
ifneq ($(CLASSIFY_CSV),)
SHARE_LINKS += $(SHARE)/classify/queries.csv
ifneq ($(filter gr-classify,$(TOOL_DIRS)),)
ifeq ($(CONF),dev)
CLASSIFY_MODEL := $(if $(T),,$(SHARE)/classify/model.txt)
endif
endif
endif
share: $(SHARE_LINKS) $(CLASSIFY_MODEL)

$(DATA_DIRS:%=$(SHARE)/%): $(SHARE)/%: | data/%
	$(Q)mkdir -p $(@D)
	$(call say,LN,$@) ln -sfn ../../data/$* $@
$(SHARE)/classify/queries.csv: | data/classify/queries.csv
	$(Q)mkdir -p $(@D)
	$(call say,LN,$@) ln -sfn ../../../data/classify/queries.csv $@
$(SHARE)/classify/model.txt: data/classify/queries.csv $(O)/lib/gr-classify.a | $(O)/bin/gr-classify $(SHARE_LINKS)
	$(Q)mkdir -p $(@D)
	$(call say,TRAIN,$@) $(O)/bin/gr-classify train -q -o $@ $<

-include $(wildcard $(O)/common/*.d $(O)/tools/*/*.d $(O)/tests/*/*.d)

# ---- clean ------------------------------------------------------------------------------
.PHONY: clean distclean
clean:            # keeps the downloaded model
	$(Q)for f in build/*; do case $$f in build/share | build/download) ;; *) rm -rf "$$f" ;; esac; done
	$(Q)for f in $(SHARE)/*; do case $$f in $(SHARE)/model) ;; *) rm -rf "$$f" ;; esac; done
distclean:        # removes build/ and dist/ whole
	rm -rf build dist tags compile_commands.json

# ---- what has to be on the machine ------------------------------------------------------
.PHONY: deps deps-dev model models-extra
deps:             # installs only what is missing, to build and to test
	$(Q).ci/deps build test
deps-dev:         # also what CI and formatting want
	$(Q).ci/deps build test ci
model:            # and the ranks of cl100k: fetched once; checksums are looked at each time
	$(Q)PYTHON='$(PYTHON)' .ci/model $(SHARE)/model/all-MiniLM-L6-v2 build/download
	$(Q)PYTHON='$(PYTHON)' .ci/ranks $(SHARE)/model/cl100k_base.tiktoken build/download || echo 'ranks: going on without'
models-extra:     # optional: bge-small-en-v1.5 and a cross-encoder for gr-embed rerank
	$(Q)PYTHON='$(PYTHON)' .ci/models-extra $(SHARE)/model build/download

# ---- test programs ----------------------------------------------------------------------
# tests/{unit,prop,peers}/test_X.c links libgr.a; when X starts with a tool's name and an
# underscore (test_gr-chunk_split.c) it links that tool's archive and libraries too.
tool_in    = $(firstword $(filter $(ALGO_DIRS),$(word 2,$(subst _, ,$(basename $(notdir $(1)))))))
UNIT_SRCS := $(wildcard tests/unit/test_*.c tests/prop/test_*.c tests/peers/test_*.c)
FUZZ_SRCS := $(wildcard tests/fuzz/fuzz_*.c)
UNIT_BINS := $(UNIT_SRCS:%.c=$(O)/%)
FUZZ_BINS := $(FUZZ_SRCS:%.c=$(O)/%)
ifneq ($(ONLY),)
UNIT_BINS := $(foreach b,$(UNIT_BINS),$(if $(findstring /test_$(ONLY)_,$(b)),$(b)))
FUZZ_BINS := $(foreach b,$(FUZZ_BINS),$(if $(findstring /fuzz_$(ONLY)_,$(b)),$(b)))
endif
ifneq ($(filter unit/%,$(T)),)
UNIT_BINS := $(foreach b,$(UNIT_BINS),$(if $(findstring $(T:unit/%=%),$(notdir $(b))),$(b)))
FUZZ_BINS :=
endif
ifneq ($(filter fuzz/%,$(T)),)
UNIT_BINS :=
endif
TEST_CPPFLAGS = $(foreach t,$(call tool_in,$(1)),-Itools/$(t))
define unit_rule
CFLAGS_$(1:%.c=%) += $(call TEST_CPPFLAGS,$(1)) -Itests
$(O)/$(1:%.c=%): $(1:%.c=$(O)/%.o) $(if $(call tool_in,$(1)),$(call archives_of,$(call tool_in,$(1)))) $(O)/libgr.a
	$$(call say,LD,$$@) $$(LINK) -o $$@ $$^ $(call pkg_libs,cmocka) $(call libs_of,$(call tool_in,$(1))) $(TEST_LIBS) $$(LDLIBS)
endef
# A fuzz target is linked with libFuzzer (CONF=fuzz) or with a main that replays its corpus.
FUZZ_MAIN := $(if $(filter fuzz,$(CONF)),-fsanitize=fuzzer,$(O)/tests/fuzz/replay.o)
define fuzz_rule
CFLAGS_$(1:%.c=%) += $(call TEST_CPPFLAGS,$(1))
$(O)/$(1:%.c=%): $(1:%.c=$(O)/%.o) $(if $(call tool_in,$(1)),$(call archives_of,$(call tool_in,$(1)))) $(O)/libgr.a $(filter %.o,$(FUZZ_MAIN))
	$$(call say,LD,$$@) $$(LINK) -o $$@ $$(filter-out $(FUZZ_MAIN),$$^) $(FUZZ_MAIN) $(call libs_of,$(call tool_in,$(1))) $(TEST_LIBS) $$(LDLIBS)
endef
# A module of common/ that itself needs a library the base lacks (http, vec) is tested with it.
TEST_LIBS := $(call pkg_libs,libcurl openblas)
$(foreach s,$(UNIT_SRCS),$(eval $(call unit_rule,$(s))))
$(foreach s,$(FUZZ_SRCS),$(eval $(call fuzz_rule,$(s))))
# tests/bench/bench_X.c: drivers of benchmarks, linked as unit tests are.
BENCH_SRCS := $(wildcard tests/bench/bench_*.c)
$(foreach s,$(BENCH_SRCS),$(eval $(call unit_rule,$(s))))
.PHONY: tests
BENCH_BINS := $(BENCH_SRCS:%.c=$(O)/%)
tests: $(UNIT_BINS) $(if $(filter dev clang,$(CONF)),$(BENCH_BINS)) $(if $(filter fuzz,$(CONF)),,$(FUZZ_BINS))

# ---- check ------------------------------------------------------------------------------
# T=gr-chunk/03  only cases of gr-chunk whose folder starts with 03      T=unit/buf  one unit test
# T=gr-chunk     all that is about gr-chunk      T=every/gr-chunk  T=lint/headers  T=other/install
# OFFLINE=1      neither installs packages nor fetches the model         JOBS=2      tests at once
JOBS ?= 2
.PHONY: check check-asan check-tsan check-fault check-valgrind check-integration update-cases check-only
ifeq ($(OFFLINE),1)
prepare:
else
prepare: deps
	$(Q)$(MAKE) --no-print-directory model
endif
.PHONY: prepare
# Use all processors below unless make was told how many.
PAR = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
check-only: all tests
	$(Q)CONF=$(CONF) JOBS=$(JOBS) tests/run $(SUITES)
check: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all tests $(if $(T),,man)
	$(Q)CONF=dev JOBS=$(JOBS) T='$(T)' tests/run all
update-cases: all
	$(Q)CONF=$(CONF) T='$(T)' UPDATE=1 tests/run cases
check-asan: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=asan all tests
	$(Q)CONF=asan JOBS=$(JOBS) T='$(T)' tests/run unit fuzz every cases
check-tsan: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=tsan all tests
	$(Q)CONF=tsan JOBS=$(JOBS) T='$(T)' tests/run unit jobs
check-fault: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=fault all
	$(Q)CONF=fault JOBS=$(JOBS) T='$(T)' tests/run faults
check-valgrind: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all tests
	$(Q)CONF=dev JOBS=$(JOBS) T='$(T)' tests/run valgrind
check-integration: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)CONF=dev JOBS=1 T='$(T)' tests/run integration

FUZZ_SECONDS ?= 30
.PHONY: fuzz
fuzz:             # FUZZ_SECONDS of libFuzzer on each target; T=ndjson: only that one
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=fuzz fuzz-bins
	$(Q)T='$(T)' tests/fuzz/run build/fuzz/tests/fuzz $(FUZZ_SECONDS)
.PHONY: fuzz-bins
fuzz-bins: $(FUZZ_BINS)

.PHONY: bench bench-quality bench-ann bench-sparse demo
bench: all $(BENCH_BINS)
	$(Q)if [ -x tests/bench/run ]; then tests/bench/run; else echo 'bench: no tests/bench/run'; fi
bench-quality: all # nDCG@10 and the like, some minutes
	$(Q)tests/bench/run quality extract relations
bench-ann: all $(BENCH_BINS)   # approximate search beside hnswlib, FAISS, USearch
	$(Q)tests/bench/run ann
bench-sparse: all $(BENCH_BINS)   # BM25 beside bm25s and tantivy
	$(Q)tests/bench/run sparse
demo: prepare
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)pipelines/demo.sh

# ---- lint -------------------------------------------------------------------------------
C_FILES := $(wildcard common/*.[ch] tools/*/*.[ch] tests/*/*.[ch])
.PHONY: lint fmt fmt-check tidy tags compdb cov
lint: man
	$(Q)prove $(wildcard tests/lint/*.t)
fmt:
	$(Q)$(CLANG_FORMAT) -i $(C_FILES)
fmt-check:
	$(Q)tests/lint/fmt.t
tidy:
	$(Q)for f in $(filter %.c,$(C_FILES)); do $(CLANG_TIDY) --quiet $$f -- $(BUILD_CPPFLAGS) $(STD) $(DEFINES); done
	$(Q)for f in $(filter %.c,$(wildcard common/*.c tools/*/*.c)); do $(COMPILE) -fanalyzer -c -o /dev/null $$f; done
tags:
	ctags -R common tools tests
compdb:
	$(Q){ echo '['; sep=; for f in $(filter %.c,$(C_FILES)); do \
	  printf '%s{"directory":"%s","file":"%s","arguments":[' "$$sep" "$$PWD" "$$f"; \
	  printf '"%s",' $(CC) $(BUILD_CPPFLAGS) $(STD) $(WARNINGS); printf '"-c","%s"]}\n' "$$f"; sep=,; done; echo ']'; } \
	  >compile_commands.json
cov: prepare      # line coverage of the tests, printed per file
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=dev all
	$(Q)$(MAKE) $(PAR) --no-print-directory CONF=cov all tests
	$(Q)CONF=cov JOBS=$(JOBS) tests/run unit every cases
	$(Q)cd build/cov && for d in common tools/*; do gcov -n -o $$d $$d/*.gcda 2>/dev/null; done \
	  | awk "/^File '(common|tools)/ {f=\$$2; getline; print \$$0, f}" | sort -t: -k2 -n

# ---- manual and completions ---------------------------------------------------------------
MAN_TOOLS := $(filter $(INSTALLED),$(patsubst man/%.1.in,%,$(wildcard man/*.1.in)))
MAN_PAGES := $(MAN_TOOLS:%=build/man/%.1) $(patsubst man/%,build/man/%,$(wildcard man/*.5 man/*.7))
COMPLETIONS := $(INSTALLED:%=build/completions/bash/%) $(INSTALLED:%=build/completions/zsh/_%)
.PHONY: man completions
man: $(MAN_PAGES) $(if $(filter gr-template,$(TOOL_DIRS)),build/man/gr-template.1)
completions: $(COMPLETIONS)
build/man/%: man/% man/exit.inc   # sections 5 and 7
	$(Q)mkdir -p $(@D)
	$(call say,MAN,$@) sed -e '/^@EXIT@$$/{r man/exit.inc' -e 'd}' $< >$@
define man_rule
build/man/$(1).1: man/$(1).1.in man/build.sh man/opts2mdoc.jq man/exit.inc $(O)/bin/$(1) $(wildcard tests/cases/$(1)/*example-*/*)
	$(Q)mkdir -p $$(@D)
	$$(call say,MAN,$$@) man/build.sh $(1) $(O)/bin/$(1) $$@
endef
$(foreach t,$(MAN_TOOLS) gr-template,$(eval $(call man_rule,$(t))))
build/completions/bash/%: man/completion.jq $(O)/bin/%
	$(Q)mkdir -p $(@D)
	$(call say,COMPL,$@) $(O)/bin/$* --describe | jq -srf man/completion.jq --arg shell bash >$@
build/completions/zsh/_%: man/completion.jq $(O)/bin/%
	$(Q)mkdir -p $(@D)
	$(call say,COMPL,$@) $(O)/bin/$* --describe | jq -srf man/completion.jq --arg shell zsh >$@

# ---- install ------------------------------------------------------------------------------
.PHONY: install uninstall dist
D := $(DESTDIR)
PIPELINES := $(addprefix pipelines/,index.sh ask.sh baseline.sh evaluate.sh)
install: all man completions
	$(INSTALL) -d '$(D)$(bindir)' '$(D)$(datadir)' '$(D)$(mandir)/man1' '$(D)$(mandir)/man5' '$(D)$(mandir)/man7' '$(D)$(bashcompdir)' '$(D)$(zshcompdir)'
	$(if $(INSTALLED),$(INSTALL) -m 755 $(INSTALLED:%=$(O)/bin/%) '$(D)$(bindir)')
	for s in 1 5 7; do for p in $(filter-out build/man/gr-template.1,$(MAN_PAGES)); do case $$p in *.$$s) $(INSTALL) -m 644 $$p '$(D)$(mandir)'/man$$s;; esac; done; done
	for t in $(INSTALLED); do $(INSTALL) -m 644 build/completions/bash/$$t '$(D)$(bashcompdir)'; $(INSTALL) -m 644 build/completions/zsh/_$$t '$(D)$(zshcompdir)'; done
	if [ -d $(SHARE) ]; then cp -RL $(SHARE)/. '$(D)$(datadir)'; fi
	$(INSTALL) -d '$(D)$(datadir)/pipelines'
	$(INSTALL) -m 755 $(PIPELINES) '$(D)$(datadir)/pipelines'
	$(INSTALL) -m 644 pipelines/lib.sh '$(D)$(datadir)/pipelines'
uninstall:
	for t in $(INSTALLED); do rm -f '$(D)$(bindir)'/$$t '$(D)$(bashcompdir)'/$$t '$(D)$(zshcompdir)'/_$$t '$(D)$(mandir)'/man1/$$t.1; done
	for p in $(notdir $(wildcard man/*.5)); do rm -f '$(D)$(mandir)'/man5/$$p; done
	for p in $(notdir $(wildcard man/*.7)); do rm -f '$(D)$(mandir)'/man7/$$p; done
	for d in vocab lexicon prompts classify model pipelines; do rm -rf '$(D)$(datadir)'/$$d; done
	if [ -d '$(D)$(datadir)' ]; then rmdir --ignore-fail-on-non-empty '$(D)$(datadir)'; fi
dist: man         # the tree at HEAD and the built manual pages
	$(Q)mkdir -p dist
	$(Q)git archive --prefix=gr-$(VERSION)/ -o dist/gr-$(VERSION).tar HEAD
	$(Q)tar -rf dist/gr-$(VERSION).tar --transform 's,^build/man,gr-$(VERSION)/man/built,' $(MAN_PAGES)
	$(Q)gzip -9nf dist/gr-$(VERSION).tar && echo dist/gr-$(VERSION).tar.gz

.PHONY: help
help:
	@printf '%s\n' 'all bins            build into build/$$CONF (dev)   CONF=dev|clang|asan|tsan|fault|cov' \
	 'deps deps-dev model install missing packages; with those CI wants; fetch the default model' \
	 'models-extra        another embedding model, and a cross-encoder for gr-embed rerank' \
	 'check [T=tool/nn]   everything, or the cases that match; OFFLINE=1: no packages, no model' \
	 'check-asan -tsan -fault -valgrind -integration   the same under a tool, or end to end' \
	 'check-only SUITES=… run suites on what is built: unit fuzz every cases jobs faults lint' \
	 'update-cases T=…    rewrite out, err and rc of cases: review the diff' \
	 'fuzz [T= FUZZ_SECONDS=30]   libFuzzer on each target' \
	 'lint fmt fmt-check tidy tags compdb cov bench bench-quality   for those who change the code' \
	 'bench-ann           approximate search beside hnswlib, FAISS and USearch (an hour at first)' \
	 'bench-sparse        BM25 beside bm25s and tantivy (some minutes)' \
	 'man completions install uninstall dist            DESTDIR prefix bindir mandir datadir' \
	 'demo                the pipelines on the examples' \
	 'clean distclean     remove build/ but the model; remove all'
