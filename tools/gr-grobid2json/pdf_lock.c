// SPDX-License-Identifier: MIT
/*
 * pdf_lock.c — the encryption dictionary, and the empty password tried on it
 */
#include "pdf_lock.h"

#include <openssl/evp.h>

#define DICT_BYTES 16384 /* enough for any encryption dictionary */
#define NEAR_BYTES 2048  /* from /Encrypt to /ID in the trailer, either way */

/* A string of the dictionary: 48 bytes count at most. */
struct bytes {
    unsigned char b[128];
    size_t n;
};

struct dict {
    int64_t v, r, length, p;
    bool has_plain_metadata;
    struct bytes o, u, id;
};

/* ---- reading ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\0';
}

static bool ends_name(struct sv s, size_t at)
{
    return at >= s.n || is_blank(s.p[at]) || strchr("/<>[]()%", s.p[at]);
}

static struct sv skip_blanks(struct sv s)
{
    size_t i = 0;
    while (i < s.n && is_blank(s.p[i]))
        i++;
    return sv_from_to(s, i, s.n);
}

/* What follows the first (or last) "/Name"; p NULL: it is not there. */
static struct sv value_of(struct sv s, const char *name, bool wants_last)
{
    struct sv found = { NULL, 0 }, key = sv_from(name);
    for (size_t at = 0; (at = sv_find(s, key, at)) != SIZE_MAX; at += key.n) {
        if (!ends_name(s, at + key.n))
            continue;
        found = skip_blanks(sv_from_to(s, at + key.n, s.n));
        if (!wants_last)
            break;
    }
    return found;
}

static bool get_int(struct sv *s, int64_t *out)
{
    size_t n = 0;
    *s = skip_blanks(*s);
    while (n < s->n && n < 20 && (strchr("+-0123456789", s->p[n]) && s->p[n]))
        n++;
    bool is_good = sv_to_i64(sv_from_to(*s, 0, n), out);
    *s = sv_from_to(*s, n, s->n);
    return is_good;
}

static int64_t int_of(struct sv dict, const char *name, int64_t otherwise)
{
    int64_t v;
    struct sv at = value_of(dict, name, false);
    return at.p && get_int(&at, &v) ? v : otherwise;
}

static void add(struct bytes *to, unsigned c)
{
    if (to->n < sizeof to->b)
        to->b[to->n++] = (unsigned char)c;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 0x20) : NULL;
    return at && (c >= 'A' || c <= '9') ? (int)(at - digits) : -1;
}

static void read_hex(struct sv s, struct bytes *to)
{
    int high = -1;
    for (size_t i = 1; i < s.n && s.p[i] != '>'; i++) {
        int d = hex_digit(s.p[i]);
        if (d < 0)
            continue;
        if (high >= 0)
            add(to, (unsigned)(high * 16 + d));
        high = high >= 0 ? -1 : d;
    }
    if (high >= 0)
        add(to, (unsigned)high * 16);
}

/* The escape at s.p[i], after the backslash; returns the place of its last byte. */
static size_t read_escape(struct sv s, size_t i, struct bytes *to)
{
    static const char names[] = "nrtbf", codes[] = "\n\r\t\b\f";
    const char *at = s.p[i] ? strchr(names, s.p[i]) : NULL;
    if (s.p[i] >= '0' && s.p[i] <= '7') {
        unsigned code = 0, n = 0;
        for (; n < 3 && i < s.n && s.p[i] >= '0' && s.p[i] <= '7'; n++, i++)
            code = code * 8 + (unsigned)(s.p[i] - '0');
        add(to, code & 0xFF);
        return i - 1;
    }
    if (s.p[i] == '\r')
        return i + 1 < s.n && s.p[i + 1] == '\n' ? i + 1 : i;
    if (s.p[i] != '\n')
        add(to, (unsigned char)(at ? codes[at - names] : s.p[i]));
    return i;
}

static void read_literal(struct sv s, struct bytes *to)
{
    int depth = 1;
    for (size_t i = 1; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && i + 1 < s.n) {
            i = read_escape(s, i + 1, to);
            continue;
        }
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0)
            return;
        add(to, (unsigned char)c);
    }
}

static void get_string(struct sv s, struct bytes *to)
{
    to->n = 0;
    s = s.p ? skip_blanks(s) : SV_NONE;
    if (s.n && s.p[0] == '<')
        read_hex(s, to);
    else if (s.n && s.p[0] == '(')
        read_literal(s, to);
}

/* The dictionary itself, which /Encrypt holds or points at. */
static struct sv find_dict(struct sv bytes, struct sv at)
{
    int64_t number, generation;
    if (sv_starts(at, SV("<<")))
        return sv_from_to(at, 0, DICT_BYTES);
    if (!get_int(&at, &number) || !get_int(&at, &generation))
        return SV_NONE;
    char head[64];
    struct sv found = SV_NONE;
    snprintf(head, sizeof head, "%lld %lld obj", (long long)number, (long long)generation);
    for (size_t i = 0; (i = sv_find(bytes, sv_from(head), i)) != SIZE_MAX; i++)
        if (i == 0 || !strchr("0123456789", bytes.p[i - 1]) || !bytes.p[i - 1])
            found = sv_from_to(bytes, i + strlen(head), i + strlen(head) + DICT_BYTES);
    size_t end = sv_find(found, SV("endobj"), 0);
    return sv_from_to(found, 0, end);
}

/* The first string of the array /ID, which stands in one dictionary with /Encrypt. */
static void read_id(struct sv bytes, struct sv encrypt, struct bytes *id)
{
    size_t at = (size_t)(encrypt.p - bytes.p);
    struct sv near = sv_from_to(bytes, at > NEAR_BYTES ? at - NEAR_BYTES : 0, at + NEAR_BYTES);
    id->n = 0;
    for (;;) {
        struct sv v = value_of(near, "/ID", false);
        if (!v.p)
            return;
        if (v.n && v.p[0] == '[') {
            get_string(sv_from_to(v, 1, v.n), id);
            return;
        }
        near = v; /* another thing's id */
    }
}

static void read_dict(struct sv bytes, struct sv encrypt, struct sv dict, struct dict *d)
{
    struct sv metadata;
    d->v = int_of(dict, "/V", 0);
    d->r = int_of(dict, "/R", 0);
    /* In a crypt filter /Length may count bytes; its dictionary comes before or after. */
    d->length = d->v == 1 ? 40 : d->v >= 4 ? 128 : int_of(dict, "/Length", 40);
    d->p = int_of(dict, "/P", 0);
    metadata = value_of(dict, "/EncryptMetadata", false);
    d->has_plain_metadata = metadata.p && sv_starts(metadata, SV("false"));
    get_string(value_of(dict, "/O", false), &d->o);
    get_string(value_of(dict, "/U", false), &d->u);
    read_id(bytes, encrypt, &d->id);
}

/* ---- the empty password ---- */

static const unsigned char pad[32] = { 0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41,
                                       0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
                                       0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80,
                                       0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A };

static bool hash(const EVP_MD *kind, const unsigned char *p, size_t n, unsigned char *out)
{
    return EVP_Digest(p, n, out, NULL, kind, NULL) == 1;
}

/* RC4, in place; n <= 32. */
static void rc4(const unsigned char *key, size_t n_key, unsigned char change,
                unsigned char *data, size_t n)
{
    unsigned char s[256], i = 0, j = 0, t;
    for (unsigned k = 0; k < 256; k++)
        s[k] = (unsigned char)k;
    for (unsigned k = 0; k < 256; k++) {
        j = (unsigned char)(j + s[k] + (key[k % n_key] ^ change));
        t = s[k], s[k] = s[j], s[j] = t;
    }
    j = 0;
    for (size_t k = 0; k < n; k++) {
        i++;
        j = (unsigned char)(j + s[i]);
        t = s[i], s[i] = s[j], s[j] = t;
        data[k] ^= s[(unsigned char)(s[i] + s[j])];
    }
}

/* Algorithms 2, 4 and 5: revisions 2 to 4. */
static bool opens_rc4(const struct dict *d)
{
    unsigned char text[32 + 32 + 4 + sizeof d->id.b + 4], key[16], check[32];
    size_t n = 0, n_key = (size_t)d->length / 8;
    memcpy(text, pad, 32);
    memcpy(text + 32, d->o.b, 32);
    for (n = 64; n < 68; n++)
        text[n] = (unsigned char)((uint64_t)d->p >> (8 * (n - 64)));
    memcpy(text + n, d->id.b, d->id.n);
    n += d->id.n;
    for (int i = 0; d->r >= 4 && d->has_plain_metadata && i < 4; i++)
        text[n++] = 0xFF;
    bool is_fine = hash(EVP_md5(), text, n, key);
    for (int i = 0; d->r >= 3 && i < 50; i++)
        is_fine = is_fine && hash(EVP_md5(), key, n_key, key);
    memcpy(check, pad, 32);
    n = 32;
    if (d->r >= 3) {
        memcpy(text, pad, 32);
        memcpy(text + 32, d->id.b, d->id.n);
        is_fine = is_fine && hash(EVP_md5(), text, 32 + d->id.n, check);
        n = 16;
    }
    for (int i = 0; i < (d->r >= 3 ? 20 : 1); i++)
        rc4(key, n_key, (unsigned char)i, check, n);
    return !is_fine || memcmp(check, d->u.b, n) == 0;
}

/* Algorithm 2.B for the empty password: k is the first hash, and the last. */
static bool harden(unsigned char k[64], size_t n_k)
{
    unsigned char text[64 * 64], out[64 * 64];
    bool is_fine = true;
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    for (int i = 0; is_fine && c; i++) {
        int n_out = 0;
        unsigned sum = 0;
        for (size_t part = 0; part < 64; part++)
            memcpy(text + part * n_k, k, n_k);
        is_fine = EVP_EncryptInit_ex(c, EVP_aes_128_cbc(), NULL, k, k + 16) == 1 &&
                  EVP_CIPHER_CTX_set_padding(c, 0) == 1 &&
                  EVP_EncryptUpdate(c, out, &n_out, text, (int)(64 * n_k)) == 1 && n_out > 0;
        for (size_t b = 0; is_fine && b < 16; b++)
            sum += out[b];
        const EVP_MD *kinds[] = { EVP_sha256(), EVP_sha384(), EVP_sha512() };
        is_fine = is_fine && hash(kinds[sum % 3], out, (size_t)n_out, k);
        n_k = 32 + 16 * (sum % 3);
        if (is_fine && i >= 63 && out[n_out - 1] <= i + 1 - 32)
            break;
    }
    is_fine = is_fine && c;
    EVP_CIPHER_CTX_free(c);
    return is_fine;
}

/* Algorithm 11: revisions 5 and 6. */
static bool opens_aes256(const struct dict *d)
{
    unsigned char k[64];
    bool is_fine = hash(EVP_sha256(), d->u.b + 32, 8, k);
    if (is_fine && d->r == 6)
        is_fine = harden(k, 32);
    return !is_fine || memcmp(k, d->u.b, 32) == 0;
}

enum pdf_lock pdf_lock(struct sv bytes)
{
    struct sv at = value_of(bytes, "/Encrypt", true);
    struct sv dict = at.p ? find_dict(bytes, at) : SV_NONE;
    struct sv filter = value_of(dict, "/Filter", false);
    struct dict d;
    if (filter.p && sv_starts(filter, SV("/Adobe.PubSec")))
        return PDF_LOCK_CERTIFICATE;
    if (!filter.p || !sv_starts(filter, SV("/Standard")))
        return PDF_LOCK_NONE;
    read_dict(bytes, at, dict, &d);
    bool is_rc4 = d.r >= 2 && d.r <= 4 && d.o.n >= 32 && d.u.n >= 32 && d.length >= 40 &&
                  d.length <= 128 && d.length % 8 == 0;
    bool is_aes = (d.r == 5 || d.r == 6) && d.u.n >= 48;
    if ((is_rc4 && !opens_rc4(&d)) || (is_aes && !opens_aes256(&d)))
        return PDF_LOCK_PASSWORD;
    return PDF_LOCK_NONE;
}
