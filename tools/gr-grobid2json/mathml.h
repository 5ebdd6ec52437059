// SPDX-License-Identifier: MIT
/*
 * mathml.h — a formula as one line of text: MathML (presentation), or TeX without its wrapping
 */
#ifndef MATHML_H
#define MATHML_H

#include "buf.h"
#include "xml.h"

/*
 * Append a formula's text. Raised and lowered parts become Unicode's forms where all their
 * characters have one (10⁻³, ⁸⁷Sr), else ^(…) and _(…); fractions are a/b, (a + b)/c; roots
 * √x, √(x + y); limits ∑_(i=1)^(n); rows of a matrix are parted by "; ". O(n).
 */
void mathml_text(const xmlNode *math, struct buf *to);

/* Append a TeX formula: what stands inside \begin{document} … \end{document}, without dollars,
 * \[ \] and blanks around it. */
void mathml_tex(struct sv tex, struct buf *to);

/* The TeX that a MathML formula carries as annotation, or NULL. */
const xmlNode *mathml_annotation(const xmlNode *math);

#endif
