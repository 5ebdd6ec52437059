// SPDX-License-Identifier: MIT
/*
 * run.c — start and end of a tool: command line, help, input and output, accounting
 */
#include "run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utf8proc.h>

#include "alloc.h"
#include "base64.h"
#include "pool.h"
#include "progress.h"
#include "run_internal.h"
#include "utf8.h"

#ifndef GR_VERSION
#define GR_VERSION "0.0.0"
#endif
#ifndef GR_BUILD
#define GR_BUILD "unknown flags"
#endif

struct run_cfg run_cfg;

/* ---- help, version, description ---- */

static void print_usage(const struct tool *tool, const struct tool_cmd *cmd)
{
    printf("Usage: %s%s%s [OPTION]…%s%s\n", tool->name, cmd->desc.name ? " " : "",
           cmd->desc.name ? cmd->desc.name : "", cmd->desc.operands ? " " : "",
           cmd->desc.operands ? cmd->desc.operands : "");
}

static void print_cmd_help(const struct tool *tool, const struct tool_cmd *cmd)
{
    print_usage(tool, cmd);
    printf("%s — %s\n", tool->name, cmd->desc.summary ? cmd->desc.summary : tool->summary);
    opts_print_help(cmd->desc.options);
    if (tool->footer && !cmd->desc.name)
        printf("\n%s\n", tool->footer);
}

static void print_tool_help(const struct tool *tool)
{
    printf("Usage: %s COMMAND [OPTION]…\n%s — %s\n\nCommands:\n", tool->name, tool->name,
           tool->summary);
    for (size_t i = 0; i < tool->n_cmds; i++) {
        const struct opt_cmd *d = &tool->cmds[i].desc;
        bool is_default = tool->default_cmd && strcmp(d->name, tool->default_cmd) == 0;
        printf("  %-10s %s%s\n", d->name, d->summary,
               is_default ? " (when none is named)" : "");
    }
    printf("\n'%s COMMAND --help' lists a command's options.\n", tool->name);
    if (tool->footer)
        printf("\n%s\n", tool->footer);
}

static void print_version(const struct tool *tool)
{
    printf("%s %s\nlibjq 1.x, utf8proc %s%s%s\nbuilt with %s\n", tool->name, GR_VERSION,
           utf8proc_version(), tool->libs ? ", " : "", tool->libs ? tool->libs() : "",
           GR_BUILD);
}

static void describe_cmd(struct buf *b, const struct opt_cmd *d)
{
    json_open(b, '{');
    json_key(b, "name");
    json_put_str(b, sv_from(d->name));
    json_key(b, "summary");
    json_put_str(b, sv_from(d->summary));
    json_key(b, "operands");
    json_put_str(b, sv_from(d->operands));
    json_close(b, '}');
}

static void describe_usage(struct buf *b, const struct tool *tool, const struct opt_cmd *d)
{
    struct buf line = BUF_INIT;
    buf_printf(&line, "%s%s%s [OPTION]…%s%s", tool->name, d->name ? " " : "",
               d->name ? d->name : "", d->operands ? " " : "", d->operands ? d->operands : "");
    json_put_str(b, buf_view(&line));
    buf_release(&line);
}

static void print_description(const struct tool *tool)
{
    struct buf b = BUF_INIT;
    json_open(&b, '{');
    json_key(&b, "tool");
    json_put_str(&b, sv_from(tool->name));
    json_key(&b, "version");
    json_put_str(&b, SV(GR_VERSION));
    json_key(&b, "summary");
    json_put_str(&b, sv_from(tool->summary));
    json_key(&b, "default_command");
    if (tool->default_cmd)
        json_put_str(&b, sv_from(tool->default_cmd));
    else
        json_put_null(&b);
    json_key(&b, "usage");
    json_open(&b, '[');
    if (!tool->n_cmds)
        describe_usage(&b, tool, &tool->only.desc);
    for (size_t i = 0; i < tool->n_cmds; i++)
        describe_usage(&b, tool, &tool->cmds[i].desc);
    json_close(&b, ']');
    json_key(&b, "commands");
    json_open(&b, '[');
    for (size_t i = 0; i < tool->n_cmds; i++)
        describe_cmd(&b, &tool->cmds[i].desc);
    json_close(&b, ']');
    json_close(&b, '}');
    printf("%s\n", buf_cstr(&b));
    buf_release(&b);
    if (!tool->n_cmds)
        opts_print_rows(tool->only.desc.options, tool->name, NULL);
    for (size_t i = 0; i < tool->n_cmds; i++)
        opts_print_rows(tool->cmds[i].desc.options, tool->name, tool->cmds[i].desc.name);
}

/* End after text on standard output, which may be a full disk. */
static GR_NORETURN void end_printed(void)
{
    if (fflush(stdout) || ferror(stdout)) {
        diag_error("standard output: write failed");
        exit(EXIT_FATAL);
    }
    exit(EXIT_ALL_DONE);
}

/* ---- start ---- */

static GR_NORETURN void end_usage(const struct tool *tool, const struct tool_cmd *cmd,
                                  const char *problem)
{
    diag_error("%s", problem);
    bool is_named = cmd && cmd->desc.name;
    fprintf(stderr, "Try '%s%s%s --help'.\n", tool->name, is_named ? " " : "",
            is_named ? cmd->desc.name : "");
    exit(EXIT_USAGE);
}

static const struct tool_cmd *find_cmd(const struct tool *tool, const char *name)
{
    for (size_t i = 0; name && i < tool->n_cmds; i++)
        if (strcmp(tool->cmds[i].desc.name, name) == 0)
            return &tool->cmds[i];
    return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || (b && strcmp(word, b) == 0);
}

/* The command to run; removes its name from argv. */
static const struct tool_cmd *choose_cmd(const struct tool *tool, int *argc, char **argv)
{
    if (!tool->n_cmds)
        return &tool->only;
    const char *word = *argc > 1 ? argv[1] : NULL;
    const struct tool_cmd *cmd = find_cmd(tool, word);
    if (cmd) {
        memmove(&argv[1], &argv[2], (size_t)(*argc - 1) * sizeof *argv);
        --*argc;
        return cmd;
    }
    if (word && is_one_of(word, "--help", "-h")) {
        print_tool_help(tool);
        end_printed();
    }
    if (word && is_one_of(word, "--version", "-V")) {
        print_version(tool);
        end_printed();
    }
    if (word && is_one_of(word, "--describe", NULL)) {
        print_description(tool);
        end_printed();
    }
    cmd = find_cmd(tool, tool->default_cmd);
    if (cmd)
        return cmd;
    char msg[200];
    if (word)
        snprintf(msg, sizeof msg, "unknown command \"%.100s\"", word);
    else
        snprintf(msg, sizeof msg, "which command?");
    end_usage(tool, NULL, msg);
}

void run_inputs(struct run *run, size_t first)
{
    if (first > run->n_operands)
        first = run->n_operands;
    for (size_t i = first; i < run->n_operands; i++)
        if (file_check(run->operands[i], &run->err) < 0) {
            diag_error("%s", run->err.msg);
            exit(EXIT_FATAL);
        }
    lines_init(&run->in, run->operands + first, run->n_operands - first);
}

/* A standard stream that the caller has closed must not become the number of a file opened
 * here: messages would go into the output. Reading or writing the stand-in fails. */
static void hold_standard_streams(void)
{
    static const int flags[] = { O_WRONLY, O_RDONLY, O_RDWR };
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) < 0)
            exit(EXIT_FATAL);
}

static void end_by_signal(int number)
{
    file_remove_temps();
    signal(number, SIG_DFL);
    raise(number); /* arrives when this handler returns */
}

/* However the process ends, half-written temporaries go. */
static void guard_temps(void)
{
    static const int numbers[] = {
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ
    };
    struct sigaction ours = { .sa_handler = end_by_signal }, before;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
    alloc_on_die(file_remove_temps);
    atexit(file_remove_temps);
}

static bool is_same_file(int a, int b)
{
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino && !S_ISCHR(x.st_mode);
}

/* Is that file read by this run? */
static bool is_input(const struct run *run, const char *path)
{
    struct stat file, one;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return false;
    for (size_t i = 0; i < run->n_operands; i++)
        if (stat(run->operands[i], &one) == 0 && one.st_dev == file.st_dev &&
            one.st_ino == file.st_ino)
            return true;
    return fstat(STDIN_FILENO, &one) == 0 && one.st_dev == file.st_dev &&
           one.st_ino == file.st_ino;
}

/* Two writers into one file mix their bytes, or the last to end wins; and rejects in the place
 * of the input would be its end. */
static void check_outputs(struct run *run)
{
    const struct out *a = &run->out, *b = &run->rejects;
    if (b->fd < 0)
        return;
    if (is_input(run, run_cfg.rejects))
        exit(run_usage(run, "--rejects=%s: it is read from there", run_cfg.rejects));
    if (is_same_file(a->fd, b->fd) || (a->temp && b->temp && strcmp(a->path, b->path) == 0))
        exit(run_usage(run, "--rejects=%s: the output goes there", run_cfg.rejects));
}

static void open_streams(struct run *run)
{
    struct err *err = &run->err;
    guard_temps();
    run_inputs(run, run->cmd->has_no_input ? run->n_operands : 0);
    if (out_open(&run->out, run_cfg.output, err) < 0 ||
        (run_cfg.rejects && out_open(&run->rejects, run_cfg.rejects, err) < 0)) {
        diag_error("%s", err->msg);
        exit(EXIT_FATAL);
    }
    check_outputs(run);
    run->out.flush_each = run_cfg.is_line_buffered || isatty(run->out.fd);
    run->rejects.flush_each = true;
}

struct run run_start(const struct tool *tool, int argc, char **argv)
{
    struct run run = { .tool = tool, .rejects = { .fd = -1 } };
    hold_standard_streams();
    setlocale(LC_CTYPE, "");
    jv_nomem_handler(alloc_die, NULL);
    diag_init(tool->name, DIAG_NORMAL);
    run.cmd = choose_cmd(tool, &argc, argv);
    int first;
    opts_defaults(run.cmd->desc.options);
    if (opts_parse(run.cmd->desc.options, argc, argv, &first, &run.err) < 0)
        end_usage(tool, run.cmd, run.err.msg);
    if (run_cfg.wants_help)
        print_cmd_help(tool, run.cmd);
    else if (run_cfg.wants_version)
        print_version(tool);
    else if (run_cfg.wants_describe)
        print_description(tool);
    if (run_cfg.wants_help || run_cfg.wants_version || run_cfg.wants_describe)
        end_printed();
    diag_init(tool->name, run_cfg.is_quiet  ? DIAG_QUIET
                          : run_cfg.verbose ? DIAG_VERBOSE
                                            : DIAG_NORMAL);
    run.operands = (const char **)(uintptr_t)&argv[first];
    run.n_operands = (size_t)(argc - first);
    run.jobs = run_cfg.jobs ? (unsigned)run_cfg.jobs : pool_processors();
    open_streams(&run);
    progress_start((enum progress_when)run_cfg.progress, "records", 0);
    return run;
}

int run_usage(struct run *run, const char *fmt, ...)
{
    char msg[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    out_abandon(&run->out);
    out_abandon(&run->rejects);
    end_usage(run->tool, run->cmd, msg);
}

/* ---- accounting ---- */

static const char *place(char *to, size_t size, const char *file, uint64_t number)
{
    if (number)
        snprintf(to, size, "%s:%" PRIu64, file, number);
    else
        snprintf(to, size, "%s", file);
    return to;
}

void run_internal_say(const char *file, uint64_t number, struct sv id, bool is_warning,
                      const char *msg)
{
    char where[600], who[300] = "";
    if (!file) { /* the message names it */
        diag_error("%s", msg);
        return;
    }
    place(where, sizeof where, file, number);
    if (id.n)
        snprintf(who, sizeof who, " id \"%.*s\":", (int)(id.n > 200 ? 200 : id.n), id.p);
    if (is_warning)
        diag_warn("%s:%s %s", where, who, msg);
    else
        diag_error("%s:%s %s", where, who, msg);
}

void run_internal_warnings(const struct rec *r, struct sv id, struct buf *warnings)
{
    struct sv rest = buf_view(warnings), one;
    if (!rest.n)
        return;
    rest.n--; /* the last line end */
    while (sv_cut(&rest, '\n', &one)) {
        char msg[512];
        snprintf(msg, sizeof msg, "%.*s", (int)(one.n < 500 ? one.n : 500), one.p);
        run_internal_say(r->file, r->number, id, true, msg);
    }
    buf_reset(warnings);
}

static struct sv id_of(const struct rec *r)
{
    return json_sv(json_get(r->v, "id"));
}

/* A member for text, or one named …_base64 for bytes that are none. */
static void put_bytes(struct buf *out, const char *name, struct sv bytes)
{
    struct buf key = BUF_INIT, text = BUF_INIT;
    bool is_text = utf8_check(bytes) == SIZE_MAX;
    buf_printf(&key, "%s%s", name, is_text ? "" : "_base64");
    if (!is_text)
        base64_put(&text, bytes);
    json_key(out, buf_cstr(&key));
    json_put_str(out, is_text ? bytes : buf_view(&text));
    buf_release(&key);
    buf_release(&text);
}

static void keep_reject(struct run *run, const struct rec *r, const char *reason)
{
    if (run->rejects.fd < 0)
        return;
    struct buf b = BUF_INIT;
    json_open(&b, '{');
    json_key(&b, "tool");
    json_put_str(&b, sv_from(run->tool->name));
    json_key(&b, "file");
    json_put_str(&b, sv_from(r->file));
    json_key(&b, "line");
    json_put_int(&b, (int64_t)r->number);
    json_key(&b, "reason");
    json_put_str(&b, sv_from(reason));
    put_bytes(&b, "raw", r->line);
    if (r->reply && r->reply->len)
        put_bytes(&b, "reply", buf_view(r->reply));
    buf_str(&b, "}\n");
    out_put(&run->rejects, buf_view(&b));
    buf_release(&b);
}

bool run_internal_refuse(struct run *run, const struct rec *r, struct sv id,
                         const struct err *err)
{
    run_internal_say(r->file, r->number, id, false, err->msg);
    if (err->code != EXIT_REJECTED) {
        run->stop_code = err->code;
        return false;
    }
    run->n_rejected++;
    keep_reject(run, r, err->msg);
    bool is_enough = run_cfg.max_errors && run->n_rejected >= (uint64_t)run_cfg.max_errors;
    if (run_cfg.on_error == RUN_STOP || is_enough)
        run->stop_code = EXIT_FATAL;
    return run->stop_code == EXIT_ALL_DONE;
}

void run_reject(struct run *run, const struct rec *r)
{
    run->n_done--; /* run_next counted it */
    run_internal_refuse(run, r, id_of(r), &run->err);
}

int run_internal_parse(const struct tool *tool, struct rec *r, struct sv line, struct buf *text,
                       struct err *err)
{
    struct sv s = sv_trim(line);
    bool is_text = tool->is_all_text && *tool->is_all_text;
    if (!is_text && (!tool->takes_text || (s.n && s.p[0] == '{')))
        return rec_parse_some(r, s, tool->unread, err);
    r->line = s;
    r->v = jv_null();
    size_t bad = utf8_check(s);
    if (bad != SIZE_MAX)
        return err_set(err, EXIT_REJECTED,
                       "not valid UTF-8 at byte %zu (0x%02x): convert the input to UTF-8",
                       bad + 1, (unsigned char)s.p[bad]);
    buf_reset(text);
    if (is_text)
        buf_printf(text, "{\"id\":\"%" PRIu64 "\",\"text\":", r->number);
    else
        buf_str(text, "{\"query\":");
    json_put_str(text, s);
    buf_char(text, '}');
    return rec_parse(r, buf_view(text), err);
}

/* ---- serial reading ---- */

/* The next raw line; false at the end or when the run must stop. */
static bool next_raw(struct run *run, struct rec *r, struct sv *line)
{
    while (run->stop_code == EXIT_ALL_DONE) {
        if (!lines_has_buffered(&run->in))
            out_flush(&run->out); /* the next line may have to be waited for */
        enum line_status s = lines_next(&run->in, line, &run->err);
        if (s == LINE_END)
            return false;
        *r = (struct rec){
            .line = *line, .file = run->in.path, .number = run->in.number, .v = jv_null()
        };
        if (s == LINE_FAILED) {
            diag_error("%s", run->err.msg);
            run->stop_code = EXIT_FATAL;
            return false;
        }
        run->n_read++;
        if (s == LINE_OK)
            return true;
        err_set(&run->err, EXIT_REJECTED, "line longer than %zu bytes", run->in.max);
        run_internal_refuse(run, r, SV_NONE, &run->err);
    }
    return false;
}

bool run_next(struct run *run, struct rec *r)
{
    static struct buf text, warnings; /* of the one record that is out */
    static struct rec last;
    static bool has_last;
    if (has_last) {
        run_internal_warnings(&last, id_of(&last), &warnings);
        rec_release(&last);
    }
    has_last = false;
    struct sv line;
    while (next_raw(run, r, &line)) {
        if (run_internal_parse(run->tool, r, line, &text, &run->err) == 0) {
            r->warnings = &warnings;
            last = *r;
            has_last = true;
            run->n_done++; /* run_reject takes it back */
            progress_show(run->n_read, run->n_rejected);
            return true;
        }
        run_internal_refuse(run, r, SV_NONE, &run->err);
    }
    buf_release(&text);
    buf_release(&warnings);
    return false;
}

bool run_next_raw(struct run *run, struct rec *r)
{
    struct sv line;
    if (!next_raw(run, r, &line))
        return false;
    run->n_done++; /* run_reject takes it back */
    progress_show(run->n_read, run->n_rejected);
    return true;
}

int run_parse(struct run *run, struct rec *r, struct buf *text)
{
    return run_internal_parse(run->tool, r, r->line, text, &run->err);
}

void run_write(struct run *run, struct sv lines)
{
    out_put(&run->out, lines);
    if (out_failed(&run->out) && run->stop_code == EXIT_ALL_DONE)
        run->stop_code = EXIT_FATAL;
}

/* ---- end ---- */

int run_fail(struct run *run)
{
    progress_end();
    if (run->err.code == EXIT_USAGE)
        return run_usage(run, "%s", run->err.msg);
    diag_error("%s", run->err.msg);
    diag_end();
    out_abandon(&run->out);
    out_abandon(&run->rejects);
    lines_release(&run->in);
    return run->err.code ? (int)run->err.code : EXIT_FATAL;
}

static void print_summary(const struct run *run)
{
    char filtered[60] = "";
    if (run->n_filtered)
        snprintf(filtered, sizeof filtered, ", %" PRIu64 " filtered out", run->n_filtered);
    if (run->n_rejected)
        diag_error("%" PRIu64 " read, %" PRIu64 " done%s, %" PRIu64 " rejected%s", run->n_read,
                   run->n_done, filtered, run->n_rejected,
                   run->stop_code ? ", stopped early" : "");
    else if (!run->cmd->has_no_input)
        diag_note("%" PRIu64 " read, %" PRIu64 " done%s", run->n_read, run->n_done, filtered);
}

int run_end(struct run *run)
{
    int code = run->stop_code ? (int)run->stop_code : run->n_rejected ? EXIT_REJECTED : 0;
    progress_end();
    /* What stopped half-way must not replace a whole file. */
    if (run->stop_code && run->out.temp && !out_failed(&run->out)) {
        diag_error("%s: left as it was", run->out.path);
        out_abandon(&run->out);
    }
    if (out_close(&run->out, &run->err) < 0) {
        diag_error("%s", run->err.msg);
        code = EXIT_FATAL;
    }
    if (run->rejects.fd >= 0 && out_close(&run->rejects, &run->err) < 0) {
        diag_error("%s", run->err.msg);
        code = EXIT_FATAL;
    }
    lines_release(&run->in);
    diag_end();
    print_summary(run);
    return code;
}
