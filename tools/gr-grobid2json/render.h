// SPDX-License-Identifier: MIT
/*
 * render.h — a paper record → a document to read: Markdown, or plain text
 *
 * Markdown: a front matter of YAML (id, doi, title, authors …, strings quoted as JSON), then
 * head and text of each section, tables as pipe tables, captions, notes, references. Text: the
 * same without marks, tables with tabs; each document ends with a form feed.
 */
#ifndef RENDER_H
#define RENDER_H

#include "buf.h"
#include "err.h"
#include "gr.h"

enum render_format { RENDER_JSON, RENDER_MARKDOWN, RENDER_TEXT };

/* record: one line as tei_convert writes it. EXIT_REJECTED when it is no record. O(n). */
int render_record(enum render_format format, struct sv record, struct buf *out,
                  struct err *err);

#endif
