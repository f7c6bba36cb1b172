#include "CZlib.h"

#include <stdlib.h>

// The state that zlib shares with its caller; its shape is part of zlib's interface and is checked by its length.
struct stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

static const unsigned int most = 1u << 30;

#ifdef __APPLE__

extern int inflateInit2_(struct stream *, int, const char *, int);
extern int inflate(struct stream *, int);
extern int inflateReset(struct stream *);
extern int inflateEnd(struct stream *);
extern unsigned long crc32(unsigned long, const unsigned char *, unsigned int);

#define inflate_init inflateInit2_
#define inflate_step inflate
#define inflate_reset inflateReset
#define inflate_end inflateEnd
#define checksum_step crc32

static bool load(void) { return true; }

#else

#include <dlfcn.h>
#include <pthread.h>

static int (*inflate_init)(struct stream *, int, const char *, int);
static int (*inflate_step)(struct stream *, int);
static int (*inflate_reset)(struct stream *);
static int (*inflate_end)(struct stream *);
static unsigned long (*checksum_step)(unsigned long, const unsigned char *, unsigned int);

static bool is_loaded;

static void find(void) {
    void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    inflate_init = (int (*)(struct stream *, int, const char *, int))dlsym(library, "inflateInit2_");
    inflate_step = (int (*)(struct stream *, int))dlsym(library, "inflate");
    inflate_reset = (int (*)(struct stream *))dlsym(library, "inflateReset");
    inflate_end = (int (*)(struct stream *))dlsym(library, "inflateEnd");
    checksum_step = (unsigned long (*)(unsigned long, const unsigned char *, unsigned int))dlsym(library, "crc32");
    is_loaded = inflate_init && inflate_step && inflate_reset && inflate_end && checksum_step;
}

static bool load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return is_loaded;
}

#endif

// The bits of the largest window, with what zlib adds to it, or how it takes it, for each wrapping.
static int window_bits(czlib_wrapping wrapping) {
    switch (wrapping) {
    case czlib_with_header: return 15 + 32;
    case czlib_gzip: return 15 + 16;
    default: return -15;
    }
}

void *czlib_inflate_make(czlib_wrapping wrapping) {
    struct stream *stream = load() ? calloc(1, sizeof *stream) : NULL;
    if (!stream) return NULL;
    if (inflate_init(stream, window_bits(wrapping), "1", sizeof *stream) != 0) {
        free(stream);
        return NULL;
    }
    return stream;
}

void czlib_inflate_free(void *inflate) {
    if (inflate) inflate_end(inflate);
    free(inflate);
}

void czlib_inflate_reset(void *inflate) { inflate_reset(inflate); }

czlib_outcome czlib_inflate_step(
    void *inflate, const void *input, size_t *input_count, void *output, size_t *output_count) {
    // Z_STREAM_END, and Z_BUF_ERROR for "nothing to do", which is not a failure.
    enum { ok = 0, ended = 1, nothing_done = -5 };
    struct stream *stream = inflate;
    stream->next_in = input;
    stream->avail_in = *input_count < most ? (unsigned int)*input_count : most;
    stream->next_out = output;
    stream->avail_out = *output_count < most ? (unsigned int)*output_count : most;
    int result = inflate_step(stream, 0);
    *input_count -= (size_t)(stream->next_in - (const unsigned char *)input);
    *output_count -= (size_t)(stream->next_out - (unsigned char *)output);
    if (result == ended) return czlib_ended;
    return result == ok || result == nothing_done ? czlib_more : czlib_broken;
}

// The same by the definition of the checksum, bit by bit, where there is no zlib.
static uint32_t plain_crc32(uint32_t before, const unsigned char *bytes, size_t count) {
    uint32_t rest = ~before;
    for (size_t index = 0; index < count; index++) {
        rest ^= bytes[index];
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320u : 0);
    }
    return ~rest;
}

uint32_t czlib_crc32(uint32_t before, const void *bytes, size_t count) {
    // Names in an archive are looked at before anything is inflated. Without the library nothing can be, which is said then.
    if (!load()) return before;
    const unsigned char *next = bytes;
    // Names of archives are checked before anything is decompressed.
    if (!load()) return plain_crc32(before, next, count);
    unsigned long checksum = before;
    while (count > 0) {
        unsigned int step = count < most ? (unsigned int)count : most;
        checksum = checksum_step(checksum, next, step);
        next += step;
        count -= step;
    }
    return (uint32_t)checksum;
}
