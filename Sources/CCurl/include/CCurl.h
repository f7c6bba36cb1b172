#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>

// The part of libcurl that the http transport needs on Linux, found at run time.
//
// libcurl is loaded at the first request, so that a program which makes none does not pay for it and its fifty
// libraries, and so that no header of it is needed to build. Its entry points, their types and the numbers of its
// options are the same in every `libcurl.so.4`; they are documented at https://curl.se/libcurl/c/. Options take an
// argument of a type of their own through `...`, which Swift cannot call: hence one function here for each such type.
//
// But for `ccurl_wake_up`, a handle is for one thread at a time. Every function but `ccurl_load` may be called only
// after that has returned `ccurl_loaded`.

/// What came of the attempt to load libcurl.
typedef enum {
    /// It can be used.
    ccurl_loaded,
    /// There is no `libcurl.so.4` and none of its variants.
    ccurl_absent,
    /// One is there, without `curl_multi_wakeup` of version 7.68 or something older.
    ccurl_too_old,
} ccurl_outcome;

/// Loads libcurl and prepares it. To be called once, before anything else.
ccurl_outcome ccurl_load(void);

/// The version, such as `7.88.1`, within a longer text.
const char *ccurl_version(void);

/// The sentence for a result of a transfer.
const char *ccurl_sentence(int code);

/// A new transfer, or NULL.
void *ccurl_easy_make(void);
void ccurl_easy_free(void *easy);

// Each returns 0, or libcurl's number for what is wrong.
int ccurl_set_number(void *easy, int option, long value);
int ccurl_set_text(void *easy, int option, const char *value);
int ccurl_set_pointer(void *easy, int option, void *value);
/// A function that gets `size` times `count` bytes and the pointer set for it, and returns how many it took.
int ccurl_set_receiver(void *easy, int option, size_t (*receiver)(char *bytes, size_t size, size_t count, void *context));

/// Has every address judged before a connection to it is made: none is made where `check` returns false for the bytes
/// of the address. All transfers have the same `check`, each its own `context`.
int ccurl_check_addresses(void *easy, bool (*check)(void *context, const unsigned char *bytes, size_t count), void *context);

/// A text that libcurl knows, which stays libcurl's, or NULL.
const char *ccurl_text(void *easy, int information);

/// The list with a copy of the text at its end, or NULL; a list is begun with NULL.
void *ccurl_list_append(void *list, const char *text);
void ccurl_list_free(void *list);

/// A new set of transfers that are under way together, or NULL.
void *ccurl_multi_make(void);
int ccurl_multi_add(void *multi, void *easy);
int ccurl_multi_remove(void *multi, void *easy);
/// Does what can be done without waiting.
int ccurl_multi_perform(void *multi);
/// Waits until there is something to do, at most so long.
int ccurl_multi_wait(void *multi, int milliseconds);
/// Ends the wait that is under way, or else the next one. For any thread.
int ccurl_wake_up(void *multi);
/// The next transfer that has ended, and its result; NULL when there is none.
void *ccurl_multi_next_ended(void *multi, int *code);

#endif
