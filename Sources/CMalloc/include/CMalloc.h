#ifndef CMALLOC_H
#define CMALLOC_H

/// Has memory that is given back stay with the process, up to 64 MiB for each thread, to be used again.
///
/// Without it the C library of most Linux systems hands buffers of some hundred kilobytes to the system and asks for
/// them anew, which clears each page of them every time. Other C libraries are left as they are.
void cmalloc_keep_freed(void);

#endif
