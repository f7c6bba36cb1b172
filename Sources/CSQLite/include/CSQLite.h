#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdbool.h>
#include <stdint.h>

// The part of SQLite that the store of snapshots needs on Linux, found at run time.
//
// SQLite is loaded when a store is first used, so that a program which uses none does not pay for it, and so that no
// header of it is needed to build. Its entry points, their types and the numbers of its results are the same in every
// `libsqlite3.so.0`; they are documented at https://sqlite.org/c3ref/intro.html. Swift knows the functions by SQLite's
// own names, as on Apple's platforms; the symbols have others, so that they are in nobody's way.
//
// A handle is for one thread at a time. Every function but `csqlite_load` may be called only after that has returned true.

/// Loads SQLite; false where there is none. To be called once, before anything else.
bool csqlite_load(void);

typedef struct csqlite csqlite;
typedef struct csqlite_statement csqlite_statement;
typedef void (*csqlite_destructor)(void *);

#define CSQLITE_NAME(name) __attribute__((swift_name(#name)))

int csqlite_open(const char *path, csqlite **database, int flags, const char *vfs)
    CSQLITE_NAME(sqlite3_open_v2(_:_:_:_:));
// Leaves the journal to be copied into the file by who writes much, not by whoever closes it last.
int csqlite_keep_journal(csqlite *database);
int csqlite_close(csqlite *database) CSQLITE_NAME(sqlite3_close_v2(_:));
int csqlite_busy_timeout(csqlite *database, int milliseconds) CSQLITE_NAME(sqlite3_busy_timeout(_:_:));
const char *csqlite_message(csqlite *database) CSQLITE_NAME(sqlite3_errmsg(_:));
int csqlite_changes(csqlite *database) CSQLITE_NAME(sqlite3_changes(_:));
int csqlite_prepare(
    csqlite *database, const char *text, int length, csqlite_statement **statement, const char **tail)
    CSQLITE_NAME(sqlite3_prepare_v2(_:_:_:_:_:));
int csqlite_step(csqlite_statement *statement) CSQLITE_NAME(sqlite3_step(_:));
int csqlite_finalize(csqlite_statement *statement) CSQLITE_NAME(sqlite3_finalize(_:));
int csqlite_bind_number(csqlite_statement *statement, int index, int64_t value)
    CSQLITE_NAME(sqlite3_bind_int64(_:_:_:));
int csqlite_bind_text(
    csqlite_statement *statement, int index, const char *value, int length, csqlite_destructor destructor)
    CSQLITE_NAME(sqlite3_bind_text(_:_:_:_:_:));
int csqlite_bind_null(csqlite_statement *statement, int index) CSQLITE_NAME(sqlite3_bind_null(_:_:));
int csqlite_column_count(csqlite_statement *statement) CSQLITE_NAME(sqlite3_column_count(_:));
int csqlite_column_type(csqlite_statement *statement, int column) CSQLITE_NAME(sqlite3_column_type(_:_:));
int64_t csqlite_column_number(csqlite_statement *statement, int column) CSQLITE_NAME(sqlite3_column_int64(_:_:));
const unsigned char *csqlite_column_text(csqlite_statement *statement, int column)
    CSQLITE_NAME(sqlite3_column_text(_:_:));

#undef CSQLITE_NAME

#endif
