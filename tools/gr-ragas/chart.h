// SPDX-License-Identifier: MIT
/*
 * chart.h — a comparison as bars: text, SVG, and a script for gnuplot
 *
 * One panel for all records and one for each class; in it one group of bars a metric, one bar a
 * system, with the 95 % interval. All text comes from files and is escaped for where it goes.
 */
#ifndef CHART_H
#define CHART_H

#include "comparison.h"

/* For a terminal: 40 columns are 1.0. */
void chart_text(struct buf *out, const struct comparison *c);

/* One <svg> element, 860 wide, of the rows of one class (0: all). The same bytes everywhere. */
void chart_svg(struct buf *out, const struct comparison *c, size_t class_id);

enum chart_terminal { CHART_SVG, CHART_PNG };

/* A gnuplot script that writes the chart to its standard output. */
void chart_gnuplot(struct buf *out, const struct comparison *c, enum chart_terminal terminal);

/* Append text for HTML or XML content and quoted attributes: & < > " ' escaped, control
 * characters and invalid UTF-8 replaced. */
void chart_escape(struct buf *out, struct sv text);

#endif
