#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of OpenSSL's libcrypto that hashes, found at run time: most often libcurl has loaded it. It uses instructions
// that processors have for SHA-256. Its entry points and the shape of its state are the same in every `libcrypto.so.3` and
// `libcrypto.so.1.1`; they are documented at https://docs.openssl.org/3.0/man3/SHA256_Init/.

/// Adds whole blocks of 64 bytes to the eight words of a SHA-256; false, and nothing is done, where there is no libcrypto.
///
/// The first call loads it if nobody has done so, which takes as long as hashing some hundred kilobytes without it.
bool ccrypto_add(uint32_t words[8], const void *blocks, size_t count);

#endif
