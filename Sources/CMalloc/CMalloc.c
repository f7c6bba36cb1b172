#include "CMalloc.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>

void cmalloc_keep_freed(void) {
    // The most that the library takes for the first.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}
#else
void cmalloc_keep_freed(void) {}
#endif
