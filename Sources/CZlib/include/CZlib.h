#ifndef CZLIB_H
#define CZLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of zlib that undoes gzip and deflate. On Linux it is found at run time: a program that meets no compressed
// bytes does not pay for it, and no header of it is needed to build. Its entry points and the shape of its state are the
// same in every `libz.so.1`; they are documented at https://zlib.net/manual.html.
//
// A handle is for one thread at a time.

/// What a stream begins with.
typedef enum {
    /// The header of gzip or that of zlib, whose checksum is then checked.
    czlib_with_header,
    /// The header of gzip, whose checksum and length are then checked.
    czlib_gzip,
    /// Compressed bytes at once: there is neither a header nor a checksum.
    czlib_raw,
} czlib_wrapping;

/// A new decompression, or NULL where there is no zlib or no memory.
void *czlib_inflate_make(czlib_wrapping wrapping);
void czlib_inflate_free(void *inflate);
/// Starts again, for another stream behind the first.
void czlib_inflate_reset(void *inflate);

/// What came of a step.
typedef enum {
    /// More input or more room is needed.
    czlib_more,
    /// The stream has ended, and its checksum, if it has one, is right.
    czlib_ended,
    /// The input is no such stream.
    czlib_broken,
} czlib_outcome;

/// Decompresses from `input` to `output`; the counts are lowered by what was read and written.
czlib_outcome czlib_inflate_step(
    void *inflate, const void *input, size_t *input_count, void *output, size_t *output_count);

/// The CRC-32 of bytes that follow others with the CRC-32 `before`; 0 is that of none. Works without
/// zlib too, only slower.
uint32_t czlib_crc32(uint32_t before, const void *bytes, size_t count);

#endif
