// SPDX-License-Identifier: MIT
/*
 * neo4j.h — Cypher statements to a Neo4j server over its transactional HTTP endpoint
 *
 * All statements added are one transaction: POST URL/db/DATABASE/tx/commit, which answers 200
 * even to a statement it could not run, with the reasons in "errors". Neo4j 4 and 5 speak it.
 * The password is sent with each request and never printed.
 */
#ifndef NEO4J_H
#define NEO4J_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"
#include "sv.h"

struct neo4j_cfg {
    const char *url;           /* "http://host:7474" */
    const char *database;      /* "neo4j" */
    const char *password_file; /* first line; NULL: NEO4J_PASSWORD, else no password is sent */
    long timeout_s, tries;
    uint64_t seed;
};

struct neo4j;

/* Nothing is sent yet. EXIT_USAGE for an address that is not http(s) or holds a password. The
 * user is NEO4J_USER, else NEO4J_USERNAME, else "neo4j". */
struct neo4j *neo4j_new(const struct neo4j_cfg *cfg, struct err *err);
void neo4j_free(struct neo4j *n); /* NULL is fine */

/* Add a statement; parameters is a JSON object, or "" for none. */
void neo4j_add(struct neo4j *n, struct sv statement, struct sv parameters);

/*
 * Run what was added. *results (NULL: not wanted) gets the array of results, one a statement,
 * to be freed with json_free. EXIT_FATAL: refused, with the server's own words and what to do;
 * EXIT_SERVICE: not to be reached, or out of memory. Nothing is left of a failed transaction.
 */
int neo4j_commit(struct neo4j *n, jv *results, struct err *err);

/* One statement; *rows is its "data": [{"row":[…]}, …], to be freed. */
int neo4j_ask(struct neo4j *n, struct sv statement, struct sv parameters, jv *rows,
              struct err *err);

/* ---- Cypher text ---- */

void cypher_string(struct buf *b, struct sv s); /* 'text' */

/* `name`, a label or a type; relations in Cypher's custom: HAS_VALUE. */
void cypher_name(struct buf *b, struct sv s, bool is_relation);

/* The same without the quotes, for a parameter. */
void cypher_bare_name(struct buf *b, struct sv s, bool is_relation);

#endif
