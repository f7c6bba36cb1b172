#include "CCrypto.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The state that libcrypto shares with its caller.
struct state {
    uint32_t words[8];
    uint32_t low;
    uint32_t high;
    uint32_t block[16];
    unsigned int filled;
    unsigned int length;
};

struct functions {
    int (*begin)(struct state *);
    int (*add)(struct state *, const void *, size_t);
};

static bool run(struct functions functions, uint32_t words[8], const void *blocks, size_t count) {
    // Room to spare, should a state ever be larger.
    union {
        struct state state;
        unsigned char room[512];
    } hash;
    if (functions.begin(&hash.state) != 1) return false;
    memcpy(hash.state.words, words, sizeof hash.state.words);
    if (functions.add(&hash.state, blocks, count * 64) != 1) return false;
    memcpy(words, hash.state.words, sizeof hash.state.words);
    return true;
}

// Whether the hash of "abc" comes out, as FIPS 180-4 has it: whether the state is what it was taken for.
static bool is_right(struct functions functions) {
    static const uint32_t expected[8] = {
        0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad,
    };
    uint32_t words[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    unsigned char block[64] = {'a', 'b', 'c', 0x80};
    block[63] = 24;
    return run(functions, words, block, 1) && memcmp(words, expected, sizeof words) == 0;
}

static struct functions found;

static void find(void) {
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
    for (size_t index = 0; index < sizeof names / sizeof *names && !found.add; index++) {
        void *library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
        if (!library) continue;
        // A function's address is stored as what `dlsym` returns, which POSIX allows.
        struct functions functions = {
            (int (*)(struct state *))dlsym(library, "SHA256_Init"),
            (int (*)(struct state *, const void *, size_t))dlsym(library, "SHA256_Update"),
        };
        if (functions.begin && functions.add && is_right(functions)) found = functions;
    }
}

bool ccrypto_add(uint32_t words[8], const void *blocks, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    return found.add && run(found, words, blocks, count);
}

#else

bool ccrypto_add(uint32_t words[8], const void *blocks, size_t count) { return false; }

#endif
