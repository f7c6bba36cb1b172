#include "CCurl.h"

#include <dlfcn.h>
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
// The largest window; 32 more for "with the header of gzip or zlib", negative for "without".
static const int with_header = 15 + 32;
static const int without_header = -15;

static int (*inflate_init)(struct stream *, int, const char *, int);
static int (*inflate_step)(struct stream *, int);
static int (*inflate_reset)(struct stream *);
static int (*inflate_end)(struct stream *);

static bool load(void) {
    static bool is_loaded;
    if (is_loaded) return true;
    void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return false;
    inflate_init = (int (*)(struct stream *, int, const char *, int))dlsym(library, "inflateInit2_");
    inflate_step = (int (*)(struct stream *, int))dlsym(library, "inflate");
    inflate_reset = (int (*)(struct stream *))dlsym(library, "inflateReset");
    inflate_end = (int (*)(struct stream *))dlsym(library, "inflateEnd");
    is_loaded = inflate_init && inflate_step && inflate_reset && inflate_end;
    return is_loaded;
}

void *cinflate_make(bool raw) {
    struct stream *stream = load() ? calloc(1, sizeof *stream) : NULL;
    if (!stream) return NULL;
    if (inflate_init(stream, raw ? without_header : with_header, "1", sizeof *stream) != 0) {
        free(stream);
        return NULL;
    }
    return stream;
}

void cinflate_free(void *inflate) {
    if (inflate) inflate_end(inflate);
    free(inflate);
}

void cinflate_reset(void *inflate) { inflate_reset(inflate); }

cinflate_outcome cinflate_step(void *inflate, const void *input, size_t *input_count, void *output, size_t *output_count) {
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
    if (result == ended) return cinflate_ended;
    return result == ok || result == nothing_done ? cinflate_more : cinflate_broken;
}
