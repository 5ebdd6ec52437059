// SPDX-License-Identifier: MIT
/*
 * tokenizer.h — the WordPiece tokenizer of a model folder
 *
 * tokenizer.json (Hugging Face tokenizers) is read when it is there, else vocab.txt with
 * tokenizer_config.json. Of tokenizer.json: model WordPiece, BertNormalizer, BertPreTokenizer,
 * TemplateProcessing or BertProcessing of the form [CLS] A [SEP] (and B [SEP]), added tokens
 * that are matched in the text as it is. Any other kind is refused by name, and so is a folder
 * whose files contradict each other. Its truncation and padding do not count.
 */
#ifndef GR_TOKENIZER_H
#define GR_TOKENIZER_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "wordpiece.h"

struct tokenizer {
    struct wordpiece *words;
    struct wordpiece_cfg cfg;
    struct buf vocab;  /* as vocab.txt has it, a piece a line */
    bool has_own_form; /* other special tokens than the usual five, or another max_chars */
    bool has_pairs;    /* two texts make [CLS] A [SEP] B [SEP] */
};

/* is_lowered: letters are lowered whatever the files say. -1 and err (EXIT_FATAL, with the
 * file's path). Release it in both cases. */
int tokenizer_read(struct tokenizer *t, const char *dir, bool is_lowered, struct err *err);
void tokenizer_release(struct tokenizer *t);

#endif
