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

static struct functions find(int mode) {
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
    struct functions functions = {NULL, NULL};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        void *library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL | mode);
        if (!library) continue;
        // A function's address is stored as what `dlsym` returns, which POSIX allows.
        functions.begin = (int (*)(struct state *))dlsym(library, "SHA256_Init");
        functions.add = (int (*)(struct state *, const void *, size_t))dlsym(library, "SHA256_Update");
        if (functions.begin && functions.add && is_right(functions)) return functions;
    }
    return (struct functions){NULL, NULL};
}

static struct functions loaded;
static struct functions present;

static void load(void) { loaded = find(0); }

// What somebody else has loaded by now.
static void look(void) { present = find(RTLD_NOLOAD); }

bool ccrypto_add(uint32_t words[8], const void *blocks, size_t count, bool loads) {
    static pthread_once_t load_once = PTHREAD_ONCE_INIT;
    static pthread_once_t look_once = PTHREAD_ONCE_INIT;
    if (loads) {
        pthread_once(&load_once, load);
    } else {
        pthread_once(&look_once, look);
    }
    struct functions functions = loads ? loaded : present;
    return functions.add && run(functions, words, blocks, count);
}

#else

bool ccrypto_add(uint32_t words[8], const void *blocks, size_t count, bool loads) { return false; }

#endif
