#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""llama.cpp's HTTP server on loopback, by the xllamacpp package: llama.py MODEL.gguf NAME PORT"""
import os
import signal
import sys

import xllamacpp

path, name, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = path
params.model_alias = {name}
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.ui = False
params.n_parallel = 1
params.n_ctx = 8192
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = len(os.sched_getaffinity(0))
params.use_jinja = True
# Blocked before the server's threads start, so that sigwait below is the one who gets them.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
server = xllamacpp.Server(params)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
os._exit(0)
