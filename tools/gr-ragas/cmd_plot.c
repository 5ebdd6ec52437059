// SPDX-License-Identifier: MIT
/*
 * cmd_plot.c — scored files as bars
 */
#include "cmds.h"

#include "chart.h"
#include "cmds_read.h"
#include "gnuplot.h"

enum { FORM_AUTO, FORM_TEXT, FORM_SVG, FORM_PNG };

static struct {
    struct read_cfg read;
    int format;
    bool no_class;
    long resamples;
} cfg;

/* clang-format off */
const struct opt plot_options[] = {
    { "Plot", 0, OPT_GROUP },
    { "format", 0, OPT_ENUM, "FORM", "auto",
      "form of the picture; auto: by the name of --output, text without", &cfg.format,
      .choices = "auto|text|svg|png" },
    READ_OPTIONS(cfg.read),
    { "no-class", 0, OPT_FLAG, NULL, NULL, "no panels for the classes of questions",
      &cfg.no_class },
    { "resamples", 0, OPT_LONG, "N", "2000", "of the bootstrap for the intervals, 0: none",
      &cfg.resamples, 0, 1e7 },
    RUN_OPTIONS,
};
/* clang-format on */

static int form_of(void)
{
    struct sv name = sv_from(run_cfg.output);
    if (cfg.format != FORM_AUTO)
        return cfg.format;
    if (sv_ends(name, SV(".svg")))
        return FORM_SVG;
    return sv_ends(name, SV(".png")) ? FORM_PNG : FORM_TEXT;
}

/* By gnuplot. Without it SVG is drawn here; for PNG the bars are told as text instead. */
static int draw(struct run *run, const struct comparison *c, int form)
{
    struct buf script = BUF_INIT, picture = BUF_INIT;
    chart_gnuplot(&script, c, form == FORM_PNG ? CHART_PNG : CHART_SVG);
    int rc = c->n ? gnuplot_run(buf_view(&script), &picture, &run->err) : 1;
    if (rc == 1 && form == FORM_SVG) {
        diag_note("no gnuplot: a simpler drawing");
        chart_svg(&picture, c, 0);
        rc = 0;
    } else if (rc == 1) {
        buf_reset(&script);
        chart_text(&script, c);
        fwrite(buf_cstr(&script), 1, script.len, stdout);
        rc = err_set(&run->err, EXIT_FATAL, "%s",
                     c->n ? "png: needs gnuplot, which is not "
                            "installed; the bars as text instead"
                          : "png: there is nothing to draw");
    }
    if (rc == 0)
        run_write(run, buf_view(&picture));
    buf_release(&script);
    buf_release(&picture);
    return rc;
}

int cmd_plot(struct run *run)
{
    struct results results;
    struct comparison c;
    int form = form_of(), rc = 0;
    if (read_results(run, &results, &cfg.read, false) < 0)
        return read_failed(run, &results);
    const struct comparison_cfg how = { (size_t)cfg.resamples, (uint64_t)run_cfg.seed, false,
                                        !cfg.no_class };
    comparison_init(&c, &how, &results);
    if (form == FORM_TEXT) {
        struct buf text = BUF_INIT;
        chart_text(&text, &c);
        run_write(run, buf_view(&text));
        buf_release(&text);
    } else {
        rc = draw(run, &c, form);
    }
    comparison_release(&c);
    results_release(&results);
    return rc < 0 ? run_fail(run) : run_end(run);
}
