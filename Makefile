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
ALL_PKGS  := $(sort $(BASE_PKGS) $(foreach t,$(ALGO_DIRS),$(PKGS_$(t))))
WERROR_FLAG := $(if $(filter 1,$(WERROR)),-Werror)
BUILD_CFLAGS := $(STD) $(CONF_CFLAGS_$(CONF)) $(WARNINGS) $(WERROR_FLAG)
# Library headers are not ours to warn about: their folders are system folders.
BUILD_CPPFLAGS := -Icommon $(patsubst -I%,-isystem %,$(call pkg_cflags,$(ALL_PKGS)))
DEFINES := -DGR_VERSION='"$(VERSION)"' -DGR_BUILD_FLAGS='"$(notdir $(CC)) $(strip $(CONF_CFLAGS_$(CONF)) $(CFLAGS))"'
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
.PHONY: all bins share
all: bins share
bins: $(BINS)

# Objects are rebuilt when the flags change, not only when a source does.
FLAGS_NOW := $(COMPILE) | $(LINK)
ifneq ($(file <$(O)/flags),$(FLAGS_NOW))
.PHONY: $(O)/flags
endif
$(O)/flags:
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s' $(call quote,$(FLAGS_NOW)) >$@

$(O)/%.o: %.c $(O)/flags config.mk VERSION
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<) $(COMPILE) $(CFLAGS_$*) -MMD -MP -c -o $@ $<

COMMON_OBJS := $(patsubst %.c,$(O)/%.o,$(wildcard common/*.c))
$(O)/libgr.a: $(COMMON_OBJS)
	$(call say,AR,$@) rm -f $@; $(AR) rcs $@ $(COMMON_OBJS)

define archive_rule
OBJS_$(1) := $(patsubst %.c,$(O)/%.o,$(filter-out tools/$(1)/main.c,$(wildcard tools/$(1)/*.c)))
$(O)/lib/$(1).a: $$(OBJS_$(1))
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
CLASSIFY_MODEL := $(SHARE)/classify/model.txt
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
