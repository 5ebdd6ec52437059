#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""llama.cpp's HTTP server on loopback, by the xllamacpp package: llama.py MODEL.gguf NAME PORT [N]

With N it serves embeddings of texts of up to N tokens, not chat.
"""
import os
import signal
import sys

import xllamacpp

path, name, port = sys.argv[1:4]
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
if len(sys.argv) > 4:  # an encoder's input must fit one batch
    params.embedding = True
    params.n_parallel, params.n_batch = 4, int(sys.argv[4])
    params.n_ubatch, params.n_ctx = params.n_batch, 4 * params.n_batch
# Blocked before the server's threads start, so that sigwait below is the one who gets them.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
server = xllamacpp.Server(params)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
os._exit(0)
