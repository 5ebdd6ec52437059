#!/bin/bash
# SPDX-License-Identifier: MIT
# baseline.sh — the same question answered from vectors alone: what the hybrid is compared with
#
#   usage: baseline.sh [-jv] [-a URL] -i DIR [QUESTION]…        options as in ask.sh
set -euo pipefail
exec "$(dirname "$0")/ask.sh" -b "$@"
