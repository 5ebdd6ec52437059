# config.mk — where things go, the compiler, flags and libraries
#
# Everything here can be set on the command line (make prefix=/opt/gr CC=clang) or in the
# environment. CFLAGS CPPFLAGS LDFLAGS LDLIBS are yours: they are appended, never overwritten.

prefix      ?= /usr/local
bindir      ?= $(prefix)/bin
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)/gr
mandir      ?= $(datarootdir)/man
bashcompdir ?= $(datarootdir)/bash-completion/completions
zshcompdir  ?= $(datarootdir)/zsh/site-functions

ifeq ($(origin CC),default)
CC = gcc
endif
AR         ?= ar
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
PYTHON     ?= python3
CLANG      ?= clang
CLANG_FORMAT ?= $(firstword $(shell command -v clang-format-14 clang-format) clang-format-14)
CLANG_TIDY ?= clang-tidy

# ---- configurations: CONF=NAME builds into build/NAME -----------------------------------
CONF_CFLAGS_dev   = -O2 -g
CONF_CFLAGS_clang = -O2 -g
CONF_CFLAGS_asan  = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
                    -fno-sanitize-recover=all
CONF_CFLAGS_tsan  = -O1 -g -fno-omit-frame-pointer -fsanitize=thread
CONF_CFLAGS_fault = -O1 -g -fno-omit-frame-pointer -DGR_FAULT -fsanitize=address,undefined \
                    -fno-sanitize-recover=all
CONF_CFLAGS_cov   = -O0 -g --coverage
CONF_CFLAGS_fuzz  = -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
                    -fno-sanitize-recover=all
CONF_CC_clang = $(CLANG)
CONF_CC_fuzz  = $(CLANG)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
           -Wconversion -Wformat=2 -Wvla -Wundef -Wno-missing-field-initializers
STD      = -std=c11 -D_POSIX_C_SOURCE=200809L -fno-common

# ---- libraries --------------------------------------------------------------------------
# pkg-config names and what to say to the linker where pkg-config does not know them.
# Debian 12 ships no libjq.pc and no libstemmer.pc.
FALLBACK_libjq         = -ljq
FALLBACK_libutf8proc   = -lutf8proc
FALLBACK_libstemmer    = -lstemmer
FALLBACK_libxxhash     = -lxxhash
FALLBACK_nettle        = -lnettle
FALLBACK_libcurl       = -lcurl
FALLBACK_libxml-2.0    = -lxml2
FALLBACK_libarchive    = -larchive
FALLBACK_openblas      = -lopenblas
FALLBACK_lapacke       = -llapacke
FALLBACK_libmongoc-1.0 = -lmongoc-1.0 -lbson-1.0
FALLBACK_cmocka        = -lcmocka

# Every tool may use these; --as-needed drops what it does not.
BASE_PKGS = libjq libutf8proc libstemmer libxxhash nettle

# What one tool needs besides. A new tool with no library of its own needs no line here.
# libcurl is opened when a request is prepared (common/http_curl.h); linking drops it.
PKGS_gr-grobid2json = libxml-2.0 libarchive libcurl
PKGS_gr-embed       = libcurl
PKGS_gr-vindex      = openblas libcurl
PKGS_gr-triples     = libcurl
PKGS_gr-gquery      = libcurl
PKGS_gr-classify    = lapacke openblas libcurl
PKGS_gr-expand      = libcurl
PKGS_gr-fuse        = libcurl
PKGS_gr-generate    = libcurl
PKGS_gr-ragas       = libcurl
PKGS_gr-store       = libmongoc-1.0

# Algorithm archives of other tools that one tool links (their packages come along).
USES_gr-ragas = gr-embed
USES_gr-triples = gr-gquery

# Extra compiler flags for one file, by its path without .c (SIMD code uses target attributes
# instead and needs none): CFLAGS_common/x = -fno-math-errno

# What a text is read with, byte by byte and word by word, is worth the compiler's time: facts
# from text come out a tenth faster. Configurations for finding faults keep their own level.
FAST_CFLAGS = $(if $(filter dev clang,$(CONF)),-O3)
FAST_FILES := $(wildcard tools/gr-triples/*.c common/vocab*.c common/chem*.c common/units.c \
              common/utf8.c common/sentence.c common/text.c common/json*.c common/sv.c common/scan.c)
$(foreach f,$(FAST_FILES:.c=),$(eval CFLAGS_$(f) = $$(FAST_CFLAGS)))
