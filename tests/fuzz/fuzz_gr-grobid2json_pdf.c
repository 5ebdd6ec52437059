// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-grobid2json_pdf.c — any bytes as a PDF and as a service's reply: checked
 * without harm, refused with a reason
 */
#include "pdf.h"
#include "service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sv bytes = { (const char *)data, size };
    struct err err = { 0 };
    (void)pdf_is(bytes, bytes);
    if (pdf_check(bytes, &err) < 0 && (!err.msg[0] || err.code != EXIT_REJECTED))
        abort();
    err.msg[0] = '\0';
    if (service_judge(bytes, &err) != SERVICE_REPLY_TEI && !err.msg[0])
        abort();
    return 0;
}
