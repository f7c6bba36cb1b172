#include "CSQLite.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static int (*open_v2)(const char *, csqlite **, int, const char *);
static int (*close_v2)(csqlite *);
static int (*busy_timeout)(csqlite *, int);
static const char *(*errmsg)(csqlite *);
static int (*changes)(csqlite *);
static int (*prepare_v2)(csqlite *, const char *, int, csqlite_statement **, const char **);
static int (*step)(csqlite_statement *);
static int (*finalize)(csqlite_statement *);
static int (*bind_int64)(csqlite_statement *, int, int64_t);
static int (*bind_text)(csqlite_statement *, int, const char *, int, csqlite_destructor);
static int (*bind_null)(csqlite_statement *, int);
static int (*column_count)(csqlite_statement *);
static int (*column_type)(csqlite_statement *, int);
static int64_t (*column_int64)(csqlite_statement *, int);
static const unsigned char *(*column_text)(csqlite_statement *, int);
static int (*db_config)(csqlite *, int, ...);

static const struct {
    const char *name;
    // A function's address is stored as what `dlsym` returns, which POSIX allows.
    void *place;
} symbols[] = {
    {"sqlite3_open_v2", &open_v2},
    {"sqlite3_close_v2", &close_v2},
    {"sqlite3_busy_timeout", &busy_timeout},
    {"sqlite3_errmsg", &errmsg},
    {"sqlite3_changes", &changes},
    {"sqlite3_prepare_v2", &prepare_v2},
    {"sqlite3_step", &step},
    {"sqlite3_finalize", &finalize},
    {"sqlite3_bind_int64", &bind_int64},
    {"sqlite3_bind_text", &bind_text},
    {"sqlite3_bind_null", &bind_null},
    {"sqlite3_column_count", &column_count},
    {"sqlite3_column_type", &column_type},
    {"sqlite3_column_int64", &column_int64},
    {"sqlite3_column_text", &column_text},
    {"sqlite3_db_config", &db_config},
};

bool csqlite_load(void) {
    void *library = dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return false;
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        if (!symbol) return false;
        memcpy(symbols[index].place, &symbol, sizeof symbol);
    }
    return true;
}

int csqlite_open(const char *path, csqlite **database, int flags, const char *vfs) {
    return open_v2(path, database, flags, vfs);
}

// 1006 is SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE.
int csqlite_keep_journal(csqlite *database) { return db_config(database, 1006, 1, (int *)NULL); }

int csqlite_close(csqlite *database) { return close_v2(database); }

int csqlite_busy_timeout(csqlite *database, int milliseconds) { return busy_timeout(database, milliseconds); }

const char *csqlite_message(csqlite *database) { return errmsg(database); }

int csqlite_changes(csqlite *database) { return changes(database); }

int csqlite_prepare(
    csqlite *database, const char *text, int length, csqlite_statement **statement, const char **tail) {
    return prepare_v2(database, text, length, statement, tail);
}

int csqlite_step(csqlite_statement *statement) { return step(statement); }

int csqlite_finalize(csqlite_statement *statement) { return finalize(statement); }

int csqlite_bind_number(csqlite_statement *statement, int index, int64_t value) {
    return bind_int64(statement, index, value);
}

int csqlite_bind_text(
    csqlite_statement *statement, int index, const char *value, int length, csqlite_destructor destructor) {
    return bind_text(statement, index, value, length, destructor);
}

int csqlite_bind_null(csqlite_statement *statement, int index) { return bind_null(statement, index); }

int csqlite_column_count(csqlite_statement *statement) { return column_count(statement); }

int csqlite_column_type(csqlite_statement *statement, int column) { return column_type(statement, column); }

int64_t csqlite_column_number(csqlite_statement *statement, int column) { return column_int64(statement, column); }

const unsigned char *csqlite_column_text(csqlite_statement *statement, int column) {
    return column_text(statement, column);
}
