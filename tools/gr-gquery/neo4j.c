// SPDX-License-Identifier: MIT
/*
 * neo4j.c — the client, and Cypher's quoting
 */
#include "neo4j.h"

#include "alloc.h"
#include "base64.h"
#include "file.h"
#include "http.h"

struct neo4j {
    struct http *http;
    struct buf url, auth, body, reply;
    const char *headers[2];
    size_t n_statements;
};

/* ---- opening ---- */

static const char *env(const char *name)
{
    const char *s = getenv(name);
    return s && *s ? s : NULL;
}

static int read_password(struct buf *to, const char *file, struct err *err)
{
    struct buf b = BUF_INIT;
    if (!file) {
        if (env("NEO4J_PASSWORD"))
            buf_str(to, env("NEO4J_PASSWORD"));
        return 0;
    }
    int rc = file_read(&b, file, 64 << 10, err);
    struct sv rest = buf_view(&b), line = SV_NONE;
    if (rc == 0 && sv_cut(&rest, '\n', &line))
        buf_sv(to, sv_trim(line));
    buf_release(&b);
    return rc;
}

static int make_auth(struct neo4j *n, const char *file, struct err *err)
{
    struct buf password = BUF_INIT, plain = BUF_INIT;
    const char *user = env("NEO4J_USER") ? env("NEO4J_USER") : env("NEO4J_USERNAME");
    int rc = read_password(&password, file, err);
    if (rc == 0 && password.len) {
        buf_printf(&plain, "%s:", user ? user : "neo4j");
        buf_sv(&plain, buf_view(&password));
        buf_str(&n->auth, "Authorization: Basic ");
        base64_put(&n->auth, buf_view(&plain));
        n->headers[0] = buf_cstr(&n->auth);
    }
    buf_release(&password);
    buf_release(&plain);
    return rc;
}

static int check_url(struct sv url, struct err *err)
{
    if (sv_starts(url, SV("bolt")) || sv_starts(url, SV("neo4j")))
        return err_set(err, EXIT_USAGE,
                       "%.*s: this is the address for drivers; give that of HTTP, "
                       "http://HOST:7474",
                       SV_ARG(url));
    if (!sv_starts(url, SV("http://")) && !sv_starts(url, SV("https://")))
        return err_set(err, EXIT_USAGE, "not an http or https address: \"%.*s\"", SV_ARG(url));
    if (memchr(url.p, '@', url.n))
        return err_set(err, EXIT_USAGE,
                       "a password in an address is seen by everybody on the "
                       "machine: set NEO4J_USER and NEO4J_PASSWORD");
    return 0;
}

struct neo4j *neo4j_new(const struct neo4j_cfg *cfg, struct err *err)
{
    struct neo4j *n = alloc_zero(1, sizeof *n);
    struct buf path = BUF_INIT;
    buf_printf(&path, "db/%s/tx/commit", cfg->database);
    if (check_url(sv_from(cfg->url), err) == 0 && make_auth(n, cfg->password_file, err) == 0 &&
        http_join(&n->url, cfg->url, buf_cstr(&path), err) == 0)
        n->http = http_new(&(struct http_cfg){ .url = buf_cstr(&n->url),
                                               .headers = n->headers,
                                               .timeout_ms = cfg->timeout_s * 1000,
                                               .tries = cfg->tries,
                                               .seed = cfg->seed },
                           err);
    buf_release(&path);
    if (n->http)
        return n;
    neo4j_free(n);
    return NULL;
}

void neo4j_free(struct neo4j *n)
{
    if (!n)
        return;
    http_free(n->http);
    buf_release(&n->url);
    buf_release(&n->auth);
    buf_release(&n->body);
    buf_release(&n->reply);
    free(n);
}

/* ---- asking ---- */

void neo4j_add(struct neo4j *n, struct sv statement, struct sv parameters)
{
    buf_str(&n->body, n->n_statements++ ? "," : "{\"statements\":[");
    buf_str(&n->body, "{\"statement\":");
    json_put_str(&n->body, statement);
    if (parameters.n) {
        buf_str(&n->body, ",\"parameters\":");
        buf_sv(&n->body, parameters);
    }
    buf_char(&n->body, '}');
}

/* What to do about an error that the server has a name for. */
static const char *remedy(struct sv code)
{
    static const struct {
        const char *code, *remedy;
    } known[] = {
        { "Neo.ClientError.Security", "set NEO4J_USER and NEO4J_PASSWORD" },
        { "Neo.ClientError.Procedure.ProcedureNotFound",
          "install APOC Core or give --no-apoc" },
        { "Neo.ClientError.Database.DatabaseNotFound", "name another with --database" },
        { "Neo.TransientError.General.MemoryPoolOutOfMemory", "give the server more memory, or "
                                                              "a smaller --batch or --depth" },
    };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (sv_starts(code, sv_from(known[i].code)))
            return known[i].remedy;
    return NULL;
}

/* Of the "errors" of a reply the first. */
static int refuse(const struct neo4j *n, jv errors, struct err *err)
{
    jv first = json_at(errors, 0);
    struct sv code = json_sv(json_get(first, "code")),
              why = json_sv(json_get(first, "message"));
    const char *do_this = remedy(code);
    bool is_passing = sv_starts(code, SV("Neo.TransientError"));
    return err_set(err, is_passing ? EXIT_SERVICE : EXIT_FATAL, "%s: %.*s: %.*s%s%s",
                   buf_cstr((struct buf *)&n->url), SV_ARG(code),
                   (int)(why.n < 300 ? why.n : 300), why.p, do_this ? ": " : "",
                   do_this ? do_this : "");
}

static int send(struct neo4j *n, struct err *err)
{
    long status = 0;
    int rc = http_post(n->http, buf_view(&n->body), &n->reply, &status, err);
    if (rc < 0 && status == 401)
        return err_set(err, EXIT_FATAL,
                       "%s: user or password is wrong: set NEO4J_USER and "
                       "NEO4J_PASSWORD",
                       buf_cstr(&n->url));
    if (rc < 0 && status == 404)
        return err_set(err, EXIT_FATAL,
                       "%s: no Neo4j answers there: the address is that of "
                       "HTTP, http://HOST:7474",
                       buf_cstr(&n->url));
    if (rc < 0 && err->code == EXIT_REJECTED)
        err->code = EXIT_FATAL;
    return rc;
}

int neo4j_commit(struct neo4j *n, jv *results, struct err *err)
{
    jv v;
    size_t n_asked = n->n_statements;
    buf_str(&n->body, "]}");
    int rc = send(n, err);
    buf_reset(&n->body);
    n->n_statements = 0;
    if (rc < 0)
        return -1;
    if (json_parse(&v, buf_view(&n->reply), err) < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s: the reply is no Neo4j's", buf_cstr(&n->url));
    }
    jv errors = json_get(v, "errors"), data = json_get(v, "results");
    if (json_len(errors))
        rc = refuse(n, errors, err);
    else if (!json_is_array(errors) || json_len(data) != n_asked)
        rc = err_set(err, EXIT_FATAL, "%s: the reply is no Neo4j's: expected %zu results",
                     buf_cstr(&n->url), n_asked);
    if (rc == 0 && results)
        *results = jv_copy(data);
    json_free(v);
    return rc;
}

int neo4j_ask(struct neo4j *n, struct sv statement, struct sv parameters, jv *rows,
              struct err *err)
{
    jv results;
    neo4j_add(n, statement, parameters);
    if (neo4j_commit(n, &results, err) < 0)
        return -1;
    *rows = jv_copy(json_get(json_at(results, 0), "data"));
    json_free(results);
    return 0;
}

/* ---- Cypher text ---- */

void cypher_string(struct buf *b, struct sv s)
{
    buf_char(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '\'' || c == '\\')
            buf_char(b, '\\');
        if (c < 0x20)
            buf_printf(b, "\\u%04x", c);
        else
            buf_char(b, (char)c);
    }
    buf_char(b, '\'');
}

void cypher_bare_name(struct buf *b, struct sv s, bool is_relation)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (is_relation && (c == ' ' || c == '-'))
            c = '_';
        else if (is_relation && c >= 'a' && c <= 'z')
            c = (unsigned char)(c - 32);
        /* A backslash would begin an escape (\u0060) inside the quotes, a back quote end them
         * where a procedure puts them round. */
        buf_char(b, c < 0x20 || c == '\\' || c == '`' ? '_' : (char)c);
    }
}

void cypher_name(struct buf *b, struct sv s, bool is_relation)
{
    buf_char(b, '`');
    cypher_bare_name(b, s, is_relation);
    buf_char(b, '`');
}
